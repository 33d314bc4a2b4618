/** What moving a run on needs from outside. */
import type { Tx } from '../../platform/db/db.ts'
import type { Deps } from '../../platform/deps.ts'
import type { Effects, Json } from '../nodes/node-type.ts'
import type { Run } from './run/run.ts'

/** Begins a journey for the run's contact. */
export type StartJourney = (
  tx: Tx,
  caller: Run,
  journeyId: string,
  data?: Record<string, Json>,
) => ReturnType<Effects['startJourney']>

export interface EngineContext {
  deps: Deps
  tx: Tx
  call: StartJourney
  /** In place of the real effects; a simulation writes them down as well. */
  wrap?: (effects: Effects, run: Run) => Effects
}
