// Slots and idle connections. A lane is one origin of one group of callers. At most `perLane` calls of a lane and
// `total` calls of all lanes run concurrently, so that a hanging endpoint fills only its own lane. Waiting lanes are
// served in turn. Idle connections are kept for the next call of their lane and count in the total; the least recently
// used one is closed to make room. A lane exists only while it is in use.
import type { Connection } from './connection.ts'

interface Lane {
  key: string
  active: number
  idle: Set<Connection>
  waiting: Set<() => void>
}

/** The right to run one call. Release it exactly once, with the connection if it can be reused. */
export interface Slot {
  /** Returns an idle connection of the lane, the most recently used first. */
  reuse(): Connection | undefined
  release(connection?: Connection): void
}

export interface PoolLimits {
  perLane: number
  total: number
}

export class Pool {
  #limits: PoolLimits
  #lanes = new Map<string, Lane>()
  #ready = new Set<Lane>() // lanes with waiting callers that only the total limit blocks
  #idle = new Map<Connection, Lane>()
  #active = 0
  #keeping = true

  constructor(limits: PoolLimits) {
    this.#limits = limits
  }

  async acquire(key: string, signal: AbortSignal): Promise<Slot> {
    signal.throwIfAborted()
    const lane = this.#lanes.get(key) ?? { key, active: 0, idle: new Set(), waiting: new Set() }
    this.#lanes.set(key, lane)
    const free = lane.active < this.#limits.perLane && this.#active < this.#limits.total
    return free && lane.waiting.size === 0 ? this.#start(lane) : this.#wait(lane, signal)
  }

  /** Closes idle connections and stops keeping any. */
  close(): void {
    this.#keeping = false
    for (const connection of this.#idle.keys()) connection.destroy()
  }

  counts() {
    const waiting = [...this.#lanes.values()].reduce((sum, lane) => sum + lane.waiting.size, 0)
    return { lanes: this.#lanes.size, active: this.#active, idle: this.#idle.size, waiting }
  }

  #start(lane: Lane): Slot {
    lane.active += 1
    this.#active += 1
    return {
      reuse: () => this.#reuse(lane),
      release: connection => this.#release(lane, connection),
    }
  }

  #wait(lane: Lane, signal: AbortSignal): Promise<Slot> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        lane.waiting.delete(grant)
        signal.removeEventListener('abort', onAbort)
      }
      const grant = () => {
        leave()
        resolve(this.#start(lane))
      }
      const onAbort = () => {
        leave()
        this.#settle(lane)
        reject(signal.reason)
      }
      signal.addEventListener('abort', onAbort)
      lane.waiting.add(grant)
      this.#settle(lane)
    })
  }

  #release(lane: Lane, connection?: Connection) {
    lane.active -= 1
    this.#active -= 1
    if (connection) this.#keep(lane, connection)
    this.#settle(lane)
    this.#grantNext()
  }

  #grantNext() {
    const [lane] = this.#ready
    if (!lane || this.#active >= this.#limits.total) return
    this.#ready.delete(lane)
    const [grant] = lane.waiting
    grant?.()
    this.#settle(lane)
  }

  // Adding a lane again puts it behind the others.
  #settle(lane: Lane) {
    if (lane.waiting.size > 0 && lane.active < this.#limits.perLane) this.#ready.add(lane)
    else this.#ready.delete(lane)
    if (lane.active + lane.idle.size + lane.waiting.size === 0) this.#lanes.delete(lane.key)
  }

  #keep(lane: Lane, connection: Connection) {
    if (!this.#keeping || !connection.isAlive()) return connection.destroy()
    lane.idle.add(connection)
    this.#idle.set(connection, lane)
    connection.onClosed(() => this.#forget(connection))
    this.#makeRoom()
  }

  #reuse(lane: Lane): Connection | undefined {
    for (const connection of [...lane.idle].reverse()) {
      this.#forget(connection)
      if (connection.isAlive()) return connection
      connection.destroy()
    }
    this.#makeRoom()
    return undefined
  }

  #forget(connection: Connection) {
    const lane = this.#idle.get(connection)
    if (!lane) return
    this.#idle.delete(connection)
    lane.idle.delete(connection)
    this.#settle(lane)
  }

  #makeRoom() {
    for (const connection of this.#idle.keys()) {
      if (this.#active + this.#idle.size <= this.#limits.total) return
      this.#forget(connection)
      connection.destroy()
    }
  }
}
