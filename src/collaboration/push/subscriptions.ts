/** The browsers to which a user's notifications are pushed. */
import { defineCache } from '../../platform/caches.ts'
import type { Tx } from '../../platform/db/db.ts'
import type { Deps } from '../../platform/deps.ts'
import { invalid, violation } from '../../platform/errors.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { listSubscriptions, saveSubscription } from '../store/push-subscriptions.ts'
import { createPushSender, decodeBrowserKeys, type PushSender } from './encrypt.ts'
import { type NewPushSubscription, PushSubscriptionId } from './schemas.ts'

const maxPerUser = 20

/** Push services see the public URL of the installation as the contact, if it is one that they accept. */
export const getPushSender = defineCache(({ keys, config }: Pick<Deps, 'keys' | 'config'>): PushSender => {
  const { publicUrl } = config
  const contact = publicUrl.startsWith('https:') ? publicUrl : 'mailto:operator@localhost'
  return createPushSender(keys.current('web-push'), contact)
})

const toRecipient = ({ tenantId, id: userId }: Caller) => ({ tenantId, userId })

export async function viewSubscriptions(deps: Deps, caller: Caller) {
  const rows = await listSubscriptions(deps.db, toRecipient(caller))
  return {
    publicKey: getPushSender(deps).publicKey,
    subscriptions: rows.map(({ id, endpoint, sessionId, createdAt }) => ({
      id,
      service: new URL(endpoint).origin,
      isCurrentSession: sessionId !== null && sessionId === caller.sessionId,
      createdAt,
    })),
  }
}

/** Adds a browser. The same endpoint again replaces its keys. */
export async function subscribe(
  tx: Tx,
  deps: Deps,
  caller: Caller,
  { endpoint, keys }: NewPushSubscription,
): Promise<{ id: string }> {
  const checked = deps.outbound.checkUrl(endpoint)
  if (!checked.ok) invalid(violation('endpoint', checked.code, checked.message))
  const decoded =
    decodeBrowserKeys(keys.p256dh, keys.auth) ??
    invalid(violation('keys', 'invalid_key', 'must be a P-256 key of 65 bytes and a secret of 16 bytes'))
  const row = {
    id: PushSubscriptionId.create(),
    sessionId: caller.sessionId ?? null,
    endpoint,
    ...decoded,
    serverKey: getPushSender(deps).publicKey,
  }
  return { id: await saveSubscription(tx, toRecipient(caller), row, maxPerUser) }
}
