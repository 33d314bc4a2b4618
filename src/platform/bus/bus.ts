/**
 * Small messages to all processes. Lossy: a message is a hint to look at the database, never the only copy of anything.
 * Subscribers are notified when messages may have been lost, and then read the database again.
 */
export interface Bus {
  /** Delivers to listeners of this process immediately, to other processes asynchronously. Never throws, never waits. */
  publish(topic: string, message: object): void
  /** `onMissed` is called when messages of others may have been lost: after a reconnection, here or at a sender. */
  subscribe<M extends object>(
    topic: string,
    onMessage: (message: M) => void,
    onMissed?: () => void,
  ): () => void
  close(): Promise<void>
}

export type BusErrorHandler = (error: unknown) => void

interface Listener {
  onMessage: (message: never) => void
  onMissed: (() => void) | undefined
}

export interface FanOut {
  deliver(topic: string, message: object): void
  notifyMissed(): void
  add(topic: string, listener: Listener): () => void
  clear(): void
}

/** The listeners of this process. A listener that throws affects neither the others nor the publisher. */
export function fanOut(onError: BusErrorHandler): FanOut {
  const topics = new Map<string, Set<Listener>>()
  const guarded = (fn: () => void) => {
    try {
      fn()
    } catch (error) {
      onError(error)
    }
  }
  return {
    deliver(topic, message) {
      for (const listener of [...(topics.get(topic) ?? [])])
        guarded(() => listener.onMessage(message as never))
    },
    notifyMissed() {
      for (const listeners of topics.values()) {
        for (const listener of [...listeners]) guarded(() => listener.onMissed?.())
      }
    },
    add(topic, listener) {
      const listeners = topics.get(topic) ?? new Set()
      topics.set(topic, listeners.add(listener))
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0 && topics.get(topic) === listeners) topics.delete(topic)
      }
    },
    clear: () => topics.clear(),
  }
}

/** For a service with one process. */
export function inProcessBus(onError: BusErrorHandler = () => {}): Bus {
  const local = fanOut(onError)
  return {
    publish: (topic, message) => local.deliver(topic, message),
    subscribe: (topic, onMessage, onMissed) => local.add(topic, { onMessage, onMissed }),
    close: async () => local.clear(),
  }
}
