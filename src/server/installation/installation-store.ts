import type { Queryable, Tx } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'

export interface InstallationRow {
  id: string
  adoptedAt: string | null
  publicUrl: string | null
  waitingUrl: string | null
}

const columns = sql`id, adopted_at as "adoptedAt", public_url as "publicUrl", waiting_url as "waitingUrl"`

/** Identifies the database: stays the same after a failover, differs after a dump is loaded elsewhere. */
export async function getDatabaseId(on: Queryable): Promise<string> {
  const { id } = await on.one<{ id: string }>(sql`
    select 'database ' || system_identifier || '/' || (select oid from pg_database where datname = current_database()) as id
    from pg_control_system()`)
  return id
}

export async function hasInstallations(on: Queryable): Promise<boolean> {
  return (await on.maybe(sql`select from installations limit 1`)) !== undefined
}

export function findInstallation(on: Queryable, id: string): Promise<InstallationRow | undefined> {
  return on.maybe<InstallationRow>(sql`select ${columns} from installations where id = ${id}`)
}

/** The installation that has waited since the latest time. */
export function findWaiting(on: Queryable): Promise<InstallationRow | undefined> {
  return on.maybe<InstallationRow>(sql`
    select ${columns} from installations where waiting_url is not null order by waiting_since desc limit 1`)
}

export async function upsertAdopted(tx: Tx, id: string, publicUrl: string | null): Promise<void> {
  await tx.run(sql`
    insert into installations (id, adopted_at, public_url) values (${id}, ${tx.now}, ${publicUrl})
    on conflict (id) do update set adopted_at = excluded.adopted_at, public_url = excluded.public_url,
      waiting_url = null, waiting_since = null`)
}

export async function upsertWaiting(tx: Tx, id: string, publicUrl: string): Promise<void> {
  await tx.run(sql`
    insert into installations (id, waiting_url, waiting_since) values (${id}, ${publicUrl}, ${tx.now})
    on conflict (id) do update set waiting_url = excluded.waiting_url, waiting_since = excluded.waiting_since
    where installations.waiting_url is distinct from excluded.waiting_url`)
}
