/**
 * Key-value store for provider state other than messages (numbers, subscriptions, templates, media, clocks, faults) and
 * for delivered callbacks. Values are held in memory and journalled; the journal is compacted as it grows. A callback is
 * identified by the ledger position of its entry and its index among the entry's steps.
 */
import { AppendLog } from './append-log.ts'

/** `[key, value]` sets a value (null deletes it); `{through, pending}` is the first line of a compacted journal. */
type Line =
  | [key: string, value: unknown]
  | { delivered: [position: number, step: number][] }
  | { through: number; pending: PendingSteps[] }
type PendingSteps = [position: number, steps: number[]]

/** Undelivered steps: up to position `through` those in `pending`, after it all that are not in `delivered`. */
export interface Undelivered {
  through: number
  pending: Map<number, Set<number>>
  delivered: Map<number, Set<number>>
}

const compactBytes = 4 << 20

export class Registry {
  readonly #values = new Map<string, unknown>()
  #file!: AppendLog
  #compactedSize = 0
  #compacting = false
  #getPending: () => { through: number; pending: PendingSteps[] } = () => ({ through: 0, pending: [] })
  readonly undelivered: Undelivered = { through: 0, pending: new Map(), delivered: new Map() }

  static async open(file: string): Promise<Registry> {
    const registry = new Registry()
    registry.#file = await AppendLog.open(file, record => registry.#replay(JSON.parse(record.toString())))
    return registry
  }

  get<T>(key: string): T | undefined {
    return this.#values.get(key) as T | undefined
  }

  /** Settles when the value survives a kill. */
  put(key: string, value: unknown): Promise<void> {
    this.#set(key, value)
    return this.#append([key, value ?? null])
  }

  *entries<T>(prefix: string): Generator<[key: string, value: T]> {
    for (const [key, value] of this.#values) if (key.startsWith(prefix)) yield [key, value as T]
  }

  markDelivered(steps: [position: number, step: number][]): Promise<void> {
    return this.#append({ delivered: steps })
  }

  /** Sets the source of pending steps and compacts the journal with it. */
  trackPending(getPending: () => { through: number; pending: PendingSteps[] }): Promise<void> {
    this.#getPending = getPending
    this.undelivered.pending.clear()
    this.undelivered.delivered.clear()
    return this.compact()
  }

  async close(): Promise<void> {
    await this.#file.close()
  }

  #set(key: string, value: unknown): void {
    if (value === null || value === undefined) this.#values.delete(key)
    else this.#values.set(key, value)
  }

  #append(line: Line): Promise<void> {
    const { batch } = this.#file.append(JSON.stringify(line))
    if (this.#file.size > compactBytes && this.#file.size > this.#compactedSize * 2 && !this.#compacting)
      this.compact().catch(() => {})
    return batch.written
  }

  /** Compacts the journal to one line per value and the pending steps. */
  async compact(): Promise<void> {
    this.#compacting = true
    await this.#file.replace(() => {
      const lines: Line[] = [this.#getPending(), ...this.#values.entries()]
      return lines.map(line => JSON.stringify(line))
    })
    this.#compactedSize = this.#file.size
    this.#compacting = false
  }

  #replay(line: Line): void {
    if (Array.isArray(line)) this.#set(line[0], line[1])
    else if ('delivered' in line)
      for (const [position, step] of line.delivered) add(this.undelivered.delivered, position, step)
    else {
      this.undelivered.through = line.through
      this.undelivered.pending = new Map(line.pending.map(([position, steps]) => [position, new Set(steps)]))
      this.undelivered.delivered.clear()
    }
  }
}

function add(into: Map<number, Set<number>>, position: number, step: number): void {
  const steps = into.get(position)
  if (steps) steps.add(step)
  else into.set(position, new Set([step]))
}
