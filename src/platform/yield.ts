/** Long work between other people's requests: it gives way every few milliseconds. */
const maxBlockMs = 2

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
