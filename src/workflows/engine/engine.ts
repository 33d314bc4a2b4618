/** What moving a run on needs from outside. */
import type { Tx } from '../../platform/db/db.ts'
import type { Deps } from '../../platform/deps.ts'
import type { Effects, Json } from '../nodes/kind.ts'
import type { Run } from './run.ts'

/** Begins a journey for the run's contact. */
export type CallJourney = (
  tx: Tx,
  caller: Run,
  journeyId: string,
  data?: Record<string, Json>,
) => ReturnType<Effects['startJourney']>

export interface Engine {
  deps: Deps
  tx: Tx
  call: CallJourney
  /** In place of the real effects; a simulation writes them down as well. */
  wrap?: (effects: Effects, run: Run) => Effects
}
