/** Tells the processes of an installation that a workspace has moved. A lost message costs a second: see `watch.ts`. */
import type { Bus } from '../../../platform/bus/bus.ts'
import type { Deps } from '../../../platform/deps.ts'

export interface Moved {
  tenantId: string
  /** Where it lives. */
  cell: string
}

const topic = 'cells.moved'

/** To the bus of each cell: a process may not reach all. */
export function publishMoved(cells: readonly Pick<Deps, 'bus'>[], moved: Moved): void {
  for (const bus of new Set(cells.map(each => each.bus))) bus.publish(topic, moved)
}

export function onMoved(bus: Bus, act: (moved: Moved) => void, onGap: () => void = () => {}): () => void {
  return bus.subscribe<Moved>(topic, act, onGap)
}
