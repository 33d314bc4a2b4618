/**
 * How those who deliver learn that a workspace has something due, or that its receiver or keys are others now: a hint,
 * after the commit, to every process.
 */
import type { Bus } from '../platform/bus/bus.ts'
import type { Tx } from '../platform/db/db.ts'

const topic = 'webhooks.due'

export interface EndpointNotice {
  tenantId: string
  /** The receiver has to be read anew. */
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
  hear: (due: EndpointNotice) => void,
  unsure: () => void,
): () => void {
  return bus.subscribe<EndpointNotice>(topic, hear, unsure)
}
