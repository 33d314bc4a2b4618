/**
 * Moves the outbox into the log of each workspace, one statement at a time, and announces what it moved. Any number of
 * processes may start one; one of them works. Nothing here is state: whatever dies, the outbox and the log agree.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import type { Bus } from '../bus/bus.ts'
import type { Clock } from '../clock.ts'
import type { ConnectionConfig, Queryable } from '../db/db.ts'
import type { Logger } from '../log.ts'
import { wakeSignal } from '../wake-signal.ts'
import { onEmitted } from './emitted.ts'
import { runAsLeader } from './leader.ts'
import { notifyAdvanced, notifyTakeover, onRemoteEmit, relayEmitted } from './notify.ts'
import { outboxWatermark } from './outbox-watermark.ts'
import { maintainPartitions } from './partitions.ts'
import { configureSession, sequenceBatch } from './store/outbox.ts'

export interface SequencerDeps {
  clock: Clock
  log: Logger
  bus: Bus
}

export interface SequencerOptions {
  /** A connection of its own, straight to the server: no pooler in between. */
  connection: ConnectionConfig
  /** Events per statement. */
  batchSize?: number
  /** How long an event may lie in the outbox whose wake-up was lost. */
  pollMs?: number
  /** How often a process that stands by asks whether it is its turn. */
  standbyMs?: number
  retentionDays?: number
}

export interface Sequencer {
  readonly leading: boolean
  stop(): Promise<void>
}

export function startSequencer(deps: SequencerDeps, options: SequencerOptions): Sequencer {
  const { log, bus } = deps
  const { connection, standbyMs = 1_000, pollMs = 1_000 } = options
  const bell = wakeSignal()
  let stopped = false
  let leading = false
  const unsubscribe = [
    onEmitted(() => leading && bell.notify()),
    onRemoteEmit(bus, () => leading && bell.notify()),
    relayEmitted(bus, () => !leading),
  ]
  const running = runAsLeader({
    name: 'sequencer',
    connection,
    log,
    signal: bell,
    standbyMs,
    idleTimeoutMs: 3_000 + pollMs,
    stopped: () => stopped,
    async lead(on) {
      leading = true
      try {
        await sequenceAll(
          on,
          { ...deps, ...options },
          { wait: () => bell.wait(pollMs), stopped: () => stopped },
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
      bell.notify()
      await running
    },
  }
}

/** Passes begin at least this far apart: a pass costs the same for one event as for a dozen. */
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
  const { bus, clock, batchSize: batch = 1_000 } = options
  const low = outboxWatermark()
  const days = maintainPartitions(on, options)
  await configureSession(on)
  notifyTakeover(bus)
  while (!loop.stopped()) {
    await days.check()
    const begunAt = performance.now()
    const pass = await sequenceBatch(on, {
      above: low.readAbove(performance.now()),
      limit: batch,
      clockOffsetMs: clock.offsetMs(),
    })
    const drained = pass.moved < batch
    low.update(pass, drained)
    if (pass.moved > 0) notifyAdvanced(bus, pass.latestSeqs, pass.consumers)
    if (!drained) continue
    await loop.wait()
    const restMs = begunAt + minPassIntervalMs - performance.now()
    if (restMs > 0) await sleep(restMs)
  }
}
