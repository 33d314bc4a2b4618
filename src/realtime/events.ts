/** Lists public events for clients that poll, under the rules of realtime: scopes and visibility per event. */
import type { Db } from '../platform/db/db.ts'
import { fail, problemKind, ScopeMissing } from '../platform/errors.ts'
import { getPublicRange, readPublicLog } from '../platform/events/log.ts'
import type { Caller } from '../platform/http/caller.ts'
import { canConnect, canReceive, type PublicType, toPublishedData } from './frames.ts'

export const EventsNotKept = problemKind(
  410,
  'events_not_kept',
  'Events after this number are no longer kept, or the number was never assigned',
)

export interface EventQuery {
  since?: number
  limit: number
  eventTypes?: readonly PublicType[]
}

/**
 * Returns the events after `since` that the caller may receive, among the next `limit` of the workspace. `nextSince` also
 * passes over the others, so a client that continues from it never reads an event twice and misses none.
 */
export async function listEvents(db: Db, caller: Caller, { since, limit, eventTypes }: EventQuery) {
  if (!canConnect(caller))
    fail(ScopeMissing, 'the token lacks contact:read, conversation:read and inbox:read')
  const { oldest, latest } = await getPublicRange(db, caller.tenantId)
  const after = since ?? oldest - 1
  if (after < oldest - 1 || after > latest)
    fail(
      EventsNotKept,
      `the kept events are ${oldest} to ${latest}; read the current state from the lists and continue with since=${latest}`,
    )
  const rows = await readPublicLog(db, caller.tenantId, { after, limit })
  const events = rows
    .filter(event => !eventTypes || (eventTypes as readonly string[]).includes(event.type))
    .filter(event => canReceive(caller, event))
    .map(event => {
      const { id, publicSeq, type, timestamp } = event
      return { id, sequence: publicSeq, type: type as PublicType, timestamp, data: toPublishedData(event) }
    })
  const nextSince = rows.at(-1)?.publicSeq ?? after
  return { events, nextSince, latest: Math.max(latest, nextSince), hasMore: nextSince < latest }
}
