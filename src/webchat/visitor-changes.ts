/** Notifies the sockets of all processes that a visitor changed, such as when its site identified it or an agent blocked it. */
import type { Bus } from '../platform/bus/bus.ts'

interface VisitorChange {
  tenantId: string
  /** The id of the visitor, or the address of all sessions of a verified one. */
  address: string
}

const topic = 'webchat.visitors'

export function publishVisitorChanged(bus: Bus, change: VisitorChange): void {
  bus.publish(topic, change)
}

export function onVisitorChanged(bus: Bus, listener: (change: VisitorChange) => void): () => void {
  return bus.subscribe<VisitorChange>(topic, listener)
}
