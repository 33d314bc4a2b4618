/** Webhook endpoints of a workspace. One of them may be the first: the settings object of the contract. */
import type { Queryable, Tx } from '../../platform/db/db.ts'
import { raw, sql } from '../../platform/db/sql.ts'
import type { DisableReason, EventType } from '../schemas.ts'

export interface SettingsRow {
  id: string
  isFirst: boolean
  description: string | null
  enabled: boolean
  verified: boolean
  url: string | null
  eventTypes: EventType[]
  createdAt: string
  updatedAt: string
  disabledReason: DisableReason | null
}

const columns =
  raw(`id, is_first as "isFirst", description, enabled, verified, url, event_types as "eventTypes",
  created_at as "createdAt", updated_at as "updatedAt", disabled_reason as "disabledReason"`)

export function findFirst(on: Queryable, tenantId: string): Promise<SettingsRow | undefined> {
  return on.maybe(sql`select ${columns} from webhook_settings where tenant_id = ${tenantId} and is_first`)
}

export function findSettings(on: Queryable, tenantId: string, id: string): Promise<SettingsRow | undefined> {
  return on.maybe(sql`select ${columns} from webhook_settings where tenant_id = ${tenantId} and id = ${id}`)
}

/** Lists all endpoints, the first one first, then by age. */
export function listSettings(on: Queryable, tenantId: string): Promise<SettingsRow[]> {
  return on.rows(
    sql`select ${columns} from webhook_settings where tenant_id = ${tenantId} order by is_first desc, id`,
  )
}

/** Serializes changes of endpoints and keys, also before the first ones exist. */
export async function lockWebhooks(tx: Tx, tenantId: string): Promise<void> {
  await tx.run(sql`select from tenants where id = ${tenantId} for no key update`)
}

export type SettingsValues = Omit<SettingsRow, 'createdAt' | 'updatedAt' | 'disabledReason'>

export function saveSettings(tx: Tx, tenantId: string, row: SettingsValues): Promise<SettingsRow> {
  return tx.one(sql`
    insert into webhook_settings (tenant_id, id, is_first, description, enabled, verified, url, event_types, created_at,
      updated_at)
    values (${tenantId}, ${row.id}, ${row.isFirst}, ${row.description}, ${row.enabled}, ${row.verified}, ${row.url},
      ${row.eventTypes}, ${tx.now}, ${tx.now})
    on conflict (tenant_id, id) do update set description = excluded.description, enabled = excluded.enabled,
      verified = excluded.verified, url = excluded.url, event_types = excluded.event_types,
      updated_at = excluded.updated_at,
      disabled_reason = case when not excluded.enabled then webhook_settings.disabled_reason end
    returning ${columns}`)
}

export async function deleteSettings(tx: Tx, tenantId: string, id: string): Promise<void> {
  await tx.run(sql`delete from webhook_settings where tenant_id = ${tenantId} and id = ${id}`)
}

/** Returns false if the URL has changed or is verified already. */
export async function markVerified(tx: Tx, tenantId: string, id: string, url: string): Promise<boolean> {
  const marked = await tx.run(sql`
    update webhook_settings set verified = true, updated_at = ${tx.now}
    where tenant_id = ${tenantId} and id = ${id} and url = ${url} and not verified`)
  return marked > 0
}

export interface EndpointUrl {
  tenantId: string
  endpointId: string
  url: string
}

/** Returns false if the endpoint is disabled already or has another URL. */
export async function disableSettings(
  tx: Tx,
  { tenantId, endpointId, url }: EndpointUrl,
  reason: DisableReason,
): Promise<boolean> {
  const disabled = await tx.run(sql`
    update webhook_settings set enabled = false, disabled_reason = ${reason}, updated_at = ${tx.now}
    where tenant_id = ${tenantId} and id = ${endpointId} and url = ${url} and enabled`)
  return disabled > 0
}
