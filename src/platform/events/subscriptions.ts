/** Runs the subscriptions of this process, woken by the sequencer's announcements, with a poll as the net. */
import type { Bus } from '../bus/bus.ts'
import { type ConnectionConfig, connectDb } from '../db/db.ts'
import { transact } from '../db/transact.ts'
import type { Deps } from '../deps.ts'
import { startConsumer } from './consumer.ts'
import { onAdvanced } from './notify.ts'
import { deleteConsumer } from './store/consumers.ts'
import type { Subscription } from './subscription.ts'

export interface SubscriptionsOptions {
  connection: ConnectionConfig
  /** How long news may wait whose announcement was lost. */
  pollMs?: number
  /** How long a dead process keeps a workspace from the others. */
  leaseMs?: number
}

export function startSubscriptions(
  deps: Deps & { bus: Bus },
  subscriptions: readonly Subscription[],
  { connection, pollMs = 2_000, leaseMs = 5_000 }: SubscriptionsOptions,
): { stop(): Promise<void> } {
  const control = connectDb({
    connection: controlConnection(connection),
    clock: deps.clock,
    readers: 1,
    writers: 1,
  })
  const workers = subscriptions.map(each => ({
    name: each.name,
    ...startConsumer(each, { deps, control, pollMs, leaseMs }),
  }))
  const leave = onAdvanced(
    deps.bus,
    (latestSeqs, consumers) => {
      for (const worker of workers)
        if (!consumers || consumers.includes(worker.name)) worker.wake(Object.keys(latestSeqs))
    },
    () => {
      for (const worker of workers) worker.wake()
    },
  )
  async function stop(): Promise<void> {
    leave()
    await Promise.all(workers.map(worker => worker.stop()))
    await control.close()
  }
  let stopping: Promise<void> | undefined
  return {
    stop() {
      stopping ??= stop()
      return stopping
    },
  }
}

/**
 * What a crash of the database would undo here is only who was about to do what, so nothing waits for the disk. The
 * statements have one right plan each, by index, also when the tables were small at the time of planning.
 */
function controlConnection(connection: ConnectionConfig): ConnectionConfig {
  const settings = '-c synchronous_commit=off -c enable_seqscan=off -c jit=off'
  return { ...connection, options: [connection.options, settings].filter(Boolean).join(' ') }
}

/** Ends a subscription for good: no process may run it any more. Under the same name it would be a new one. */
export function removeConsumer(deps: Deps, name: string): Promise<void> {
  return transact(deps.db, tx => deleteConsumer(tx, name))
}
