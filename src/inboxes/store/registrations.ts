import type { Channel } from '../../platform/config.ts'
import type { Queryable, Tx } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'

export interface RegistrationRow {
  tenantId: string
  id: string
  channel: Channel
  registration: string | null
}

/** Keyset pages in the order of the ids. */
export function listRegistrations(on: Queryable, after: string, limit: number): Promise<RegistrationRow[]> {
  return on.rows<RegistrationRow>(sql`
    select tenant_id as "tenantId", id, channel, registration from inboxes
    where id > ${after} and deleted_at is null order by id limit ${limit}`)
}

export async function updateRegistration(
  tx: Tx,
  tenantId: string,
  id: string,
  registration: string,
): Promise<void> {
  await tx.run(sql`
    update inboxes set registration = ${registration} where tenant_id = ${tenantId} and id = ${id}`)
}

/** Returns whether the webhook was ever registered with the provider. */
export async function isRegistered(db: Queryable, tenantId: string, id: string): Promise<boolean> {
  const row = await db.maybe<{ known: boolean }>(
    sql`select registration is not null as known from inboxes where tenant_id = ${tenantId} and id = ${id}`,
  )
  return row?.known ?? false
}
