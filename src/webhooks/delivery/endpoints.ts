/** Loads endpoints with their signing keys. Decrypted keys are cached. */
import { LRUCache } from 'lru-cache'
import { transact } from '../../platform/db/transact.ts'
import type { Deps } from '../../platform/deps.ts'
import { decryptKey, ensureKey } from '../signing-keys.ts'
import { type EndpointRow, listEndpoints } from '../store/endpoints.ts'
import type { Endpoint } from './call-endpoint.ts'
import { decodeSecret } from './sign.ts'

/** Returns the enabled endpoints of these workspaces. */
export type LoadEndpoints = (tenantIds: readonly string[]) => Promise<Map<string, Endpoint>>

export function endpointLoader(deps: Deps): LoadEndpoints {
  const { db, keys, clock, log } = deps
  const secrets = new LRUCache<string, Buffer>({ max: 20_000 })

  function getSecret({ id, sealed }: EndpointRow['keys'][number]): Buffer {
    const cached = secrets.get(id)
    if (cached) return cached
    const secret = decodeSecret(decryptKey(keys, Buffer.from(sealed, 'base64')))
    secrets.set(id, secret)
    return secret
  }

  /** Skips an endpoint whose key cannot be decrypted, so that the others are not affected. */
  function toEndpoint(row: EndpointRow): [string, Endpoint][] {
    try {
      const decrypted = row.keys.map(key => ({ ...key, secret: getSecret(key) }))
      return [[row.tenantId, { url: row.url!, keys: decrypted }]]
    } catch (error) {
      log.error({ err: error, tenantId: row.tenantId }, 'decrypting a webhook signing key failed')
      return []
    }
  }

  async function read(tenantIds: readonly string[]): Promise<EndpointRow[]> {
    const rows = await listEndpoints(db, tenantIds, clock.now().toISOString())
    return rows.filter(row => row.enabled && row.url !== null)
  }

  return async tenantIds => {
    const rows = await read(tenantIds)
    const withoutKey = rows.filter(row => row.keys.length === 0).map(row => row.tenantId)
    for (const tenantId of withoutKey) await transact(db, tx => ensureKey(tx, keys, tenantId))
    const complete = withoutKey.length > 0 ? await read(tenantIds) : rows
    return new Map(complete.flatMap(toEndpoint))
  }
}
