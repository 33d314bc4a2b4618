/**
 * Writes the words of messages and notes for the search, in the background: accepting a message does not wait for it. The
 * backfill indexes what was stored before the search existed.
 */
import type { Tx } from '../../platform/db/db.ts'
import { transact } from '../../platform/db/transact.ts'
import { isEvent, type LogEvent } from '../../platform/events/event.ts'
import { subscription } from '../../platform/events/subscription.ts'
import { cron } from '../../platform/jobs/cron.ts'
import { messageContentReplaced, messageCreated, noteCreated, noteUpdated } from '../events.ts'
import type { Note } from '../notes/schemas.ts'
import type { Message } from '../schemas.ts'
import {
  type Backfill,
  deleteBackfill,
  type IndexedText,
  listUnindexed,
  lockBackfill,
  saveBackfill,
  saveWords,
} from '../store/messages/message-search.ts'
import { toSearchableText } from './message-text.ts'
import type { SearchedType } from './schemas.ts'
import { toVector } from './words.ts'

export const indexMessages = subscription({
  name: 'conversations.message_search',
  types: [messageCreated.type, messageContentReplaced.type, noteCreated.type, noteUpdated.type],
  from: 'end',
  batchSize: 500,
  paceMs: 200,
  apply: async (tx, events) => {
    const { tenantId } = events[0]!
    await saveWords(tx, 'message', tenantId, toLatest(events.flatMap(toMessageText)))
    await saveWords(tx, 'note', tenantId, toLatest(events.flatMap(toNoteText)))
  },
})

/** A statement cannot write a row twice. */
function toLatest(texts: readonly IndexedText[]): IndexedText[] {
  return [...new Map(texts.map(text => [text.id, text])).values()]
}

/** The events of erased contacts have no content. */
function toMessageText(event: LogEvent): IndexedText[] {
  if (!isEvent(messageCreated, event) && !isEvent(messageContentReplaced, event)) return []
  const { id, createdAt, content } = event.data.message as Partial<Message>
  if (!id || !createdAt || !content) return []
  return [{ id, at: createdAt, words: toVector(event.tenantId, createdAt, toSearchableText(content)) }]
}

function toNoteText(event: LogEvent): IndexedText[] {
  if (!isEvent(noteCreated, event) && !isEvent(noteUpdated, event)) return []
  const { id, createdAt, text } = event.data.note as Partial<Note>
  if (!id || !createdAt || text === undefined) return []
  return [{ id, at: createdAt, words: toVector(event.tenantId, createdAt, text) }]
}

const batchSize = 500

export const backfillSearch = cron({
  name: 'conversations.backfill_search',
  schedule: '*/10 * * * *',
  priority: 'bulk',
  handle: async ({ db }, _, work) => {
    while (work.holdsLease() && (await transact(db, backfillBatch)));
  },
})

/** Returns false when nothing is left. */
async function backfillBatch(tx: Tx): Promise<boolean> {
  const backfill = await lockBackfill(tx)
  if (!backfill) return false
  const messageId = await indexNext(tx, 'message', backfill.tenantId, backfill.messageId)
  const noteId = await indexNext(tx, 'note', backfill.tenantId, backfill.noteId)
  const next: Backfill = {
    tenantId: backfill.tenantId,
    messageId: messageId ?? backfill.messageId,
    noteId: noteId ?? backfill.noteId,
  }
  if (messageId || noteId) await saveBackfill(tx, next)
  else await deleteBackfill(tx, backfill.tenantId)
  return true
}

/** Indexes the rows after an id. Returns the last one; undefined when there is none. */
async function indexNext(
  tx: Tx,
  type: SearchedType,
  tenantId: string,
  after: string,
): Promise<string | undefined> {
  const rows = await listUnindexed(tx, type, tenantId, { after, limit: batchSize })
  const texts = rows.map(({ id, createdAt, content, text }) => ({
    id,
    at: createdAt,
    words: toVector(tenantId, createdAt, content ? toSearchableText(content) : (text ?? '')),
  }))
  await saveWords(tx, type, tenantId, texts, 'keep')
  return rows.at(-1)?.id
}
