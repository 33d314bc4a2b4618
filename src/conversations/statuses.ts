/** What became of messages. Status moves up by rank only; every piece of news is in the message's timeline. */
import { batching } from '../platform/db/batching.ts'
import type { Tx } from '../platform/db/db.ts'
import { transact } from '../platform/db/transact.ts'
import { emitMany, happened } from '../platform/events/event.ts'
import type { Work } from '../platform/jobs/job.ts'
import { finishAll } from '../platform/jobs/run.ts'
import { audienceOf } from './access.ts'
import { messageUpdated } from './events.ts'
import type { DeliveryError } from './schemas.ts'
import { type ConversationRow, holdOfMessages, toWire } from './store/conversations.ts'
import {
  insertTimelines,
  isNews,
  lockMessages,
  type MessageRow,
  messageToWire,
  type TimelineLine,
  updateStatuses,
} from './store/messages.ts'

export interface StatusNews {
  status: 'sent' | 'delivered' | 'read' | 'failed'
  error?: DeliveryError
  channelMessageId?: string
  /** When the provider says it was. */
  at?: string
}

export interface Told {
  tenantId: string
  messageId: string
  news: StatusNews
}

/** False when there is no such message. */
export async function applyStatus(
  tx: Tx,
  tenantId: string,
  messageId: string,
  news: StatusNews,
): Promise<boolean> {
  const [found] = await applyStatuses(tx, [{ tenantId, messageId, news }])
  return found!
}

/**
 * Many in two turns of a handful of statements, in the order given; for each, whether there is such a message. The work
 * of those that are there is finished with them.
 */
async function applyStatuses(tx: Tx, told: readonly (Told & { work?: Work })[]): Promise<boolean[]> {
  const { rows, conversations } = await holdMessages(tx, told)
  const lines: (TimelineLine & { tenantId: string; messageId: string })[] = []
  const changed = new Map<string, MessageRow>()
  const moved: ReturnType<typeof updated>[] = []
  const works: Work[] = []
  const found = told.map(({ tenantId, messageId, news, work }) => {
    const row = rows.get(messageId)
    if (row?.tenantId !== tenantId || row.direction === 'in') return false
    const details = news.error ? { ...news.error } : null
    lines.push({ tenantId, messageId, at: news.at ?? tx.now, type: news.status, details })
    const before = row.status
    if (learn(row, news, tx.now)) changed.set(row.id, row)
    if (row.status !== before) moved.push(updated(row, conversations.get(row.conversationId)!))
    if (work) works.push(work)
    return true
  })
  // In order, without waiting for one before the next leaves.
  await Promise.all([
    insertTimelines(tx, lines),
    updateStatuses(tx, [...changed.values()]),
    emitMany(tx, moved),
    finishAll(tx, works),
  ])
  return found
}

interface HeldMessages {
  rows: Map<string, MessageRow>
  conversations: Map<string, ConversationRow>
}

/** Messages and what their conversations are like; these first, as everybody who holds both does. */
export async function holdMessages(
  tx: Tx,
  keys: readonly { tenantId: string; messageId: string }[],
): Promise<HeldMessages> {
  const [held, locked] = await Promise.all([holdOfMessages(tx, keys), lockMessages(tx, keys)])
  const conversations = new Map(held.map(row => [row.id, row]))
  // Its conversation was joined into another in between: now that it is held, it stays where it is.
  if (locked.some(row => !conversations.has(row.conversationId)))
    for (const row of await holdOfMessages(tx, keys)) conversations.set(row.id, row)
  return { rows: new Map(locked.map(row => [row.id, row])), conversations }
}

/** True when the row is another now. */
function learn(row: MessageRow, news: StatusNews, now: string): boolean {
  const isUp = isNews(row.status, news.status)
  const isKnown = news.channelMessageId === undefined || row.channelMessageId !== null
  if (!isUp && isKnown) return false
  if (isUp) Object.assign(row, { status: news.status, error: news.error ?? null })
  if (!isKnown) row.channelMessageId = news.channelMessageId!
  row.updatedAt = now
  return true
}

function updated(message: MessageRow, conversation: ConversationRow) {
  const audience = audienceOf(conversation)
  return happened(messageUpdated, {
    tenantId: message.tenantId,
    data: { message: messageToWire(message), conversation: toWire(conversation) },
    ...(audience ? { audience } : {}),
  })
}

/** With the work that learned of it, if it must be done in the same commit; only where its message was there. */
export const applyStatusSoon = batching<Told & { work?: Work }, boolean>(
  { most: 64, atOnce: 2 },
  (db, items) => transact(db, tx => applyStatuses(tx, items)),
)

export async function tellUpdated(tx: Tx, message: MessageRow, conversation: ConversationRow): Promise<void> {
  await emitMany(tx, [updated(message, conversation)])
}

export async function noteTimeline(
  tx: Tx,
  tenantId: string,
  messageId: string,
  type: string,
  details: Record<string, unknown> | null,
): Promise<void> {
  await insertTimelines(tx, [{ tenantId, messageId, at: tx.now, type, details }])
}
