/** Wakes workers immediately when jobs are enqueued: by a commit signal within the process, over the bus from others. */
import type { Deps } from '../deps.ts'

/** Topic of the process's signals and of the bus. */
export const enqueuedTopic = 'jobs.enqueued'

export interface EnqueuedHint {
  name: string
  delayMs: number
}

/** `onMissed` is called when notifications may have been lost. */
export function onEnqueued(
  { db, bus }: Deps,
  onHint: (hint: EnqueuedHint) => void,
  onMissed: () => void,
): () => void {
  db.signals.on(enqueuedTopic, onHint)
  const unsubscribe = bus.subscribe<{ jobs: EnqueuedHint[] }>(
    enqueuedTopic,
    ({ jobs }) => jobs.forEach(onHint),
    onMissed,
  )
  return () => {
    db.signals.off(enqueuedTopic, onHint)
    unsubscribe()
  }
}

const relayIntervalMs = 5

/** Publishes the hints of a process without workers to the others, at most every few milliseconds. */
export function relayEnqueued({ db, bus }: Deps): () => void {
  const hints = new Map<string, EnqueuedHint>()
  let timer: NodeJS.Timeout | undefined
  const relay = () => {
    timer = undefined
    bus.publish(enqueuedTopic, { jobs: [...hints.values()] })
    hints.clear()
  }
  const onHint = (hint: EnqueuedHint) => {
    const delayMs = Math.min(hint.delayMs, hints.get(hint.name)?.delayMs ?? Number.POSITIVE_INFINITY)
    hints.set(hint.name, { ...hint, delayMs })
    timer ??= setTimeout(relay, relayIntervalMs)
  }
  db.signals.on(enqueuedTopic, onHint)
  return () => {
    db.signals.off(enqueuedTopic, onHint)
    clearTimeout(timer)
  }
}
