/** How workers learn of new jobs at once: within the process by the signal of a commit, from others over the bus. */
import type { Deps } from '../deps.ts'

/** On the process's signals and on the bus alike. */
export const enqueuedTopic = 'jobs.enqueued'

export interface EnqueuedHint {
  name: string
  delayMs: number
}

/** `unsure` is called when news may have been missed. */
export function onEnqueued(
  { db, bus }: Deps,
  hear: (news: EnqueuedHint) => void,
  unsure: () => void,
): () => void {
  db.signals.on(enqueuedTopic, hear)
  const leave = bus.subscribe<{ jobs: EnqueuedHint[] }>(
    enqueuedTopic,
    ({ jobs }) => jobs.forEach(hear),
    unsure,
  )
  return () => {
    db.signals.off(enqueuedTopic, hear)
    leave()
  }
}

const relayEveryMs = 5

/** For a process without workers: passes its news on to those that have some, at most every few milliseconds. */
export function relayEnqueued({ db, bus }: Deps): () => void {
  const news = new Map<string, EnqueuedHint>()
  let timer: NodeJS.Timeout | undefined
  const relay = () => {
    timer = undefined
    bus.publish(enqueuedTopic, { jobs: [...news.values()] })
    news.clear()
  }
  const hear = (one: EnqueuedHint) => {
    const delayMs = Math.min(one.delayMs, news.get(one.name)?.delayMs ?? Number.POSITIVE_INFINITY)
    news.set(one.name, { ...one, delayMs })
    timer ??= setTimeout(relay, relayEveryMs)
  }
  db.signals.on(enqueuedTopic, hear)
  return () => {
    db.signals.off(enqueuedTopic, hear)
    clearTimeout(timer)
  }
}
