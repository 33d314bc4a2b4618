/**
 * Notices to all processes after commit: deliveries of endpoints are due, an endpoint or the keys of its workspace have
 * changed, or a circuit was closed. Notices may be lost; the deliverer also polls.
 */
import type { Bus } from '../platform/bus/bus.ts'
import type { Tx } from '../platform/db/db.ts'
import type { EndpointKey } from './store/endpoint-state.ts'

const topic = 'webhooks.due'

export interface EndpointNotice {
  tenantId: string
  /** Undefined: all endpoints of the workspace. */
  endpointIds?: readonly string[]
  /** The endpoint or its keys must be loaded again. */
  endpointChanged?: boolean
  /** The stored circuit was closed; the owner of the lease closes its own. */
  circuitClosed?: boolean
}

export function notifyDue(tx: Tx, bus: Bus, tenantId: string, endpointIds: readonly string[]): void {
  notify(tx, bus, { tenantId, endpointIds })
}

export function notifyEndpointChanged(tx: Tx, bus: Bus, { tenantId, endpointId }: EndpointKey): void {
  notify(tx, bus, { tenantId, endpointIds: [endpointId], endpointChanged: true })
}

/** All endpoints of a workspace sign with its keys. */
export function notifyKeysChanged(tx: Tx, bus: Bus, tenantId: string): void {
  notify(tx, bus, { tenantId, endpointChanged: true })
}

export function notifyCircuitClosed(tx: Tx, bus: Bus, { tenantId, endpointId }: EndpointKey): void {
  notify(tx, bus, { tenantId, endpointIds: [endpointId], circuitClosed: true })
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
