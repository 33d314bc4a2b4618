/**
 * The wake-up between a commit and whoever moves the outbox on, within this process. It says only that there may be
 * something to do, so it may be shared by everything in the process.
 */
const listeners = new Set<() => void>()

export function signalEmitted(): void {
  for (const listener of listeners) listener()
}

export function onEmitted(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
