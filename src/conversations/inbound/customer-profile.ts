/**
 * Applies the name and username that a customer has at the provider, in a job of its own: inbound messages neither wait
 * for a lookup nor fail with it. A name that the workspace gave its contact stays.
 */
import { applyProfile, type CustomerProfile } from '../../contacts/identities/move-address.ts'
import { findAccount, providers } from '../../inboxes/accounts/accounts.ts'
import { ProviderCallError } from '../../inboxes/providers/http-client.ts'
import type { InboundMessage } from '../../inboxes/providers/provider.ts'
import type { Channel } from '../../platform/config.ts'
import type { Tx } from '../../platform/db/db.ts'
import { transact } from '../../platform/db/transact.ts'
import type { Deps } from '../../platform/deps.ts'
import { enqueue } from '../../platform/jobs/enqueue.ts'
import { Discard, job } from '../../platform/jobs/job.ts'
import type { ConversationRow } from '../store/conversations/conversation-rows.ts'

interface ProfilePayload extends CustomerProfile {
  inboxId: string
  channel: Channel
  externalId: string
}

export const updateProfile = job<ProfilePayload>({
  name: 'conversations.update_profile',
  priority: 'normal',
  retry: { maxAttempts: 8, initialDelayMs: 2_000, maxDelayMs: 10 * 60_000 },
  handle: async (deps, payload, work) => {
    const profile = payload.name ? payload : await lookUpProfile(deps, work.tenantId, payload)
    await transact(deps.db, tx => applyProfile(tx, work.tenantId, payload, profile))
  },
})

/** For the first message of a customer, and as long as the contact has no name. */
export async function enqueueProfile(
  tx: Tx,
  tenantId: string,
  { channel, externalId, inboxId, contactName, customerCount }: ConversationRow,
  { profileName, username }: Pick<InboundMessage, 'profileName' | 'username'>,
): Promise<void> {
  const isReported = profileName !== undefined || username !== undefined
  const isWanted = contactName === null || (customerCount === 0 && (username !== undefined || !profileName))
  if (!isWanted || (!isReported && !providers[channel].getProfile)) return
  const payload = {
    inboxId,
    channel,
    externalId,
    ...(profileName ? { name: profileName } : {}),
    ...(username ? { username } : {}),
  }
  await enqueue(tx, updateProfile, { tenantId, orderingKey: `profile/${channel}/${externalId}`, payload })
}

async function lookUpProfile(
  deps: Deps,
  tenantId: string,
  { inboxId, channel, externalId, username }: ProfilePayload,
): Promise<CustomerProfile> {
  const { getProfile } = providers[channel]
  if (!getProfile) return username ? { username } : {}
  const account = await findAccount(deps, tenantId, inboxId)
  if (!account) throw new Discard('the inbox was deleted')
  return getProfile(account, externalId).catch(error => {
    const kind = error instanceof ProviderCallError ? error.failure.kind : undefined
    throw kind === 'permanent' || kind === 'auth' ? new Discard(error.message) : error
  })
}
