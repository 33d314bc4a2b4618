/** How the sequencer tells every process which workspaces have news, and how it is told that the outbox has some. */
import type { Bus } from '../bus/bus.ts'
import { onEmitted } from './emitted.ts'

const advancedTopic = 'events.advanced'
const emittedTopic = 'events.emitted'

export type LatestSeqs = Record<string, number>

export function notifyAdvanced(bus: Bus, latestSeqs: LatestSeqs, consumers: readonly string[]): void {
  bus.publish(advancedTopic, { latestSeqs, consumers })
}

/** A new sequencer does not know what its predecessor had no time to announce. */
export function notifyTakeover(bus: Bus): void {
  bus.publish(advancedTopic, { latestSeqs: {}, takeover: true })
}

/**
 * `hear` gets the last sequence number of each workspace that advanced, and the subscriptions with news there, unless a
 * sequencer of an earlier version said nothing of them. `unsure` is called when announcements may have been missed: then
 * look for yourself.
 */
export function onAdvanced(
  bus: Bus,
  onMessage: (latestSeqs: LatestSeqs, consumers: readonly string[] | undefined) => void,
  onMissed: () => void,
): () => void {
  return bus.subscribe<{ latestSeqs: LatestSeqs; consumers?: string[]; takeover?: boolean }>(
    advancedTopic,
    ({ latestSeqs, consumers, takeover }) => (takeover ? onMissed() : onMessage(latestSeqs, consumers)),
    onMissed,
  )
}

/** The sequencer's wake-up from other processes. */
export function onRemoteEmit(bus: Bus, notify: () => void): () => void {
  return bus.subscribe(emittedTopic, notify, notify)
}

const relayEveryMs = 5

/**
 * Passes commits of this process on to a sequencer that is in another one, at most every few milliseconds. `needed`
 * says whether it is. For processes that run no sequencer; one that stands by does it by itself.
 */
export function relayEmitted(bus: Bus, needed: () => boolean = () => true): () => void {
  let timer: NodeJS.Timeout | undefined
  const stop = onEmitted(() => {
    if (timer || !needed()) return
    timer = setTimeout(() => {
      timer = undefined
      if (needed()) bus.publish(emittedTopic, {})
    }, relayEveryMs)
    timer.unref()
  })
  return () => {
    stop()
    clearTimeout(timer)
  }
}
