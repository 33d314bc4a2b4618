/** The work of a process in one cell: jobs, crons, the sequencer and event consumers, once the cell is adopted. */
import { background, crons, jobs, subscriptions } from '../../app.ts'
import { reregisterChanged } from '../../inboxes/accounts/webhook-registration.ts'
import { relayEmitted } from '../../platform/events/notify.ts'
import { startSequencer } from '../../platform/events/sequencer.ts'
import { startSubscriptions } from '../../platform/events/subscriptions.ts'
import { relayEnqueued } from '../../platform/jobs/notify.ts'
import { startWorkers } from '../../platform/jobs/workers.ts'
import { watchAdoption } from '../installation/adoption.ts'
import type { Cell } from './cell.ts'

export interface ServedCell {
  cell: Pick<Cell, 'name' | 'deps' | 'isUsable'>
  /** Why the process sends nothing for the cell; undefined if it does. */
  getObstacle(): string | undefined
}

export interface CellWork extends ServedCell {
  cell: Cell
  /** Starts the work now, or when the cell is adopted. Called when the cell is prepared. */
  begin(): Promise<void>
  /** Stops waiting for the adoption. */
  stopWaiting(): void
  /** Stops the work; jobs in flight have time to end. */
  stop(graceMs: number): Promise<void>
}

export interface WorkOptions {
  isWorker: boolean
  onRunEnd: (job: { name: string }, outcome: string, ms: number) => void
}

export function createCellWork(cell: Cell, { isWorker, onRunEnd }: WorkOptions): CellWork {
  const { deps } = cell
  let stopping = false
  let stop = isWorker ? async () => {} : relaySignals(cell)
  const adoption = watchAdoption(deps, async () => {
    // The public address may have changed since the last start.
    await reregisterChanged(deps)
    if (isWorker && !stopping) stop = startBackground(cell, onRunEnd)
  })
  return {
    cell,
    begin: adoption.begin,
    getObstacle: adoption.getObstacle,
    stopWaiting() {
      stopping = true
      adoption.stop()
    },
    stop: graceMs => stop(graceMs),
  }
}

type Stop = (graceMs: number) => Promise<void>

/** Notifies the workers of other processes about committed jobs and events, in a process without workers. */
function relaySignals({ deps }: Cell): Stop {
  const stops = [relayEnqueued(deps), relayEmitted(deps)]
  return async () => {
    for (const stop of stops) stop()
  }
}

function startBackground({ deps, database }: Cell, onRunEnd: WorkOptions['onRunEnd']): Stop {
  const connection = database.direct
  const sequencer = startSequencer(deps, { connection, subscriptions })
  const consumers = startSubscriptions(deps, subscriptions, { connection })
  const workers = startWorkers(deps, jobs, { crons, onRunEnd })
  const loops = background.map(start => start(deps, { connection }))
  return async graceMs => {
    await Promise.all([workers.stop(graceMs), consumers.stop(), ...loops.map(loop => loop.stop(graceMs))])
    await sequencer.stop()
  }
}
