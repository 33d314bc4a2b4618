/** Applies delivery statuses. The status of a message only rises in rank; the timeline records every update. */
import { markDegraded } from '../../inboxes/health.ts'
import type { InboxIssue } from '../../inboxes/schemas.ts'
import { count } from '../../platform/counters.ts'
import { batched } from '../../platform/db/batched.ts'
import type { Tx } from '../../platform/db/db.ts'
import { transact } from '../../platform/db/transact.ts'
import { emitMany, pendingEvent } from '../../platform/events/event.ts'
import type { Work } from '../../platform/jobs/job.ts'
import { finishAll } from '../../platform/jobs/run.ts'
import { toAudience } from '../access.ts'
import { messageUpdated } from '../events.ts'
import type { DeliveryError, Message } from '../schemas.ts'
import { type ConversationRow, conversationToApi } from '../store/conversations/conversation-rows.ts'
import { lockConversationsOfMessages, lockUnlockedMessages } from '../store/conversations/conversations.ts'
import { insertFailures, type MessageFailure } from '../store/messages/message-failures.ts'
import {
  insertTimelineEntries,
  lockMessages,
  type MessageRow,
  messageToApi,
  outranks,
  type TimelineEntry,
  updateStatuses,
} from '../store/messages/messages.ts'

export interface StatusUpdate {
  status: 'sent' | 'delivered' | 'read' | 'failed'
  error?: DeliveryError
  /** The failure concerns the whole inbox, which is degraded in the same transaction. */
  inboxIssue?: InboxIssue | undefined
  channelMessageId?: string
  /** Time reported by the provider. */
  at?: string
}

export interface MessageStatusUpdate {
  tenantId: string
  messageId: string
  update: StatusUpdate
}

/** Returns false when the message does not exist. */
export async function applyStatus(
  tx: Tx,
  tenantId: string,
  messageId: string,
  update: StatusUpdate,
): Promise<boolean> {
  const [found] = await applyStatuses(tx, [{ tenantId, messageId, update }])
  return found!
}

/**
 * Locks messages and their conversations without waiting for a conversation, and returns a function that applies updates.
 * Its result is false for a message that does not exist, or whose conversation another transaction has locked.
 */
export function prepareStatuses(
  tx: Tx,
  keys: readonly { tenantId: string; messageId: string }[],
): (updates: readonly MessageStatusUpdate[]) => Promise<boolean[]> {
  const locking = lockUnlocked(tx, keys)
  locking.catch(() => {}) // reported when an update is applied
  return async updates => applyToLocked(tx, await locking, updates)
}

/**
 * Applies updates in the order given, in two round trips; returns for each whether its message exists. The jobs of
 * existing messages are finished in the same transaction.
 */
async function applyStatuses(
  tx: Tx,
  updates: readonly (MessageStatusUpdate & { work?: Work })[],
): Promise<boolean[]> {
  return applyToLocked(tx, await lockMessagesWithConversations(tx, updates), updates)
}

async function applyToLocked(
  tx: Tx,
  { rows, conversations }: LockedMessages,
  updates: readonly (MessageStatusUpdate & { work?: Work })[],
): Promise<boolean[]> {
  const entries: (TimelineEntry & { tenantId: string; messageId: string })[] = []
  const changed = new Map<string, MessageRow>()
  const events: ReturnType<typeof buildMessageUpdated>[] = []
  const works: Work[] = []
  const risen: MessageRow[] = []
  const found = updates.map(({ tenantId, messageId, update, work }) => {
    const row = rows.get(messageId)
    if (row?.tenantId !== tenantId || row.direction === 'in') return false
    const details = update.error ? { ...update.error } : null
    entries.push({ tenantId, messageId, at: update.at ?? tx.now, type: update.status, details })
    const before = row.status
    if (applyUpdate(row, update, tx.now)) changed.set(row.id, row)
    if (row.status !== before) {
      const conversation = conversations.get(row.conversationId)!
      const changes = ['deliveryStatus', ...(row.error ? ['deliveryError'] : [])]
      events.push(buildMessageUpdated(messageToApi(row), conversation, changes))
      count(tx, 'parley_messages_total', { channel: conversation.channel, status: row.status })
      risen.push(row)
    }
    if (work) works.push(work)
    return true
  })
  // Pipelined: the statements run in order, without a round trip between them.
  await Promise.all([
    insertTimelineEntries(tx, entries),
    updateStatuses(tx, [...changed.values()]),
    emitMany(tx, events),
    insertFailures(tx, risen.filter(row => row.status === 'failed').map(toFailure)),
    finishAll(tx, works),
  ])
  await degradeInboxes(tx, updates, rows)
  return found
}

function toFailure({ tenantId, inboxId, id, error }: MessageRow): MessageFailure {
  const { code, message } = error ?? { code: 'unknown', message: '' }
  return { tenantId, inboxId, messageId: id, code, message }
}

/** Locks the inboxes last and in the order of their ids. */
async function degradeInboxes(
  tx: Tx,
  updates: readonly MessageStatusUpdate[],
  rows: ReadonlyMap<string, MessageRow>,
): Promise<void> {
  const issues = new Map<string, Parameters<typeof markDegraded>>()
  for (const { tenantId, messageId, update } of updates) {
    const inboxId = update.inboxIssue && rows.get(messageId)?.inboxId
    if (inboxId) issues.set(`${inboxId}/${update.inboxIssue}`, [tx, tenantId, inboxId, update.inboxIssue!])
  }
  for (const key of [...issues.keys()].sort()) await markDegraded(...issues.get(key)!)
}

interface LockedMessages {
  rows: Map<string, MessageRow>
  conversations: Map<string, ConversationRow>
}

/** Locks messages and their conversations; conversations first, as in all transactions that lock both. */
export async function lockMessagesWithConversations(
  tx: Tx,
  keys: readonly { tenantId: string; messageId: string }[],
): Promise<LockedMessages> {
  const [conversationRows, messageRows] = await Promise.all([
    lockConversationsOfMessages(tx, keys),
    lockMessages(tx, keys),
  ])
  const conversations = new Map(conversationRows.map(row => [row.id, row]))
  // A conversation was merged into another in between; a locked message cannot move again.
  if (messageRows.some(row => !conversations.has(row.conversationId)))
    for (const row of await lockConversationsOfMessages(tx, keys)) conversations.set(row.id, row)
  return { rows: new Map(messageRows.map(row => [row.id, row])), conversations }
}

/** The same without waiting for conversations: a message whose conversation is locked is left out. */
async function lockUnlocked(
  tx: Tx,
  keys: readonly { tenantId: string; messageId: string }[],
): Promise<LockedMessages> {
  const [messageRows, conversationRows] = await lockUnlockedMessages(tx, keys)
  const conversations = new Map(conversationRows.map(row => [row.id, row]))
  return { rows: new Map(messageRows.map(row => [row.id, row])), conversations }
}

/** Returns true when the row was changed. */
function applyUpdate(row: MessageRow, update: StatusUpdate, now: string): boolean {
  const isHigher = outranks(row.status, update.status)
  const isKnown = update.channelMessageId === undefined || row.channelMessageId !== null
  if (!isHigher && isKnown) return false
  if (isHigher) Object.assign(row, { status: update.status, error: update.error ?? null })
  if (!isKnown) row.channelMessageId = update.channelMessageId!
  row.updatedAt = now
  return true
}

function buildMessageUpdated(message: Message, conversation: ConversationRow, changes: string[]) {
  const audience = toAudience(conversation)
  return pendingEvent(messageUpdated, {
    tenantId: message.tenantId,
    data: { message, conversation: conversationToApi(conversation), changes },
    ...(audience ? { audience } : {}),
  })
}

/** Finishes `work` in the same commit, provided that the message exists. */
export const applyStatusBatched = batched<MessageStatusUpdate & { work?: Work }, boolean>(
  { batchSize: 64, concurrency: 2, ownerOf: ({ tenantId }) => tenantId },
  (db, items) => transact(db, tx => applyStatuses(tx, items)),
)

export async function emitMessageUpdated(
  tx: Tx,
  message: Message,
  conversation: ConversationRow,
  changes: string[],
): Promise<void> {
  await emitMany(tx, [buildMessageUpdated(message, conversation, changes)])
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
