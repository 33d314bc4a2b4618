/** Wakes the sequencer when events are emitted, and consumers when a workspace's log has advanced. */
import type { Bus } from '../bus/bus.ts'
import type { Db } from '../db/db.ts'

const advancedTopic = 'events.advanced'
/** Topic of the process's signals and of the bus: the outbox may have rows. */
export const emittedTopic = 'events.emitted'

export function onEmitted({ signals }: Pick<Db, 'signals'>, listener: () => void): () => void {
  signals.on(emittedTopic, listener)
  return () => signals.off(emittedTopic, listener)
}

/** The last sequence number of each workspace that advanced. */
export type LatestSeqs = Record<string, number>

export function notifyAdvanced(bus: Bus, latestSeqs: LatestSeqs, consumers: readonly string[]): void {
  bus.publish(advancedTopic, { latestSeqs, consumers })
}

/** Makes all consumers look: a new sequencer does not know which notifications its predecessor failed to send. */
export function notifyTakeover(bus: Bus): void {
  bus.publish(advancedTopic, { latestSeqs: {}, consumers: [], takeover: true })
}

/** `onMessage` receives the workspaces that advanced and the consumers with new events; `onMissed` after lost messages. */
export function onAdvanced(
  bus: Bus,
  onMessage: (latestSeqs: LatestSeqs, consumers: readonly string[]) => void,
  onMissed: () => void,
): () => void {
  return bus.subscribe<{ latestSeqs: LatestSeqs; consumers: string[]; takeover?: boolean }>(
    advancedTopic,
    ({ latestSeqs, consumers, takeover }) => (takeover ? onMissed() : onMessage(latestSeqs, consumers)),
    onMissed,
  )
}

/** Wakes the sequencer on commits of other processes. */
export function onRemoteEmit(bus: Bus, notify: () => void): () => void {
  return bus.subscribe(emittedTopic, notify, notify)
}

const relayIntervalMs = 5

/**
 * Publishes commits of this process to the sequencer of another one, at most every few milliseconds, while `isNeeded`. For
 * processes that run no sequencer; a sequencer on standby does it itself.
 */
export function relayEmitted(
  { db, bus }: { db: Db; bus: Bus },
  isNeeded: () => boolean = () => true,
): () => void {
  let timer: NodeJS.Timeout | undefined
  const unsubscribe = onEmitted(db, () => {
    if (timer || !isNeeded()) return
    timer = setTimeout(() => {
      timer = undefined
      if (isNeeded()) bus.publish(emittedTopic, {})
    }, relayIntervalMs)
    timer.unref()
  })
  return () => {
    unsubscribe()
    clearTimeout(timer)
  }
}
