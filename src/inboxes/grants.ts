/** Provider accounts that the operator granted to a workspace for use with the deployment's token. The sandbox grants all. */
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

/** Connected inboxes stay connected; no further inbox of the account can be connected. */
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
