import type { Queryable, Tx } from '../platform/db/db.ts'
import { sql } from '../platform/db/sql.ts'

/** Whether the database accepts writes: not a standby, nor a primary that was set to read-only. */
export async function isWritable(on: Queryable): Promise<boolean> {
  const { mode } = await on.one<{ mode: string }>(
    sql`select current_setting('transaction_read_only') as mode`,
  )
  return mode === 'off'
}

/** Serialises first starts of all processes on this database. */
export async function lockFirstStart(tx: Tx): Promise<void> {
  await tx.rows(sql`select pg_advisory_xact_lock(hashtextextended('parley first start', 0))`)
}

/** Returns the key of the oldest web chat of the installation; the demo page shows it. */
export async function findFirstWebchatKey(on: Queryable): Promise<string | undefined> {
  const [inbox] = await on.rows<{ inboxKey: string }>(
    sql`select external_id as "inboxKey" from inboxes where channel = 'webchat' order by created_at, id limit 1`,
  )
  return inbox?.inboxKey
}
