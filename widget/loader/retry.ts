const firstDelayMs = 10_000

/**
 * Runs the task now, again after ever longer times, and whenever the browser comes online, until it is done. The number of
 * runs of a task that never succeeds hardly grows with the time.
 */
export function retryUntil(isDone: () => unknown, task: () => void, signal: AbortSignal): void {
  let delay = firstDelayMs
  let timer: ReturnType<typeof setTimeout>
  const run = () => {
    clearTimeout(timer)
    if (signal.aborted || isDone()) return
    timer = setTimeout(run, delay)
    delay *= 2
    task()
  }
  addEventListener('online', run, { signal })
  signal.addEventListener('abort', () => clearTimeout(timer))
  run()
}
