/**
 * Notices to all processes after commit: deliveries of a workspace are due, or its endpoint or keys have changed. Notices
 * may be lost; the deliverer also polls.
 */
import type { Bus } from '../platform/bus/bus.ts'
import type { Tx } from '../platform/db/db.ts'

const topic = 'webhooks.due'

export interface EndpointNotice {
  tenantId: string
  /** The endpoint or its keys must be loaded again. */
  endpointChanged: boolean
}

export function notifyDue(tx: Tx, bus: Bus, tenantId: string): void {
  tx.afterCommit(() => bus.publish(topic, { tenantId, endpointChanged: false } satisfies EndpointNotice))
}

export function notifyEndpointChanged(tx: Tx, bus: Bus, tenantId: string): void {
  tx.afterCommit(() => bus.publish(topic, { tenantId, endpointChanged: true } satisfies EndpointNotice))
}

export function subscribeToNotices(
  bus: Bus,
  onNotice: (notice: EndpointNotice) => void,
  onReconnect: () => void,
): () => void {
  return bus.subscribe<EndpointNotice>(topic, onNotice, onReconnect)
}
