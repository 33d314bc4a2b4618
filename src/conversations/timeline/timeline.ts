/**
 * The timeline of a conversation: messages, notes and events in one order. Notes and events keep the position of the last
 * message before them, so that their place never changes, and a page is one statement.
 */
import type { Queryable } from '../../platform/db/db.ts'
import { invalid, violation } from '../../platform/errors.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { type Page, withNextPage } from '../../platform/http/page.ts'
import { getConversation } from '../conversations.ts'
import { withReactions } from '../messages/messages.ts'
import { type EventRow, listTimeline, type TimelineRow } from '../store/timeline/timeline.ts'
import type { ConversationEvent, TimelineItem, WindowQuery } from './schemas.ts'

export { listAssigners } from '../store/timeline/timeline.ts'

export async function getTimeline(
  on: Queryable,
  caller: Caller,
  conversationId: string,
  page: Page,
  query: WindowQuery,
): Promise<{ items: TimelineItem[]; nextPageToken: string | null }> {
  const { limit, after } = page
  const read = (id: string) => listTimeline(on, caller, { ...query, limit, after, conversationId: id })
  let found = await read(conversationId)
  // Empty: there are no entries, the conversation was merged into another, is not visible, or does not exist.
  if (found.length === 0) {
    const { id } = await getConversation(on, caller, conversationId)
    if (id !== conversationId) found = await read(id)
    if (found.length === 0 && query.around) await checkAnchor(on, caller, id, query.around)
  }
  const { rows, next } = page.toPage(found, row => [row.position, row.n])
  return { items: rows.map(toItem), ...withNextPage(next) }
}

/** An entry at the end of the timeline has nothing after it; an unknown one is an error of the caller. */
async function checkAnchor(on: Queryable, caller: Caller, conversationId: string, around: string) {
  const centred = await listTimeline(on, caller, { conversationId, around, limit: 1 })
  if (centred.length === 0)
    invalid(violation('around', 'unknown_entry', 'is not the id of an entry of this conversation'))
}

function toItem({ message, note, event }: TimelineRow): TimelineItem {
  if (message) {
    const row = { ...message, ...toTimes(message) }
    return {
      type: 'message',
      id: row.id,
      at: row.createdAt,
      message: withReactions(row, message.reactions),
    }
  }
  if (note)
    return { type: 'note', id: note.id, at: toIso(note.createdAt), note: { ...note, ...toTimes(note) } }
  return { type: 'event', id: event!.id, at: toIso(event!.at), event: toEvent(event!) }
}

function toEvent({ id, type, actor, details, at }: EventRow): ConversationEvent {
  return {
    id,
    type,
    actor: toActor(actor),
    ...(details ? { details } : {}),
    at: toIso(at),
  }
}

/** Parses the actor of an event, which is stored as `type:id`. */
export function toActor(actor: string | null): ConversationEvent['actor'] {
  const [type, id] = actor?.split(':') ?? []
  return type ? { type: type as 'user', id: id! } : null
}

const toIso = (time: string) => new Date(time).toISOString()
const toTimes = (row: { createdAt: string; updatedAt: string }) => ({
  createdAt: toIso(row.createdAt),
  updatedAt: toIso(row.updatedAt),
})
