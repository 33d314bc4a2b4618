/**
 * Callbacks on their way: each step of each ledger entry is delivered until it is accepted, at least once. Steps that
 * are due together and go the same way travel in one call where the provider batches. Within a lane (an account; for
 * sms a conversation) calls follow each other in order; a step that was refused is tried again later and may be
 * overtaken, as with the real providers.
 */
import type { Logger } from '../../platform/log.ts'
import { type AccountRef, type Channel, toAccountKey } from '../channels.ts'
import type { SandboxClock } from '../clock.ts'
import type { FaultInjector } from '../faults.ts'
import type { Entry, Step } from '../store/ledger.ts'
import type { Registry } from '../store/registry.ts'
import { Heap, type HeapItem } from './heap.ts'
import type { CallbackClient, CallbackRequest } from './http-client.ts'
import { getRetryDelayMs } from './retries.ts'

export interface QueuedCallback extends HeapItem {
  entry: Entry
  step: Step
  index: number
  attempt: number
}

/** How one provider carries its callbacks. */
export interface WebhookSender {
  /** most updates in one call */
  maxBatchSize: number
  retryForMs: number
  orderingKey(entry: Entry): string
  /** Undefined when nobody is registered to be called. */
  buildRequest(items: QueuedCallback[]): Promise<CallbackRequest | undefined>
  isAccepted(status: number): boolean
}

export interface CallbackQueueOptions {
  senders: Record<Channel, WebhookSender>
  httpClient: CallbackClient
  registry: Registry
  faults: FaultInjector
  clock: SandboxClock
  log: Logger
}

// Timers are checked at least this often, because the clock they go by may be moved from outside.
const maxTimerMs = 1000
// Due this soon counts as due: it lets neighbours travel together.
const coalesceMs = 4

/** All accounts when none are named. */
function matchAccounts(accounts: AccountRef[] | undefined): (account: AccountRef) => boolean {
  const names = accounts && new Set(accounts.map(toAccountKey))
  return account => !names || names.has(toAccountKey(account))
}

export class CallbackQueue {
  readonly #parts: CallbackQueueOptions
  /** what is not settled yet: by position, which steps are left */
  readonly #left = new Map<number, { entry: Entry; steps: Set<number> }>()
  readonly #heap = new Heap<QueuedCallback>()
  readonly #lanes = new Map<string, QueuedCallback[]>()
  #order = 0
  #timer: NodeJS.Timeout | undefined
  #timerDue = Number.POSITIVE_INFINITY
  #closed = false

  constructor(parts: CallbackQueueOptions) {
    this.#parts = parts
  }

  /** Counts the entry's steps as owed, from the moment it has a position. */
  track(entry: Entry, steps: Iterable<number> = entry.steps.keys()): void {
    const left = new Set(steps)
    if (left.size > 0) this.#left.set(entry.n, { entry, steps: left })
  }

  /** The entry was not recorded after all. */
  untrack(entry: Entry): void {
    this.#left.delete(entry.n)
  }

  schedule(entry: Entry): void {
    const ahead = this.#parts.clock.offsetMs(entry)
    for (const index of this.#left.get(entry.n)?.steps ?? []) {
      const step = entry.steps[index]!
      this.#wait({ entry, step, index, attempt: 0, due: step.at - ahead, order: this.#order++ })
    }
  }

  listPending(): [n: number, steps: number[]][] {
    return [...this.#left].map(([n, { steps }]) => [n, [...steps]])
  }

  countPending(accounts?: AccountRef[]): number {
    const concerns = matchAccounts(accounts)
    let sum = 0
    for (const { entry, steps } of this.#left.values()) if (concerns(entry)) sum += steps.size
    return sum
  }

  /** Time went on by this much for these accounts. */
  advance(ms: number, accounts?: AccountRef[]): void {
    this.#change(matchAccounts(accounts), item => {
      item.due -= ms
    })
  }

  /** The receiver is back, or has moved: what waits is tried now. */
  retryNow(concerns: (account: AccountRef) => boolean): void {
    const now = this.#parts.clock.wallNow()
    this.#change(concerns, item => {
      if (item.attempt === 0) return
      item.attempt = 0
      item.due = Math.min(item.due, now)
    })
  }

  clear(): void {
    this.#heap.clear()
    for (const lane of this.#lanes.values()) lane.length = 0
    this.#left.clear()
  }

  close(): void {
    this.#closed = true
    clearTimeout(this.#timer)
  }

  #change(concerns: (account: AccountRef) => boolean, change: (item: QueuedCallback) => void): void {
    this.#heap.updateAll(item => {
      if (concerns(item.entry)) change(item)
    })
    this.#arm()
  }

  #wait(item: QueuedCallback): void {
    this.#heap.push(item)
    if (item.due < this.#timerDue) this.#arm()
  }

  #arm(): void {
    clearTimeout(this.#timer)
    const first = this.#heap.first
    this.#timerDue = first?.due ?? Number.POSITIVE_INFINITY
    if (!first || this.#closed) return
    const sleep = Math.min(Math.max(first.due - this.#parts.clock.wallNow(), 0), maxTimerMs)
    this.#timer = setTimeout(() => this.#tick(), sleep)
  }

  #tick(): void {
    const until = this.#parts.clock.wallNow() + coalesceMs
    while (this.#heap.first && this.#heap.first.due <= until) this.#enter(this.#heap.pop()!)
    this.#arm()
  }

  #enter(item: QueuedCallback): void {
    const name = this.#parts.senders[item.entry.channel].orderingKey(item.entry)
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
      const courier = this.#parts.senders[lane[0]!.entry.channel]
      const most = Math.min(
        courier.maxBatchSize,
        this.#parts.faults.callbackFaults(lane[0]!.entry).batch ?? courier.maxBatchSize,
      )
      await this.#attempt(courier, lane.splice(0, most))
    }
    if (this.#lanes.get(name) === lane) this.#lanes.delete(name)
  }

  async #attempt(courier: WebhookSender, items: QueuedCallback[]): Promise<void> {
    const dropped = (item: QueuedCallback) =>
      this.#parts.faults.affectsCallback(item.entry, 'drop', `${item.entry.n}/${item.index}/${item.attempt}`)
    const lost = items.filter(dropped)
    const carried = lost.length === 0 ? items : items.filter(item => !lost.includes(item))
    this.#retry(courier, lost)
    if (carried.length === 0) return
    try {
      const call = await courier.buildRequest(carried)
      const status = call ? await this.#parts.httpClient.post(call) : 0
      if (this.#closed) return
      if (!call || courier.isAccepted(status)) this.#settle(carried)
      else this.#retry(courier, carried)
    } catch (error) {
      this.#parts.log.error({ err: error }, 'sandbox: a callback could not be composed')
      this.#settle(carried)
    }
  }

  /** Not so when everything was forgotten while the call was under way. */
  #isOwed({ entry, index }: QueuedCallback): boolean {
    const left = this.#left.get(entry.n)
    return left?.entry === entry && left.steps.has(index)
  }

  #settle(items: QueuedCallback[]): void {
    const owed = items.filter(item => this.#isOwed(item))
    for (const { entry, index } of owed) {
      const { steps } = this.#left.get(entry.n)!
      steps.delete(index)
      if (steps.size === 0) this.#left.delete(entry.n)
    }
    if (owed.length === 0) return
    this.#parts.registry.done(owed.map(({ entry, index }) => [entry.n, index])).catch(() => {})
  }

  #retry(courier: WebhookSender, items: QueuedCallback[]): void {
    const { clock: time, log } = this.#parts
    for (const item of items.filter(one => this.#isOwed(one))) {
      if (time.now(item.entry) - item.step.at > courier.retryForMs) {
        log.warn(
          { channel: item.entry.channel, account: item.entry.account },
          'sandbox: gave up on a callback',
        )
        this.#settle([item])
        continue
      }
      item.attempt += 1
      item.due = time.wallNow() + getRetryDelayMs(item.attempt)
      this.#wait(item)
    }
  }
}
