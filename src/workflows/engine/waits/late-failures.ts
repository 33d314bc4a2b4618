/**
 * Messages that the provider rejects after their run has left the node: the run must not look like a success. A run in
 * progress ends as `undelivered`, and one that has ended at the end of its path ended as `undelivered`. A node with an edge from
 * `failed` waits for the status itself.
 */
import type { Conversation, Message } from '../../../conversations/schemas.ts'
import type { Tx } from '../../../platform/db/db.ts'
import type { LogEvent } from '../../../platform/events/event.ts'
import { getPlan } from '../../definition/plan.ts'
import { appendLateStep, type FailedSend, lockSendingRuns } from '../../store/runs/late-failures.ts'
import { endRun } from '../run/resume.ts'
import { isInProgress } from '../run/run.ts'

const undelivered = 'undelivered'

export async function endUndelivered(tx: Tx, tenantId: string, failed: readonly FailedSend[]): Promise<void> {
  const ended = new Set<string>()
  for (const { run, nodeId, type, code } of await lockSendingRuns(tx, tenantId, failed)) {
    // Of several messages of a run, the first one ends it.
    if (ended.has(run.id)) continue
    const plan = await getPlan(tx, tenantId, run.versionId)
    const isHandled = type === 'sendMessage' && plan.next(nodeId, 'failed') !== undefined
    if (isHandled) continue
    ended.add(run.id)
    const wasInProgress = isInProgress(run)
    run.steps++
    run.endReason = undelivered
    if (wasInProgress) await endRun(tx, run, 'completed', undelivered)
    const input = { type: 'delivery', status: 'failed', code }
    await appendLateStep(tx, run, {
      tenantId,
      runId: run.id,
      n: run.steps,
      nodeId,
      type,
      at: tx.now,
      input,
      outcome: 'end',
      output: undelivered,
      detail: { code, late: true },
    })
  }
}

export function toFailedSend(event: LogEvent): (FailedSend & { conversationId: string }) | undefined {
  const { message, conversation } = event.data as { message?: Message; conversation?: Conversation }
  if (event.type !== 'message.updated' || message?.deliveryStatus !== 'failed' || !conversation)
    return undefined
  const { senderType, senderId, id: messageId, deliveryError, createdAt: at } = message
  if ((senderType !== 'journey' && senderType !== 'bot') || senderId === null) return undefined
  const { id: conversationId, contactId } = conversation
  return { messageId, workflowId: senderId, conversationId, contactId, at, code: deliveryError?.code ?? null }
}
