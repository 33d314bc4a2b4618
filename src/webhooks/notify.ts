/**
 * Notices to all processes after commit: deliveries of a workspace are due, its endpoint or keys have changed, or its circuit
 * was closed. Notices may be lost; the deliverer also polls.
 */
import type { Bus } from '../platform/bus/bus.ts'
import type { Tx } from '../platform/db/db.ts'

const topic = 'webhooks.due'

export interface EndpointNotice {
  tenantId: string
  /** The endpoint or its keys must be loaded again. */
  endpointChanged?: boolean
  /** The stored circuit was closed; the owner of the lease closes its own. */
  circuitClosed?: boolean
}

export function notifyDue(tx: Tx, bus: Bus, tenantId: string): void {
  notify(tx, bus, { tenantId })
}

export function notifyEndpointChanged(tx: Tx, bus: Bus, tenantId: string): void {
  notify(tx, bus, { tenantId, endpointChanged: true })
}

export function notifyCircuitClosed(tx: Tx, bus: Bus, tenantId: string): void {
  notify(tx, bus, { tenantId, circuitClosed: true })
}

function notify(tx: Tx, bus: Bus, notice: EndpointNotice): void {
  tx.afterCommit(() => bus.publish(topic, notice))
}

export function subscribeToNotices(
  bus: Bus,
  onNotice: (notice: EndpointNotice) => void,
  onReconnect: () => void,
): () => void {
  return bus.subscribe<EndpointNotice>(topic, onNotice, onReconnect)
}
