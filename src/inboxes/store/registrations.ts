import type { Channel } from '../../platform/config.ts'
import type { Queryable, Tx } from '../../platform/db/db.ts'
import { notMoving } from '../../platform/db/moving.ts'
import { sql } from '../../platform/db/sql.ts'

export interface RegistrationRow {
  tenantId: string
  id: string
  channel: Channel
  registration: string | null
}

/** Absent members select all workspaces or all inboxes. */
export interface RegistrationFilter {
  tenantId?: string
  id?: string
}

/** Keyset pages in the order of the ids. Nothing is registered for webchat. */
export function listRegistrations(
  on: Queryable,
  { tenantId = null, id = null }: { tenantId?: string | null; id?: string | null },
  after: string,
  limit: number,
): Promise<RegistrationRow[]> {
  return on.rows<RegistrationRow>(sql`
    select tenant_id as "tenantId", id, channel, registration from inboxes
    where id > ${after} and deleted_at is null and channel <> 'webchat' and (${tenantId}::text is null or tenant_id = ${tenantId})
      and (${id}::text is null or id = ${id}) and ${notMoving('inboxes.tenant_id')}
    order by id limit ${limit}`)
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

/**
 * Returns whether a provider outside this machine calls another URL. `real` lists the channels that have a real provider
 * now; a registration of another channel counts unless it is at a sandbox on this machine.
 */
export async function hasOtherUrl(
  on: Queryable,
  publicUrl: string,
  real: readonly Channel[],
): Promise<boolean> {
  const row = await on.maybe(sql`
    select from inboxes
    where deleted_at is null and registration is not null and not starts_with(registration, ${`${publicUrl}/`})
      and (channel = any(${real}::text[]) or registration !~ ' at https?://(127[.]|localhost[:/])')
    limit 1`)
  return row !== undefined
}

/** Returns the registration that the provider has confirmed, if any. */
export async function findRegistration(
  on: Queryable,
  tenantId: string,
  id: string,
): Promise<string | undefined> {
  const row = await on.maybe<{ registration: string | null }>(
    sql`select registration from inboxes where tenant_id = ${tenantId} and id = ${id}`,
  )
  return row?.registration ?? undefined
}

/** Returns whether the webhook was ever registered with the provider. */
export async function isRegistered(on: Queryable, tenantId: string, id: string): Promise<boolean> {
  return (await findRegistration(on, tenantId, id)) !== undefined
}
