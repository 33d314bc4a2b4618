/** Long work between other people's requests: it gives way every few milliseconds. */
const mostMs = 2

/** Call it often; it waits for the others when it has been a while. */
export function pace(): () => Promise<void> | undefined {
  let since = performance.now()
  return () => {
    if (performance.now() - since < mostMs) return undefined
    return new Promise(resolve =>
      setImmediate(() => {
        since = performance.now()
        resolve()
      }),
    )
  }
}
