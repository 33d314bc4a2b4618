import type { Queryable } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'

export interface EndpointRow {
  tenantId: string
  enabled: boolean
  url: string | null
  keys: { id: string; version: number; sealed: string; expiresAt: string | null }[]
}

/** Lists endpoints with their valid keys, newest first. */
export function listEndpoints(
  on: Queryable,
  tenantIds: readonly string[],
  now: string,
): Promise<EndpointRow[]> {
  return on.rows(sql`
    select tenant_id as "tenantId", enabled, url, coalesce((
      select json_agg(json_build_object('id', id, 'version', version, 'sealed', encode(sealed, 'base64'),
        'expiresAt', expires_at) order by version desc)
      from webhook_keys where tenant_id = settings.tenant_id and (expires_at is null or expires_at > ${now})
    ), '[]') as keys
    from webhook_settings settings where tenant_id = any (${tenantIds}::text[])`)
}
