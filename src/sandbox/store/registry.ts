/**
 * What the providers remember besides messages: numbers, subscriptions, templates, media, clocks, faults, and which
 * callbacks have been delivered. Values live in memory and in a journal that is rewritten when most of it is history.
 * A callback is named by the ledger position of its message and its index among the message's steps.
 */
import { AppendLog } from './append-log.ts'

/** `[key, value]` sets a value (null removes it), `{done}` marks callbacks, `{through, left}` opens a rewritten journal. */
type Line =
  | [key: string, value: unknown]
  | { done: [n: number, step: number][] }
  | { through: number; left: PendingSteps[] }
type PendingSteps = [n: number, steps: number[]]

/** What is still to be delivered: of messages up to `through` the listed steps, of later ones all but the done. */
export interface Undelivered {
  through: number
  pending: Map<number, Set<number>>
  delivered: Map<number, Set<number>>
}

const rewriteBytes = 4 << 20

export class Registry {
  readonly #values = new Map<string, unknown>()
  #file!: AppendLog
  #rewritten = 0
  #rewriting = false
  #whatIsLeft: () => { through: number; left: PendingSteps[] } = () => ({ through: 0, left: [] })
  readonly undelivered: Undelivered = { through: 0, pending: new Map(), delivered: new Map() }

  static async open(file: string): Promise<Registry> {
    const registry = new Registry()
    registry.#file = await AppendLog.open(file, record => registry.#replay(JSON.parse(record.toString())))
    return registry
  }

  get<T>(key: string): T | undefined {
    return this.#values.get(key) as T | undefined
  }

  /** The promise settles when the value would survive a crash. */
  put(key: string, value: unknown): Promise<void> {
    this.#set(key, value)
    return this.#append([key, value ?? null])
  }

  *entries<T>(prefix: string): Generator<[key: string, value: T]> {
    for (const [key, value] of this.#values) if (key.startsWith(prefix)) yield [key, value as T]
  }

  done(steps: [n: number, step: number][]): Promise<void> {
    return this.#append({ done: steps })
  }

  /** From now on the journal may be rewritten, with this in place of the marks so far. */
  trackPending(whatIsLeft: () => { through: number; left: PendingSteps[] }): Promise<void> {
    this.#whatIsLeft = whatIsLeft
    this.undelivered.pending.clear()
    this.undelivered.delivered.clear()
    return this.rewrite()
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
    if (this.#file.size > rewriteBytes && this.#file.size > this.#rewritten * 2 && !this.#rewriting)
      this.rewrite().catch(() => {})
    return batch.written
  }

  /** Drops history: one line for each value, and what is left to deliver. */
  async rewrite(): Promise<void> {
    this.#rewriting = true
    await this.#file.replace(() => {
      const lines: Line[] = [this.#whatIsLeft(), ...this.#values.entries()]
      return lines.map(line => JSON.stringify(line))
    })
    this.#rewritten = this.#file.size
    this.#rewriting = false
  }

  #replay(line: Line): void {
    if (Array.isArray(line)) this.#set(line[0], line[1])
    else if ('done' in line) for (const [n, step] of line.done) add(this.undelivered.delivered, n, step)
    else {
      this.undelivered.through = line.through
      this.undelivered.pending = new Map(line.left.map(([n, steps]) => [n, new Set(steps)]))
      this.undelivered.delivered.clear()
    }
  }
}

function add(into: Map<number, Set<number>>, n: number, step: number): void {
  const steps = into.get(n)
  if (steps) steps.add(step)
  else into.set(n, new Set([step]))
}
