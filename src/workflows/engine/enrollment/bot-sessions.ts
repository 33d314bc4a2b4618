/**
 * Chatbot runs in conversations. A run starts with the customer's message in a session assigned to the bot, after the
 * burst of messages has ended, and ends when the session ends or is assigned to another owner.
 */
import { assignOwner, findConversation, lockConversation } from '../../../conversations/conversations.ts'
import type { Conversation, Message } from '../../../conversations/schemas.ts'
import type { Tx } from '../../../platform/db/db.ts'
import type { LogEvent } from '../../../platform/events/event.ts'
import { timerSet } from '../../events.ts'
import { findActiveWorkflow } from '../../store/active-workflows.ts'
import { hasBotRun, listBotRuns, lockRun } from '../../store/runs.ts'
import { customerMessage } from '../../triggers/event-data.ts'
import { findTriggerType, matchTrigger } from '../../triggers/registry.ts'
import type { Entry, TriggerConfig } from '../../triggers/trigger-type.ts'
import { handOff } from '../effects/conversation.ts'
import { endRun } from '../run/resume.ts'
import { isInProgress } from '../run/run.ts'
import { bufferReply, debounceUntil } from '../waits/reply-buffer.ts'
import { enroll, filterByConditions } from './enroll.ts'

/** A bot ignores the customer's messages in `answers`: they answer a question of a journey. */
export async function handleConversationEvent(
  tx: Tx,
  event: LogEvent,
  answers: ReadonlySet<string> = new Set(),
): Promise<void> {
  const { conversation, message } = event.data as { conversation?: Conversation; message?: Message }
  if (!conversation) return
  const { tenantId } = event
  const isBotOwned = conversation.activeOwner?.type === 'bot'
  if (event.type === 'conversation.closed') return endBotRuns(tx, tenantId, conversation.id, 'session_ended')
  if (event.type === 'conversation.updated' && !isBotOwned)
    return endBotRuns(tx, tenantId, conversation.id, 'taken_over')
  if (event.type !== 'message.created' || !isBotOwned) return
  if (message!.senderType === 'user') return assignToSender(tx, tenantId, conversation.id, message!.senderId)
  if (customerMessage(event) && !answers.has(message!.id))
    await handleCustomerMessage(tx, event, conversation.activeOwner!.id)
}

async function endBotRuns(tx: Tx, tenantId: string, conversationId: string, reason: string): Promise<void> {
  const runs = await listBotRuns(tx, tenantId, [conversationId])
  if (runs.length === 0) return
  // The event may be old: runs of the session that is open and assigned to the same bot now continue.
  const row = await findConversation(tx, tenantId, conversationId)
  for (const { id } of runs) {
    const run = await lockRun(tx, tenantId, id)
    if (!run || !isInProgress(run)) continue
    const isCurrent =
      row?.status === 'open' && row.sessionId === run.sessionId && row.ownerId === run.workflowId
    if (!isCurrent) await endRun(tx, run, 'completed', reason)
  }
}

/** A user's reply takes the session over from the bot. */
async function assignToSender(
  tx: Tx,
  tenantId: string,
  conversationId: string,
  userId: string,
): Promise<void> {
  const row = await lockConversation(tx, tenantId, conversationId)
  if (row?.ownerType === 'bot' && row.status === 'open')
    await assignOwner(tx, tenantId, row, { type: 'user', id: userId })
  await endBotRuns(tx, tenantId, conversationId, 'taken_over')
}

async function handleCustomerMessage(tx: Tx, event: LogEvent, botId: string): Promise<void> {
  const { tenantId } = event
  const { message, conversation } = customerMessage(event)!
  const row = await findConversation(tx, tenantId, conversation.id)
  if (row?.ownerType !== 'bot' || row.ownerId !== botId || row.status !== 'open') return
  const runs = await listBotRuns(tx, tenantId, [row.id])
  const current = runs.find(run => run.sessionId === row.sessionId)
  if (!current) await startBotRun(tx, event, { botId, sessionId: row.sessionId, message })
  else if (current.wait?.start) await bufferReply(tx, current, message)
}

async function startBotRun(
  tx: Tx,
  event: LogEvent,
  { botId, sessionId, message }: { botId: string; sessionId: string; message: Message },
): Promise<void> {
  const { tenantId, causationDepth } = event
  const active = await findActiveWorkflow(tx, tenantId, 'chatbot', botId)
  if (!active) return handBack(tx, tenantId, message.conversationId)
  const entry = await buildEntry(tx, event, active.trigger, sessionId)
  if (!entry) return
  const session = { id: sessionId, message, wakeAt: debounceUntil(tx, message) }
  const allowed = await filterByConditions(tx, tenantId, [{ active, entry, causationDepth, session }])
  const [run] = await enroll(tx, allowed)
  if (run) tx.signal(timerSet, run.wakeAt)
}

/** Hands the session of a paused or deleted bot over to agents. */
async function handBack(tx: Tx, tenantId: string, conversationId: string): Promise<void> {
  const row = await lockConversation(tx, tenantId, conversationId)
  if (row?.ownerType === 'bot') await handOff(tx, tenantId, row)
}

async function buildEntry(
  tx: Tx,
  event: LogEvent,
  trigger: TriggerConfig,
  sessionId: string,
): Promise<Entry | undefined> {
  const entry = matchTrigger('chatbot', trigger, event)
  if (!entry) return undefined
  if (trigger.type === 'conversation_started')
    return (await hasBotRun(tx, event.tenantId, entry.conversationId!, sessionId)) ? undefined : entry
  const confirm = findTriggerType(trigger.type)?.confirm
  return !confirm || (await confirm(tx, event.tenantId, trigger as never, entry)) ? entry : undefined
}
