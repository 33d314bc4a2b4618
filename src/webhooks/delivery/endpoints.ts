/** Loads endpoints with their signing keys. Decrypted keys are cached. */
import { LRUCache } from 'lru-cache'
import { transact } from '../../platform/db/transact.ts'
import type { Deps } from '../../platform/deps.ts'
import { decryptKey, ensureKey } from '../signing-keys.ts'
import type { EndpointKey } from '../store/endpoint-state.ts'
import { type EndpointRow, listEndpoints } from '../store/endpoints.ts'
import type { Endpoint } from './call-endpoint.ts'
import { decodeSecret } from './sign.ts'

/** Returns those of these endpoints that are enabled, by their id. */
export type LoadEndpoints = (endpoints: readonly EndpointKey[]) => Promise<Map<string, Endpoint>>

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
      return [[row.endpointId, { url: row.url!, keys: decrypted }]]
    } catch (error) {
      const { tenantId, endpointId } = row
      log.error({ err: error, tenantId, endpointId }, 'decrypting a webhook signing key failed')
      return []
    }
  }

  async function read(endpoints: readonly EndpointKey[]): Promise<EndpointRow[]> {
    const rows = await listEndpoints(db, endpoints, clock.now().toISOString())
    return rows.filter(row => row.enabled && row.url !== null)
  }

  return async endpoints => {
    const rows = await read(endpoints)
    const withoutKey = [...new Set(rows.filter(row => row.keys.length === 0).map(row => row.tenantId))]
    for (const tenantId of withoutKey) await transact(db, tx => ensureKey(tx, keys, tenantId))
    const complete = withoutKey.length > 0 ? await read(endpoints) : rows
    return new Map(complete.flatMap(toEndpoint))
  }
}
