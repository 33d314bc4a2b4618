/** Runs the subscriptions of this process, woken by the sequencer, with polling as a fallback. */
import type { Bus } from '../bus/bus.ts'
import { type ConnectionConfig, connectDb } from '../db/db.ts'
import type { Deps } from '../deps.ts'
import { startConsumer } from './consumer.ts'
import { onAdvanced } from './notify.ts'
import { shareReads } from './shared-reads.ts'
import type { Subscription } from './subscription.ts'

export interface SubscriptionsOptions {
  connection: ConnectionConfig
  /** Maximum delay of events whose notification was lost. */
  pollMs?: number
  /** How long a dead process blocks a workspace. */
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
  const readEvents = shareReads(control)
  const workers = subscriptions.map(each => ({
    name: each.name,
    ...startConsumer(each, { deps, control, readEvents, pollMs, leaseMs }),
  }))
  const leave = onAdvanced(
    deps.bus,
    (latestSeqs, consumers) => {
      for (const worker of workers) if (consumers.includes(worker.name)) worker.wake(Object.keys(latestSeqs))
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
 * Claims and releases commit asynchronously: a crash of the database may undo them, and the events are processed again.
 * The statements must use indexes even when the tables were small at planning time.
 */
function controlConnection(connection: ConnectionConfig): ConnectionConfig {
  const settings = '-c synchronous_commit=off -c enable_seqscan=off -c jit=off'
  return { ...connection, options: [connection.options, settings].filter(Boolean).join(' ') }
}
