/**
 * Frames for realtime clients that are neither stored nor repeated after a reconnection: states of a moment, such as a
 * draft that changed. They reach the sockets of all processes over the bus, which may lose them.
 */
import type { Bus } from '../bus/bus.ts'
import type { Scope } from '../http/caller.ts'

export interface TransientFrame {
  tenantId: string
  /** Undefined: all users of the workspace. */
  userIds?: readonly string[]
  /** Agents of other teams do not receive it. */
  teamIds?: readonly string[]
  /** Callers without it do not receive the frame. */
  scope: Scope
  type: string
  data: object
}

const topic = 'realtime.frames'

export function publishFrame(bus: Bus, frame: TransientFrame): void {
  bus.publish(topic, frame)
}

export function onFrame(bus: Bus, listener: (frame: TransientFrame) => void): () => void {
  return bus.subscribe<TransientFrame>(topic, listener)
}
