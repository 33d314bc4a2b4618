/** How far behind things are, for those who watch the installation. Cheap: it looks only at what is waiting. */
import type { Db } from '../db/db.ts'
import { sql } from '../db/sql.ts'

export interface EventBacklog {
  /** How long the event that has waited longest has been in the outbox; 0 when none is. */
  outboxSeconds: number
  /** Workspaces with news for a subscriber, counted once for each, that nobody is dealing with. */
  feedsDue: number
  /** Those whose last attempt failed. */
  feedsFailing: number
  /** How long the one that is due longest has been waiting. */
  feedsSeconds: number
}

export async function getEventBacklog(db: Db): Promise<EventBacklog> {
  const { at, ...feeds } = await db.one<{ at: string | null } & Omit<EventBacklog, 'outboxSeconds'>>(sql`
    select (select at from outbox order by id limit 1) as at,
      count(*) filter (where due_at <= now()) as "feedsDue",
      count(*) filter (where failures > 0) as "feedsFailing",
      coalesce(greatest(0, extract(epoch from now() - min(due_at))), 0) as "feedsSeconds"
    from event_consumer_queue where due_at is not null`)
  const waited = at === null ? 0 : (db.clock.now().getTime() - Date.parse(at)) / 1_000
  return { outboxSeconds: Math.max(0, waited), ...feeds }
}
