/** Where deliveries go and with which keys they are signed, read anew for each batch; opened keys are remembered. */
import { LRUCache } from 'lru-cache'
import { transact } from '../../platform/db/transact.ts'
import type { Deps } from '../../platform/deps.ts'
import type { Endpoint } from '../call-endpoint.ts'
import { decodeSecret } from '../sign.ts'
import { decryptKey, ensureKey } from '../signing-keys.ts'
import { type EndpointRow, listEndpoints } from '../store/endpoints.ts'

/** Of these workspaces, those with an enabled receiver. */
export type LoadEndpoints = (tenantIds: readonly string[]) => Promise<Map<string, Endpoint>>

export function endpointLoader(deps: Deps): LoadEndpoints {
  const { db, keys, clock, log } = deps
  const secrets = new LRUCache<string, Buffer>({ max: 20_000 })

  function secretFor({ id, sealed }: EndpointRow['keys'][number]): Buffer {
    const known = secrets.get(id)
    if (known) return known
    const secret = decodeSecret(decryptKey(keys, Buffer.from(sealed, 'base64')))
    secrets.set(id, secret)
    return secret
  }

  /** One that cannot be signed for is left out, rather than holding up the others. */
  function toReceiver(row: EndpointRow): [string, Endpoint][] {
    try {
      const opened = row.keys.map(key => ({ ...key, secret: secretFor(key) }))
      return [[row.tenantId, { url: row.url!, keys: opened }]]
    } catch (error) {
      log.error({ err: error, tenantId: row.tenantId }, 'a webhook signing key could not be opened')
      return []
    }
  }

  async function read(tenantIds: readonly string[]): Promise<EndpointRow[]> {
    const rows = await listEndpoints(db, tenantIds, clock.now().toISOString())
    return rows.filter(row => row.enabled && row.url !== null)
  }

  return async tenantIds => {
    const rows = await read(tenantIds)
    const keyless = rows.filter(row => row.keys.length === 0).map(row => row.tenantId)
    for (const tenantId of keyless) await transact(db, tx => ensureKey(tx, keys, tenantId))
    const fresh = keyless.length > 0 ? await read(tenantIds) : rows
    return new Map(fresh.flatMap(toReceiver))
  }
}
