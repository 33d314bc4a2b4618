/**
 * How much bulk work may be under way at once. More than keeps everything busy only queues up, and a person's message
 * queues with it: so the window follows how long things take. While they take no longer than when there is little to do,
 * it grows; once they do, it shrinks until next to nothing waits. A provider that is slow to answer is not mistaken for
 * a queue, because it is slow with little to do, too.
 */
const [minSize, maxSize] = [8, 256]
/** What may wait beyond what is being done. */
const spare = 4
/** Looked at this often, and after as much is done as says something. */
const sampleMs = 500
const maxSampleMs = 10_000
const smoothing = 0.3
/** How long things take with little to do is found out anew every minute: by having little to do. */
const baselineTtlMs = 60_000
/** A message is sent, and soon after there are about two pieces of news of it. */
const jobsPerMessage = 3

export interface ConcurrencyLimit {
  size(): number
  /** How much was under way when somebody looked. */
  observe(underWay: number, now: number): void
  recordDispatched(messages: number): void
}

export function createConcurrencyLimit(): ConcurrencyLimit {
  let size = 2 * minSize
  let [sum, looks, messages, since, before] = [0, 0, 0, Number.NaN, 0]
  let shortest = { ms: Number.POSITIVE_INFINITY, at: Number.NEGATIVE_INFINITY }
  /** What was let in before still has to be done. */
  let isSettling = false

  function adapt(now: number, done: number): void {
    if (now - shortest.at > baselineTtlMs) {
      shortest = { ms: Number.POSITIVE_INFINITY, at: now }
      size = minSize
      isSettling = true
      return
    }
    // By Little's law: how long each takes is how many there are by how many are done.
    const ms = (sum / looks / done) * (now - since)
    if (ms < shortest.ms) shortest = { ms, at: shortest.at }
    const gradient = Math.max(0.5, Math.min(1, shortest.ms / ms))
    // While nothing waits there is no telling how much more would fit: go on in larger steps.
    const wanted = gradient > 0.9 ? size * 1.5 + spare : size * gradient + spare
    size = Math.max(minSize, Math.min(maxSize, size + smoothing * (wanted - size)))
  }

  return {
    size: () => Math.round(size),
    recordDispatched: n => {
      messages += n
    },
    observe(underWay, now) {
      if (Number.isNaN(since)) [since, before] = [now, underWay]
      sum += underWay
      looks++
      const done = messages * jobsPerMessage - (underWay - before)
      const isLong = now - since > maxSampleMs
      if (now - since < sampleMs || (done < 2 * size && !isLong)) return
      // What took so long had pauses in it: that says nothing about how long things take.
      if (isSettling) isSettling = false
      else if (!isLong && sum > 0) adapt(now, done)
      ;[sum, looks, messages, since, before] = [0, 0, 0, now, underWay]
    },
  }
}
