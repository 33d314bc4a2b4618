/** Decides from the reason of a resume whether the run must end, and with which input it continues. */
import { lockSurvivingContact } from '../../../contacts/contacts.ts'
import { assignOwner, lockConversation } from '../../../conversations/conversations.ts'
import { findLastUserSender } from '../../../conversations/messages/messages.ts'
import { setActor } from '../../../platform/db/actor.ts'
import type { Tx } from '../../../platform/db/db.ts'
import type { Input } from '../../nodes/node-type.ts'
import { getReplyId, getText } from '../../triggers/event-data.ts'
import { findTrueCase } from '../waits/conditions.ts'
import { findDeliveryStatus } from './advance.ts'
import type { ResumeReason, Run } from './run.ts'
import { createScope } from './scope.ts'

/**
 * Returns the reason of a job for an earlier revision if it applies to the current one too. An exit ends the run wherever
 * it is. The final status of a message may be reported while the run handles `sent`, and no further event reports it.
 */
export async function findLateReason(tx: Tx, run: Run, reason: ResumeReason): Promise<Input | undefined> {
  if (typeof reason === 'string') return undefined
  if (reason.type === 'exit') return reason
  if (reason.type !== 'delivery' || !run.wait?.delivery) return undefined
  const delivery = await findDeliveryStatus(tx, run.tenantId, run.wait.delivery)
  return delivery?.status === 'sent' ? undefined : delivery
}

/** Returns why the run must end, if it must. A run of a merged contact continues with the surviving contact. */
export async function findEndReason(tx: Tx, run: Run): Promise<string | undefined> {
  const contact = await lockSurvivingContact(tx, run.tenantId, run.contactId)
  if (!contact) return 'contact_deleted'
  run.contactId = contact.id
  return run.kind === 'chatbot' ? findBotEndReason(tx, run) : undefined
}

/** Locks the conversation, so that a concurrent reply of a user is processed before or after this step. */
async function findBotEndReason(tx: Tx, run: Run): Promise<string | undefined> {
  const row = await lockConversation(tx, run.tenantId, run.conversationId!)
  if (!row || row.status === 'closed' || row.sessionId !== run.sessionId) return 'session_ended'
  if (row.ownerType !== 'bot' || row.ownerId !== run.workflowId) return 'taken_over'
  const userId = await findLastUserSender(tx, run.tenantId, row.id, row.sessionId)
  if (userId === undefined) return undefined
  await setActor(tx, { type: 'user', id: userId })
  await assignOwner(tx, run.tenantId, row, { type: 'user', id: userId })
  return 'taken_over'
}

export async function toInput(tx: Tx, run: Run, reason: ResumeReason): Promise<Input | undefined> {
  if (reason === 'continue') return { type: 'arrived' }
  if (reason === 'timer') return toTimerInput(tx, run)
  if (reason !== 'recheck') return reason
  const { cases = [], exits = [] } = run.wait ?? {}
  const scope = createScope(tx, run, new Date(tx.now))
  const exit = await findTrueCase(tx, run, scope, exits)
  if (exit !== undefined) return { type: 'exit', index: exit, event: null }
  const index = await findTrueCase(tx, run, scope, cases)
  return index === undefined ? undefined : { type: 'case', index, event: null }
}

/** Returns the input of a run whose timer is due, or undefined if it was resumed by something else before. */
export function toTimerInput(tx: Tx, run: Run): Input | undefined {
  const replies = run.bufferedReplies ?? []
  if (run.wait?.start) {
    run.message = replies.at(-1) ?? null
    return { type: 'arrived' }
  }
  if (run.wait?.debounce) return run.wait.until! <= tx.now ? { type: 'arrived' } : undefined
  if (replies.length > 0) {
    const text = replies.map(message => getText(message.content)).join('\n')
    return { type: 'message', messages: replies, text, replyId: getReplyId(replies.at(-1)!.content) }
  }
  return run.wait?.until !== undefined && run.wait.until <= tx.now ? { type: 'timeout' } : undefined
}
