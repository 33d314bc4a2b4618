/**
 * How those who deliver learn that a workspace has something due, or that its receiver or keys are others now: a hint,
 * after the commit, to every process.
 */
import type { Bus } from '../platform/bus/bus.ts'
import type { Tx } from '../platform/db/db.ts'

const topic = 'webhooks.due'

export interface Due {
  tenantId: string
  /** The receiver has to be read anew. */
  changed: boolean
}

export function announceDue(tx: Tx, bus: Bus, tenantId: string): void {
  tx.afterCommit(() => bus.publish(topic, { tenantId, changed: false } satisfies Due))
}

export function announceChange(tx: Tx, bus: Bus, tenantId: string): void {
  tx.afterCommit(() => bus.publish(topic, { tenantId, changed: true } satisfies Due))
}

export function onDue(bus: Bus, hear: (due: Due) => void, unsure: () => void): () => void {
  return bus.subscribe<Due>(topic, hear, unsure)
}
