import type { Queryable } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'
import type { EndpointKey } from './endpoint-state.ts'

export interface EndpointRow extends EndpointKey {
  enabled: boolean
  url: string | null
  keys: { id: string; version: number; sealed: string; expiresAt: string | null }[]
}

/** Lists endpoints with the valid keys of their workspace, newest first. */
export function listEndpoints(
  on: Queryable,
  endpoints: readonly EndpointKey[],
  now: string,
): Promise<EndpointRow[]> {
  return on.rows(sql`
    select settings.tenant_id as "tenantId", settings.id as "endpointId", enabled, url, coalesce((
      select json_agg(json_build_object('id', id, 'version', version, 'sealed', encode(sealed, 'base64'),
        'expiresAt', expires_at) order by version desc)
      from webhook_keys where tenant_id = settings.tenant_id and (expires_at is null or expires_at > ${now})
    ), '[]') as keys
    from unnest(${endpoints.map(endpoint => endpoint.tenantId)}::text[],
      ${endpoints.map(endpoint => endpoint.endpointId)}::text[]) as wanted (tenant_id, id)
    join webhook_settings settings on settings.tenant_id = wanted.tenant_id and settings.id = wanted.id`)
}
