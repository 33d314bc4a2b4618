/**
 * Pushes a notification to a browser. The message has ids only; the push service cannot read it. A browser that no longer
 * accepts pushes is removed; one whose push service fails is tried again for some minutes.
 */
import { createHash } from 'node:crypto'
import type { Tx } from '../../platform/db/db.ts'
import type { Deps } from '../../platform/deps.ts'
import { enqueueMany } from '../../platform/jobs/enqueue.ts'
import { Discard, job } from '../../platform/jobs/job.ts'
import type { OutboundResponse } from '../../platform/outbound/requests.ts'
import type { Notification } from '../notifications/schemas.ts'
import { findUnreadNotification, type NotificationRow } from '../store/notifications.ts'
import {
  deleteSubscription,
  listSubscriptionIds,
  listSubscriptions,
  type SubscriptionRow,
} from '../store/push-subscriptions.ts'
import { encryptPush } from './encrypt.ts'
import { getPushSender } from './subscriptions.ts'

interface Push {
  userId: string
  subscriptionId: string
  notificationId: string
}

const maxAttempts = 5
const keptSeconds = 24 * 3_600
const limits = { timeoutMs: 15_000, connectTimeoutMs: 10_000, maxResponseBytes: 1_024 }

export const pushNotification = job<Push>({
  name: 'collaboration.push_notification',
  priority: 'normal',
  retry: { maxAttempts, initialDelayMs: 5_000 },
  handle: async (deps, { userId, subscriptionId, notificationId }, work) => {
    const recipient = { tenantId: work.tenantId, userId }
    const notification = await findUnreadNotification(deps.db, recipient, notificationId)
    const subscription = (await listSubscriptions(deps.db, recipient)).find(({ id }) => id === subscriptionId)
    if (!notification || !subscription || !work.holdsLease()) return
    const response = await push(deps, work.tenantId, subscription, notification)
    if (isGone(response)) await deleteSubscription(deps.db, recipient, subscriptionId)
    else if (isTemporary(response)) {
      const reason = response.ok ? `the push service answered ${response.status}` : response.message
      if (work.attempt >= maxAttempts) throw new Discard(reason)
      throw new Error(reason)
    }
  },
})

/** Enqueues a push to each browser of the users. */
export async function enqueuePushes(
  tx: Tx,
  tenantId: string,
  rows: readonly NotificationRow[],
): Promise<void> {
  if (rows.length === 0) return
  const subscriptions = await listSubscriptionIds(tx, tenantId, [...new Set(rows.map(row => row.userId))])
  const pushes = subscriptions.flatMap(({ userId, id: subscriptionId }) =>
    rows
      .filter(row => row.userId === userId)
      .map(row => ({ userId, subscriptionId, notificationId: row.id })),
  )
  await enqueueMany(
    tx,
    pushNotification,
    pushes.map(payload => ({ tenantId, payload })),
  )
}

async function push(
  deps: Deps,
  tenantId: string,
  { endpoint, serverKey, p256dh, auth }: SubscriptionRow,
  notification: Notification,
): Promise<OutboundResponse | 'stale'> {
  const sender = getPushSender(deps)
  if (serverKey !== sender.publicKey) return 'stale'
  const { id, type, conversationId, sourceId, count } = notification
  return deps.outbound.request({
    method: 'POST',
    url: endpoint,
    headers: {
      authorization: sender.authorize(endpoint, deps.clock.now()),
      'content-type': 'application/octet-stream',
      'content-encoding': 'aes128gcm',
      ttl: String(keptSeconds),
      urgency: 'high',
      topic: toTopic(type === 'message' ? conversationId : id),
    },
    body: encryptPush(JSON.stringify({ id, type, conversationId, sourceId, count }), { p256dh, auth }),
    group: tenantId,
    ...limits,
  })
}

/** The push service keeps only the newest message of a topic for a browser that is offline. */
const toTopic = (id: string) => createHash('sha256').update(id).digest('base64url').slice(0, 32)

const goneStatuses = [401, 403, 404, 410]

function isGone(response: OutboundResponse | 'stale'): boolean {
  return response === 'stale' || (response.ok && goneStatuses.includes(response.status))
}

function isTemporary(response: OutboundResponse | 'stale'): response is OutboundResponse {
  if (response === 'stale') return false
  return !response.ok || response.status === 429 || response.status >= 500
}
