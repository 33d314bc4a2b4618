/** Tells the processes of an installation that a workspace has moved. A lost message costs a second: see `watch.ts`. */
import type { Bus } from '../../../platform/bus/bus.ts'
import type { Deps } from '../../../platform/deps.ts'

export interface Moved {
  tenantId: string
  /** Where it lives. */
  cell: string
}

const topic = 'cells.moved'

/** To the processes that serve the source. */
export function publishMoved({ bus }: Pick<Deps, 'bus'>, moved: Moved): void {
  bus.publish(topic, moved)
}

export function onMoved(bus: Bus, act: (moved: Moved) => void): () => void {
  return bus.subscribe<Moved>(topic, act)
}
