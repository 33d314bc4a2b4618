/**
 * Chatbots in conversations. A bot begins with what the customer writes in a session that is its own, lets them finish
 * first, and falls silent for good when the session ends or goes to somebody else.
 */
import { assignOwner, findConversation, lockConversation } from '../../../conversations/conversations.ts'
import type { Conversation, Message } from '../../../conversations/schemas.ts'
import type { Tx } from '../../../platform/db/db.ts'
import type { LogEvent } from '../../../platform/events/event.ts'
import { findActiveWorkflow } from '../../store/active-workflows.ts'
import { hasBotRun, listBotRuns, lockRun } from '../../store/runs.ts'
import { isOnInbox } from '../../triggers/conversation-started.ts'
import { conversationEntry, customerMessage, getText } from '../../triggers/event-data.ts'
import { findTriggerType } from '../../triggers/registry.ts'
import type { Entry, TriggerConfig } from '../../triggers/trigger-type.ts'
import { handOff } from '../effects/conversation.ts'
import { endRun } from '../run/resume.ts'
import { isInProgress, type Run } from '../run/run.ts'
import { timerSet } from '../signals.ts'
import { bufferReply, debounceUntil } from '../waits/reply-buffer.ts'
import { enroll, filterByConditions } from './enroll.ts'

/** Everything that a bot may have to do about an event of the log. */
export async function handleConversationEvent(tx: Tx, event: LogEvent): Promise<void> {
  const { conversation, message } = event.data as { conversation?: Conversation; message?: Message }
  if (!conversation) return
  if (event.type === 'conversation.closed')
    return endBotRuns(tx, event.tenantId, conversation.id, 'session_ended')
  if (event.type === 'conversation.updated' && conversation.activeOwner?.type !== 'bot')
    return endBotRuns(tx, event.tenantId, conversation.id, 'taken_over')
  if (event.type !== 'message.created' || conversation.activeOwner?.type !== 'bot') return
  if (message!.senderType === 'user')
    return assignToSender(tx, event.tenantId, conversation.id, message!.senderId)
  if (customerMessage(event)) await handleCustomerMessage(tx, event, conversation.activeOwner.id)
}

async function endBotRuns(tx: Tx, tenantId: string, conversationId: string, reason: string): Promise<void> {
  const runs = await listBotRuns(tx, tenantId, [conversationId])
  if (runs.length === 0) return
  // By now it may be open again, or with another bot: then these runs are of the past all the same.
  const row = await findConversation(tx, tenantId, conversationId)
  for (const { id } of runs) {
    const run = await lockRun(tx, tenantId, id)
    if (!run || !isInProgress(run)) continue
    const goesOn = row?.status === 'open' && row.sessionId === run.sessionId && row.ownerId === run.workflowId
    if (!goesOn) await endRun(tx, run, 'completed', reason)
  }
}

/** A person's reply takes the session from the bot. */
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
  const live = (await listBotRuns(tx, tenantId, [row.id])).find(run => run.sessionId === row.sessionId)
  if (live) return live.wait?.start ? void (await bufferReply(tx, live, message)) : undefined
  await startBotRun(tx, event, { botId, sessionId: row.sessionId, message })
}

async function startBotRun(
  tx: Tx,
  event: LogEvent,
  { botId, sessionId, message }: { botId: string; sessionId: string; message: Message },
): Promise<Run | undefined> {
  const { tenantId, causationDepth } = event
  const active = await findActiveWorkflow(tx, tenantId, 'chatbot', botId)
  if (!active) return handBack(tx, tenantId, message.conversationId)
  const entry = await buildEntry(tx, event, active.trigger, sessionId)
  if (!entry) return undefined
  const session = { id: sessionId, heard: message, wakeAt: debounceUntil(tx, message) }
  const allowed = await filterByConditions(tx, tenantId, [{ active, entry, causationDepth, session }])
  const [run] = await enroll(tx, allowed)
  if (run) tx.signal(timerSet, run.wakeAt)
  return run
}

/** A bot that was paused or deleted since it got the session will not answer: people have it from now on. */
async function handBack(tx: Tx, tenantId: string, conversationId: string): Promise<undefined> {
  const row = await lockConversation(tx, tenantId, conversationId)
  if (row?.ownerType === 'bot') await handOff(tx, tenantId, row)
}

async function buildEntry(
  tx: Tx,
  event: LogEvent,
  trigger: TriggerConfig,
  sessionId: string,
): Promise<Entry | undefined> {
  const kind = findTriggerType(trigger.type)
  if (trigger.type !== 'conversation_started') {
    const entry = kind?.match?.(trigger as never, event)
    const confirmed = entry && ((await kind?.confirm?.(tx, event.tenantId, trigger as never, entry)) ?? true)
    return confirmed ? entry : undefined
  }
  const { message, conversation } = customerMessage(event)!
  if (!isOnInbox(event, trigger.inboxIds as string[] | undefined)) return undefined
  if (await hasBotRun(tx, event.tenantId, conversation.id, sessionId)) return undefined
  return conversationEntry(event, { text: getText(message.content), messageId: message.id })
}
