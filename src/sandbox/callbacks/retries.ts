/** When a callback that was not accepted is tried again: soon at first, then ever more rarely, as providers do. */
const second = 1000
const minute = 60 * second
const hour = 60 * minute

const retryDelaysMs = [
  100,
  200,
  400,
  800,
  1600,
  3 * second,
  5 * second,
  5 * second,
  5 * second,
  15 * second,
  30 * second,
  minute,
  5 * minute,
  15 * minute,
  hour,
  3 * hour,
]

export function getRetryDelayMs(attempt: number): number {
  return retryDelaysMs[Math.min(attempt, retryDelaysMs.length) - 1]!
}
