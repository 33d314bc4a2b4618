/** Provider accounts that the operator granted to a workspace for use with the deployment's token. The sandbox grants all. */
import type { Channel } from '../platform/config.ts'
import type { Deps } from '../platform/deps.ts'
import { listGranted } from './store/credentials.ts'

/** After a revocation, connected inboxes stay connected; no further inbox of the account can be connected. */
export {
  deleteGrant as revokeProviderAccount,
  insertGrant as grantProviderAccount,
} from './store/credentials.ts'

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
