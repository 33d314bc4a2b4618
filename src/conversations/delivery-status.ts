/** What became of messages. Status moves up by rank only; every piece of news is in the message's timeline. */
import { batched } from '../platform/db/batched.ts'
import type { Tx } from '../platform/db/db.ts'
import { transact } from '../platform/db/transact.ts'
import { emitMany, pendingEvent } from '../platform/events/event.ts'
import type { Work } from '../platform/jobs/job.ts'
import { finishAll } from '../platform/jobs/run.ts'
import { toAudience } from './access.ts'
import { messageUpdated } from './events.ts'
import type { DeliveryError } from './schemas.ts'
import {
  type ConversationRow,
  conversationToApi,
  lockConversationsOfMessages,
} from './store/conversations.ts'
import {
  insertTimelineEntries,
  lockMessages,
  type MessageRow,
  messageToApi,
  outranks,
  type TimelineEntry,
  updateStatuses,
} from './store/messages.ts'

export interface StatusUpdate {
  status: 'sent' | 'delivered' | 'read' | 'failed'
  error?: DeliveryError
  channelMessageId?: string
  /** When the provider says it was. */
  at?: string
}

export interface MessageStatusUpdate {
  tenantId: string
  messageId: string
  update: StatusUpdate
}

/** False when there is no such message. */
export async function applyStatus(
  tx: Tx,
  tenantId: string,
  messageId: string,
  news: StatusUpdate,
): Promise<boolean> {
  const [found] = await applyStatuses(tx, [{ tenantId, messageId, update: news }])
  return found!
}

/**
 * Many in two turns of a handful of statements, in the order given; for each, whether there is such a message. The work
 * of those that are there is finished with them.
 */
async function applyStatuses(
  tx: Tx,
  updates: readonly (MessageStatusUpdate & { work?: Work })[],
): Promise<boolean[]> {
  const { rows, conversations } = await lockMessagesWithConversations(tx, updates)
  const lines: (TimelineEntry & { tenantId: string; messageId: string })[] = []
  const changed = new Map<string, MessageRow>()
  const moved: ReturnType<typeof buildMessageUpdated>[] = []
  const works: Work[] = []
  const found = updates.map(({ tenantId, messageId, update: news, work }) => {
    const row = rows.get(messageId)
    if (row?.tenantId !== tenantId || row.direction === 'in') return false
    const details = news.error ? { ...news.error } : null
    lines.push({ tenantId, messageId, at: news.at ?? tx.now, type: news.status, details })
    const before = row.status
    if (applyUpdate(row, news, tx.now)) changed.set(row.id, row)
    if (row.status !== before) moved.push(buildMessageUpdated(row, conversations.get(row.conversationId)!))
    if (work) works.push(work)
    return true
  })
  // In order, without waiting for one before the next leaves.
  await Promise.all([
    insertTimelineEntries(tx, lines),
    updateStatuses(tx, [...changed.values()]),
    emitMany(tx, moved),
    finishAll(tx, works),
  ])
  return found
}

interface LockedMessages {
  rows: Map<string, MessageRow>
  conversations: Map<string, ConversationRow>
}

/** Messages and what their conversations are like; these first, as everybody who holds both does. */
export async function lockMessagesWithConversations(
  tx: Tx,
  keys: readonly { tenantId: string; messageId: string }[],
): Promise<LockedMessages> {
  const [held, locked] = await Promise.all([lockConversationsOfMessages(tx, keys), lockMessages(tx, keys)])
  const conversations = new Map(held.map(row => [row.id, row]))
  // Its conversation was joined into another in between: now that it is held, it stays where it is.
  if (locked.some(row => !conversations.has(row.conversationId)))
    for (const row of await lockConversationsOfMessages(tx, keys)) conversations.set(row.id, row)
  return { rows: new Map(locked.map(row => [row.id, row])), conversations }
}

/** True when the row is another now. */
function applyUpdate(row: MessageRow, update: StatusUpdate, now: string): boolean {
  const isUp = outranks(row.status, update.status)
  const isKnown = update.channelMessageId === undefined || row.channelMessageId !== null
  if (!isUp && isKnown) return false
  if (isUp) Object.assign(row, { status: update.status, error: update.error ?? null })
  if (!isKnown) row.channelMessageId = update.channelMessageId!
  row.updatedAt = now
  return true
}

function buildMessageUpdated(message: MessageRow, conversation: ConversationRow) {
  const audience = toAudience(conversation)
  return pendingEvent(messageUpdated, {
    tenantId: message.tenantId,
    data: { message: messageToApi(message), conversation: conversationToApi(conversation) },
    ...(audience ? { audience } : {}),
  })
}

/** With the work that learned of it, if it must be done in the same commit; only where its message was there. */
export const applyStatusBatched = batched<MessageStatusUpdate & { work?: Work }, boolean>(
  { batchSize: 64, concurrency: 2 },
  (db, items) => transact(db, tx => applyStatuses(tx, items)),
)

export async function emitMessageUpdated(
  tx: Tx,
  message: MessageRow,
  conversation: ConversationRow,
): Promise<void> {
  await emitMany(tx, [buildMessageUpdated(message, conversation)])
}

export async function addTimelineEntry(
  tx: Tx,
  tenantId: string,
  messageId: string,
  type: string,
  details: Record<string, unknown> | null,
): Promise<void> {
  await insertTimelineEntries(tx, [{ tenantId, messageId, at: tx.now, type, details }])
}
