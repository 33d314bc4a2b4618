/** With the deployment's own token, a workspace may use only what the operator granted it. The sandbox grants all. */
import type { Channel } from '../platform/config.ts'
import type { Tx } from '../platform/db/db.ts'
import type { Deps } from '../platform/deps.ts'
import { deleteGrant, insertGrant, listGranted } from './store/credentials.ts'

export function grantProviderAccount(
  tx: Tx,
  tenantId: string,
  channel: Channel,
  resourceId: string,
): Promise<void> {
  return insertGrant(tx, tenantId, channel, resourceId)
}

/** Inboxes that are connected stay so; no further one can be. */
export async function revokeProviderAccount(
  tx: Tx,
  tenantId: string,
  channel: Channel,
  resourceId: string,
): Promise<boolean> {
  return (await deleteGrant(tx, tenantId, channel, resourceId)) > 0
}

export async function listNotGranted(
  { db, channels }: Pick<Deps, 'db' | 'channels'>,
  tenantId: string,
  channel: Channel,
  resourceIds: readonly string[],
): Promise<string[]> {
  if (channels[channel].isSandbox) return []
  const granted = await listGranted(db, tenantId, channel, resourceIds)
  return resourceIds.filter(id => !granted.has(id))
}
