/**
 * Chatbot runs in conversations. The customer's message in a session assigned to a bot starts a run of the first bot whose
 * trigger matches, after the burst of messages has ended. If none matches, the fallback of a bot replies, or the session is
 * released to agents. A run ends when the session ends or is assigned to another owner.
 */

import {
  assignOwner,
  type ConversationRow,
  findConversation,
  lockConversation,
} from '../../../conversations/conversations.ts'
import { listAssignedBots } from '../../../conversations/opening/bot-assignment.ts'
import type { Conversation, Message } from '../../../conversations/schemas.ts'
import { findInbox } from '../../../inboxes/inboxes.ts'
import { setActor } from '../../../platform/db/actor.ts'
import type { Tx } from '../../../platform/db/db.ts'
import type { LogEvent } from '../../../platform/events/event.ts'
import { getPlan, hasFallback } from '../../definition/plan.ts'
import { timerSet } from '../../events.ts'
import { type ActiveWorkflow, findActiveWorkflow, listActiveChatbots } from '../../store/active-workflows.ts'
import { hasBotRun, listBotRuns, lockRun } from '../../store/runs/runs.ts'
import { conversationEntry, customerMessage, getText } from '../../triggers/event-data.ts'
import { findTriggerType, matchTrigger } from '../../triggers/registry.ts'
import type { Entry, TriggerConfig } from '../../triggers/trigger-type.ts'
import { handOff } from '../effects/conversation.ts'
import { filterByPublisher } from '../publisher/publishers.ts'
import { endRun } from '../run/resume.ts'
import { fallbackEvent, isInProgress } from '../run/run.ts'
import { bufferReply, debounceUntil } from '../waits/reply-buffer.ts'
import { type Enrollment, enroll, filterByConditions } from './enroll.ts'

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
  await setActor(tx, { type: 'user', id: userId })
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
  if (current) {
    if (current.wait?.start) await bufferReply(tx, current, message)
    return
  }
  for (const enrollment of await listEnrollments(tx, event, row))
    if (await startBotRun(tx, row, enrollment)) return
  await releaseSession(tx, tenantId, row.id)
}

/** Returns the enrollments to try, in the order of the bots; the fallbacks of the bots come last. */
async function listEnrollments(tx: Tx, event: LogEvent, row: ConversationRow): Promise<Enrollment[]> {
  const { tenantId, causationDepth } = event
  const { message } = customerMessage(event)!
  const session = { id: row.sessionId, message, wakeAt: debounceUntil(tx, message) }
  const matching: Enrollment[] = []
  const fallbacks: Enrollment[] = []
  for (const active of await listBots(tx, tenantId, row)) {
    const entry = await buildEntry(tx, event, active.trigger, row.sessionId)
    if (entry) matching.push({ active, entry, causationDepth, session })
    if (hasFallback(await getPlan(tx, tenantId, active.versionId)))
      fallbacks.push({ active, entry: buildFallbackEntry(event), causationDepth, session })
  }
  return [
    ...(await filterByConditions(tx, tenantId, matching)),
    ...(await filterByPublisher(tx, tenantId, fallbacks)),
  ]
}

/** Lists the bots of the session's team and those for all teams. None if the session's bot was paused or deleted. */
async function listBots(tx: Tx, tenantId: string, row: ConversationRow): Promise<ActiveWorkflow[]> {
  const owner = await findActiveWorkflow(tx, tenantId, 'chatbot', row.ownerId!)
  if (!owner) return []
  const inbox = await findInbox(tx, tenantId, row.inboxId)
  const ids = await listAssignedBots(tx, tenantId, inbox?.teamId ?? null)
  // A bot whose teams were changed keeps its sessions.
  return listActiveChatbots(tx, tenantId, ids.includes(row.ownerId!) ? ids : [row.ownerId!, ...ids])
}

/** Returns false if the entry mode does not allow the run. */
async function startBotRun(tx: Tx, row: ConversationRow, enrollment: Enrollment): Promise<boolean> {
  const { tenantId, workflowId } = enrollment.active
  const [run] = await enroll(tx, [enrollment])
  if (!run) return false
  tx.signal(timerSet, run.wakeAt)
  if (row.ownerId !== workflowId) {
    const locked = await lockConversation(tx, tenantId, row.id)
    await setActor(tx, undefined)
    if (locked) await assignOwner(tx, tenantId, locked, { type: 'bot', id: workflowId })
  }
  return true
}

/** Releases the session of a bot to agents, for whom its messages are unread. */
async function releaseSession(tx: Tx, tenantId: string, conversationId: string): Promise<void> {
  const row = await lockConversation(tx, tenantId, conversationId)
  await setActor(tx, undefined)
  if (row?.ownerType === 'bot') await handOff(tx, tenantId, row)
}

/** The entry of a chatbot whose trigger does not match the customer's message. */
export function buildFallbackEntry(event: LogEvent): Entry {
  const { message } = customerMessage(event)!
  const entry = conversationEntry(event, { text: getText(message.content), messageId: message.id })
  return { ...entry, event: { ...entry.event, name: fallbackEvent } }
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
