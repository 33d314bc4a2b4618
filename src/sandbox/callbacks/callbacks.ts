/**
 * Callbacks on their way: each step of each ledger entry is delivered until it is accepted, at least once. Steps that
 * are due together and go the same way travel in one call where the provider batches. Within a lane (an account; for
 * sms a conversation) calls follow each other in order; a step that was refused is tried again later and may be
 * overtaken, as with the real providers.
 */
import type { Logger } from '../../platform/log.ts'
import { type AccountRef, accountName, type Channel } from '../channels.ts'
import type { FaultBook } from '../faults.ts'
import type { Entry, Step } from '../store/ledger.ts'
import type { Registry } from '../store/registry.ts'
import type { Time } from '../time.ts'
import type { Call, Caller } from './calls.ts'
import { Heap, type Timed } from './heap.ts'
import { waitBefore } from './retries.ts'

export interface Item extends Timed {
  entry: Entry
  step: Step
  index: number
  attempt: number
}

/** How one provider carries its callbacks. */
export interface Courier {
  /** most updates in one call */
  most: number
  givesUpAfterMs: number
  lane(entry: Entry): string
  /** Undefined when nobody is registered to be called. */
  compose(items: Item[]): Promise<Call | undefined>
  accepted(status: number): boolean
}

export interface CallbackParts {
  couriers: Record<Channel, Courier>
  caller: Caller
  registry: Registry
  faults: FaultBook
  time: Time
  log: Logger
}

// Timers are checked at least this often, because the clock they go by may be moved from outside.
const longestSleepMs = 1000
// Due this soon counts as due: it lets neighbours travel together.
const togetherMs = 4

/** All accounts when none are named. */
function among(accounts: AccountRef[] | undefined): (account: AccountRef) => boolean {
  const names = accounts && new Set(accounts.map(accountName))
  return account => !names || names.has(accountName(account))
}

export class Callbacks {
  readonly #parts: CallbackParts
  /** what is not settled yet: by position, which steps are left */
  readonly #left = new Map<number, { entry: Entry; steps: Set<number> }>()
  readonly #heap = new Heap<Item>()
  readonly #lanes = new Map<string, Item[]>()
  #order = 0
  #timer: NodeJS.Timeout | undefined
  #timerDue = Number.POSITIVE_INFINITY
  #closed = false

  constructor(parts: CallbackParts) {
    this.#parts = parts
  }

  /** Counts the entry's steps as owed, from the moment it has a position. */
  owe(entry: Entry, steps: Iterable<number> = entry.steps.keys()): void {
    const left = new Set(steps)
    if (left.size > 0) this.#left.set(entry.n, { entry, steps: left })
  }

  /** The entry was not recorded after all. */
  forgive(entry: Entry): void {
    this.#left.delete(entry.n)
  }

  begin(entry: Entry): void {
    const ahead = this.#parts.time.ahead(entry)
    for (const index of this.#left.get(entry.n)?.steps ?? []) {
      const step = entry.steps[index]!
      this.#wait({ entry, step, index, attempt: 0, due: step.at - ahead, order: this.#order++ })
    }
  }

  whatIsLeft(): [n: number, steps: number[]][] {
    return [...this.#left].map(([n, { steps }]) => [n, [...steps]])
  }

  count(accounts?: AccountRef[]): number {
    const concerns = among(accounts)
    let sum = 0
    for (const { entry, steps } of this.#left.values()) if (concerns(entry)) sum += steps.size
    return sum
  }

  /** Time went on by this much for these accounts. */
  advance(ms: number, accounts?: AccountRef[]): void {
    this.#change(among(accounts), item => {
      item.due -= ms
    })
  }

  /** The receiver is back, or has moved: what waits is tried now. */
  retryNow(concerns: (account: AccountRef) => boolean): void {
    const now = this.#parts.time.wall()
    this.#change(concerns, item => {
      if (item.attempt === 0) return
      item.attempt = 0
      item.due = Math.min(item.due, now)
    })
  }

  forgetAll(): void {
    this.#heap.clear()
    for (const lane of this.#lanes.values()) lane.length = 0
    this.#left.clear()
  }

  close(): void {
    this.#closed = true
    clearTimeout(this.#timer)
  }

  #change(concerns: (account: AccountRef) => boolean, change: (item: Item) => void): void {
    this.#heap.reorder(item => {
      if (concerns(item.entry)) change(item)
    })
    this.#arm()
  }

  #wait(item: Item): void {
    this.#heap.push(item)
    if (item.due < this.#timerDue) this.#arm()
  }

  #arm(): void {
    clearTimeout(this.#timer)
    const first = this.#heap.first
    this.#timerDue = first?.due ?? Number.POSITIVE_INFINITY
    if (!first || this.#closed) return
    const sleep = Math.min(Math.max(first.due - this.#parts.time.wall(), 0), longestSleepMs)
    this.#timer = setTimeout(() => this.#tick(), sleep)
  }

  #tick(): void {
    const until = this.#parts.time.wall() + togetherMs
    while (this.#heap.first && this.#heap.first.due <= until) this.#enter(this.#heap.pop()!)
    this.#arm()
  }

  #enter(item: Item): void {
    const name = this.#parts.couriers[item.entry.channel].lane(item.entry)
    const lane = this.#lanes.get(name)
    if (lane) {
      lane.push(item)
      return
    }
    this.#lanes.set(name, [item])
    setImmediate(() => this.#drive(name))
  }

  async #drive(name: string): Promise<void> {
    const lane = this.#lanes.get(name)
    while (lane && lane.length > 0 && !this.#closed) {
      const courier = this.#parts.couriers[lane[0]!.entry.channel]
      const most = Math.min(courier.most, this.#parts.faults.callbacks(lane[0]!.entry).batch ?? courier.most)
      await this.#attempt(courier, lane.splice(0, most))
    }
    if (this.#lanes.get(name) === lane) this.#lanes.delete(name)
  }

  async #attempt(courier: Courier, items: Item[]): Promise<void> {
    const dropped = (item: Item) =>
      this.#parts.faults.callback(item.entry, 'drop', `${item.entry.n}/${item.index}/${item.attempt}`)
    const lost = items.filter(dropped)
    const carried = lost.length === 0 ? items : items.filter(item => !lost.includes(item))
    this.#retry(courier, lost)
    if (carried.length === 0) return
    try {
      const call = await courier.compose(carried)
      const status = call ? await this.#parts.caller.post(call) : 0
      if (this.#closed) return
      if (!call || courier.accepted(status)) this.#settle(carried)
      else this.#retry(courier, carried)
    } catch (error) {
      this.#parts.log.error({ err: error }, 'sandbox: a callback could not be composed')
      this.#settle(carried)
    }
  }

  /** Not so when everything was forgotten while the call was under way. */
  #isOwed({ entry, index }: Item): boolean {
    const left = this.#left.get(entry.n)
    return left?.entry === entry && left.steps.has(index)
  }

  #settle(items: Item[]): void {
    const owed = items.filter(item => this.#isOwed(item))
    for (const { entry, index } of owed) {
      const { steps } = this.#left.get(entry.n)!
      steps.delete(index)
      if (steps.size === 0) this.#left.delete(entry.n)
    }
    if (owed.length === 0) return
    this.#parts.registry.done(owed.map(({ entry, index }) => [entry.n, index])).catch(() => {})
  }

  #retry(courier: Courier, items: Item[]): void {
    const { time, log } = this.#parts
    for (const item of items.filter(one => this.#isOwed(one))) {
      if (time.now(item.entry) - item.step.at > courier.givesUpAfterMs) {
        log.warn(
          { channel: item.entry.channel, account: item.entry.account },
          'sandbox: gave up on a callback',
        )
        this.#settle([item])
        continue
      }
      item.attempt += 1
      item.due = time.wall() + waitBefore(item.attempt)
      this.#wait(item)
    }
  }
}
