/** Long work between other people's requests: it gives way every few milliseconds. */
const maxBlockMs = 2

/**
 * Returns a function that runs short pieces of work for many callers. When the pieces have taken a few milliseconds, the
 * next ones wait for the event loop.
 */
export function createTurns(): <T>(work: () => T) => Promise<T> {
  let usedMs = 0
  let nextTurn: Promise<void> | undefined
  const startTurn = () =>
    new Promise<void>(resolve =>
      setImmediate(() => {
        usedMs = 0
        nextTurn = undefined
        resolve()
      }),
    )
  return async work => {
    while (usedMs > maxBlockMs) {
      nextTurn ??= startTurn()
      await nextTurn
    }
    const startedAt = performance.now()
    try {
      return work()
    } finally {
      usedMs += performance.now() - startedAt
    }
  }
}

/** Call it often; it waits for the others when it has been a while. */
export function yieldEvery(): () => Promise<void> | undefined {
  let since = performance.now()
  return () => {
    if (performance.now() - since < maxBlockMs) return undefined
    return new Promise(resolve =>
      setImmediate(() => {
        since = performance.now()
        resolve()
      }),
    )
  }
}
