/**
 * Adaptive concurrency limit for bulk messages. The limit follows the latency of jobs: it grows while latency stays at
 * the baseline measured under low load, and shrinks when latency rises, i.e. when jobs queue. A slow provider is not
 * mistaken for a queue, because it is slow under low load too.
 */
const [minSize, maxSize] = [8, 256]
/** Jobs that may queue beyond the measured capacity. */
const spare = 4
/** Minimum length of a sample; a sample also needs enough completed jobs. */
const sampleMs = 500
const maxSampleMs = 10_000
const smoothing = 0.3
/** The baseline is measured again every minute, by lowering the limit. */
const baselineTtlMs = 60_000
/** One send and about two status events per message. */
const jobsPerMessage = 3

export interface ConcurrencyLimit {
  size(): number
  /** Records the number of jobs in flight. */
  observe(underWay: number, now: number): void
  recordDispatched(messages: number): void
}

export function createConcurrencyLimit(): ConcurrencyLimit {
  let size = 2 * minSize
  let [sum, looks, messages, since, before] = [0, 0, 0, Number.NaN, 0]
  let shortest = { ms: Number.POSITIVE_INFINITY, at: Number.NEGATIVE_INFINITY }
  /** Jobs admitted under the previous limit are still in flight. */
  let isSettling = false

  function adapt(now: number, done: number): void {
    if (now - shortest.at > baselineTtlMs) {
      shortest = { ms: Number.POSITIVE_INFINITY, at: now }
      size = minSize
      isSettling = true
      return
    }
    // Little's law: latency = jobs in flight / throughput.
    const ms = (sum / looks / done) * (now - since)
    if (ms < shortest.ms) shortest = { ms, at: shortest.at }
    const gradient = Math.max(0.5, Math.min(1, shortest.ms / ms))
    // Without queueing the capacity is unknown: grow in larger steps.
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
      // A long sample contains pauses and is not representative.
      if (isSettling) isSettling = false
      else if (!isLong && sum > 0) adapt(now, done)
      ;[sum, looks, messages, since, before] = [0, 0, 0, now, underWay]
    },
  }
}
