/**
 * Moves the outbox into the log of each workspace, one statement at a time, and notifies consumers. Any number of
 * processes may start a sequencer; one of them leads. It keeps no state, so after any crash outbox and log agree.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import type { Bus } from '../bus/bus.ts'
import type { Clock } from '../clock.ts'
import type { ConnectionConfig, Db, Queryable } from '../db/db.ts'
import type { Logger } from '../log.ts'
import { wakeSignal } from '../wake-signal.ts'
import { runAsLeader } from './leader.ts'
import { notifyAdvanced, notifyTakeover, onEmitted, onRemoteEmit, relayEmitted } from './notify.ts'
import { outboxWatermark } from './outbox-watermark.ts'
import { maintainPartitions } from './partitions.ts'
import { registerNew } from './registration.ts'
import { configureSession, sequenceBatch } from './store/outbox.ts'
import type { Subscription } from './subscription.ts'

export interface SequencerDeps {
  db: Db
  clock: Clock
  log: Logger
  bus: Bus
}

export interface SequencerOptions {
  /** A direct connection to the server, without a pooler. */
  connection: ConnectionConfig
  /** Events per statement. */
  batchSize?: number
  /** Maximum time in the outbox for an event whose notification was lost. */
  pollMs?: number
  /** How often a process on standby tries to become leader. */
  standbyMs?: number
  retentionDays?: number
  /** Registered before the first pass, so that a new installation delivers events emitted before its workers started. */
  subscriptions?: readonly Subscription[]
}

export interface Sequencer {
  readonly leading: boolean
  stop(): Promise<void>
}

export function startSequencer(deps: SequencerDeps, options: SequencerOptions): Sequencer {
  const { db, log, bus } = deps
  const { connection, standbyMs = 1_000, pollMs = 1_000, subscriptions = [] } = options
  const signal = wakeSignal()
  let stopped = false
  let leading = false
  const unsubscribe = [
    onEmitted(db, () => leading && signal.notify()),
    onRemoteEmit(bus, () => leading && signal.notify()),
    relayEmitted(deps, () => !leading),
  ]
  const running = runAsLeader({
    name: 'sequencer',
    connection,
    log,
    signal,
    standbyMs,
    idleTimeoutMs: 3_000 + pollMs,
    stopped: () => stopped,
    async lead(on) {
      await registerNew(db, subscriptions)
      leading = true
      try {
        await sequenceAll(
          on,
          { ...deps, ...options },
          { wait: () => signal.wait(pollMs), stopped: () => stopped },
        )
      } finally {
        leading = false
      }
    },
  })
  return {
    get leading() {
      return leading
    },
    async stop() {
      stopped = true
      for (const leave of unsubscribe) leave()
      signal.notify()
      await running
    },
  }
}

/** Minimum time between passes: a pass costs the same for one event as for a dozen. */
const minPassIntervalMs = 5

interface Loop {
  wait(): Promise<void>
  stopped(): boolean
}

async function sequenceAll(
  on: Queryable,
  options: SequencerDeps & SequencerOptions,
  loop: Loop,
): Promise<void> {
  const { bus, clock, batchSize = 1_000 } = options
  const watermark = outboxWatermark()
  const days = maintainPartitions(on, options)
  await configureSession(on)
  notifyTakeover(bus)
  while (!loop.stopped()) {
    await days.check()
    const startedAt = performance.now()
    const pass = await sequenceBatch(on, {
      above: watermark.readAbove(performance.now()),
      limit: batchSize,
      clockOffsetMs: clock.offsetMs(),
    })
    const drained = pass.moved < batchSize
    watermark.update(pass, drained)
    if (pass.moved > 0) notifyAdvanced(bus, pass.latestSeqs, pass.consumers)
    if (!drained) continue
    await loop.wait()
    const restMs = startedAt + minPassIntervalMs - performance.now()
    if (restMs > 0) await sleep(restMs)
  }
}
