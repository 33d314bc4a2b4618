/**
 * Small messages to every process. Lossy by nature: a message is a hint to look at the database, never the only copy
 * of anything. Whoever listens also learns when messages may have been missed, and then reads anew.
 */
export interface Bus {
  /** Heard at once by listeners of this process, soon by those of others. Never throws, never waits. */
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

/** The listeners of this process. One that throws harms neither the others nor the publisher. */
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

/** For a service that is one process. */
export function inProcessBus(onError: BusErrorHandler = () => {}): Bus {
  const local = fanOut(onError)
  return {
    publish: (topic, message) => local.deliver(topic, message),
    subscribe: (topic, hear, onMissed) => local.add(topic, { onMessage: hear, onMissed }),
    close: async () => local.clear(),
  }
}
