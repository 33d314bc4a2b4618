import type { Queryable, Tx } from '../../platform/db/db.ts'
import { raw, sql } from '../../platform/db/sql.ts'
import type { DisableReason, EventType } from '../schemas.ts'

export interface SettingsRow {
  id: string
  enabled: boolean
  verified: boolean
  url: string | null
  eventTypes: EventType[]
  createdAt: string
  updatedAt: string
  disabledReason: DisableReason | null
}

const columns = raw(`id, enabled, verified, url, event_types as "eventTypes",
  created_at as "createdAt", updated_at as "updatedAt", disabled_reason as "disabledReason"`)

export function findSettings(on: Queryable, tenantId: string): Promise<SettingsRow | undefined> {
  return on.maybe(sql`select ${columns} from webhook_settings where tenant_id = ${tenantId}`)
}

/** Serializes changes of settings and keys, also before the first ones exist. */
export async function lockWebhooks(tx: Tx, tenantId: string): Promise<void> {
  await tx.run(sql`select from tenants where id = ${tenantId} for no key update`)
}

export type SettingsValues = Pick<SettingsRow, 'id' | 'enabled' | 'verified' | 'url' | 'eventTypes'>

export function saveSettings(tx: Tx, tenantId: string, row: SettingsValues): Promise<SettingsRow> {
  return tx.one(sql`
    insert into webhook_settings (tenant_id, id, enabled, verified, url, event_types, created_at, updated_at)
    values (${tenantId}, ${row.id}, ${row.enabled}, ${row.verified}, ${row.url}, ${row.eventTypes}, ${tx.now}, ${tx.now})
    on conflict (tenant_id) do update set enabled = excluded.enabled, verified = excluded.verified,
      url = excluded.url, event_types = excluded.event_types, updated_at = excluded.updated_at,
      disabled_reason = case when not excluded.enabled then webhook_settings.disabled_reason end
    returning ${columns}`)
}

export async function deleteSettings(tx: Tx, tenantId: string): Promise<boolean> {
  return (await tx.run(sql`delete from webhook_settings where tenant_id = ${tenantId}`)) > 0
}

/** Returns undefined if the URL has changed or is verified already. */
export function markVerified(
  tx: Tx,
  tenantId: string,
  url: string,
): Promise<Pick<SettingsRow, 'id'> | undefined> {
  return tx.maybe(sql`
    update webhook_settings set verified = true, updated_at = ${tx.now}
    where tenant_id = ${tenantId} and url = ${url} and not verified returning id`)
}

/** Returns undefined if the webhook is disabled already or has another URL. */
export function disableSettings(
  tx: Tx,
  tenantId: string,
  url: string,
  reason: DisableReason,
): Promise<Pick<SettingsRow, 'id'> | undefined> {
  return tx.maybe(sql`
    update webhook_settings set enabled = false, disabled_reason = ${reason}, updated_at = ${tx.now}
    where tenant_id = ${tenantId} and url = ${url} and enabled returning id`)
}
