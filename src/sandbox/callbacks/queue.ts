/**
 * Delivers the callbacks (steps) of ledger entries at least once, retrying until they are accepted. Steps due together
 * are sent in one call if the provider batches. Calls with the same ordering key (an account; for sms a conversation)
 * are made one after another; a rejected step is retried later and may be overtaken, as with the real providers.
 */
import type { Logger } from '../../platform/log.ts'
import type { SandboxClock } from '../clock.ts'
import type { FaultInjector } from '../faults.ts'
import { type AccountRef, type Channel, toAccountKey } from '../identifiers.ts'
import type { Entry, Step } from '../store/ledger.ts'
import type { Registry } from '../store/registry.ts'
import { Heap, type HeapItem } from './heap.ts'
import type { CallbackClient, CallbackRequest } from './http-client.ts'

export interface QueuedCallback extends HeapItem {
  entry: Entry
  step: Step
  index: number
  attempt: number
}

export interface WebhookSender {
  maxBatchSize: number
  retryForMs: number
  orderingKey(entry: Entry): string
  /** Returns undefined when no webhook is registered. */
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

// Upper bound for the timer, because the clock may be moved by tests.
const maxTimerMs = 1000
// Callbacks due within this time are sent together.
const coalesceMs = 4

/** Retries get rarer over time; further attempts use the last delay. */
const retryDelaysMs = [100, 200, 400, 800, 1600, 3000, 5000, 5000, 5000, 15_000, 30_000].concat(
  [1, 5, 15, 60, 180].map(minutes => minutes * 60_000),
)

/** Matches all accounts when none are given. */
function matchAccounts(accounts: AccountRef[] | undefined): (account: AccountRef) => boolean {
  const names = accounts && new Set(accounts.map(toAccountKey))
  return account => !names || names.has(toAccountKey(account))
}

export class CallbackQueue {
  readonly #options: CallbackQueueOptions
  /** undelivered steps by ledger position */
  readonly #pending = new Map<number, { entry: Entry; steps: Set<number> }>()
  readonly #heap = new Heap<QueuedCallback>()
  readonly #sending = new Map<string, QueuedCallback[]>()
  #order = 0
  #timer: NodeJS.Timeout | undefined
  #timerDue = Number.POSITIVE_INFINITY
  #closed = false

  constructor(options: CallbackQueueOptions) {
    this.#options = options
  }

  track(entry: Entry, steps: Iterable<number> = entry.steps.keys()): void {
    const pending = new Set(steps)
    if (pending.size > 0) this.#pending.set(entry.position, { entry, steps: pending })
  }

  /** Drops an entry whose write failed. */
  untrack(entry: Entry): void {
    this.#pending.delete(entry.position)
  }

  schedule(entry: Entry): void {
    const offset = this.#options.clock.offsetMs(entry)
    for (const index of this.#pending.get(entry.position)?.steps ?? []) {
      const step = entry.steps[index]!
      this.#push({ entry, step, index, attempt: 0, due: step.at - offset, order: this.#order++ })
    }
  }

  listPending(): [position: number, steps: number[]][] {
    return [...this.#pending].map(([position, { steps }]) => [position, [...steps]])
  }

  countPending(accounts?: AccountRef[]): number {
    const matches = matchAccounts(accounts)
    let sum = 0
    for (const { entry, steps } of this.#pending.values()) if (matches(entry)) sum += steps.size
    return sum
  }

  /** Makes callbacks of these accounts due earlier, after their clock was advanced. */
  advance(ms: number, accounts?: AccountRef[]): void {
    this.#updateMatching(matchAccounts(accounts), item => {
      item.due -= ms
    })
  }

  /** Retries waiting callbacks immediately, after a webhook was registered again. */
  retryNow(matches: (account: AccountRef) => boolean): void {
    const now = this.#options.clock.wallNow()
    this.#updateMatching(matches, item => {
      if (item.attempt === 0) return
      item.attempt = 0
      item.due = Math.min(item.due, now)
    })
  }

  clear(): void {
    this.#heap.clear()
    for (const queue of this.#sending.values()) queue.length = 0
    this.#pending.clear()
  }

  close(): void {
    this.#closed = true
    clearTimeout(this.#timer)
  }

  #updateMatching(matches: (account: AccountRef) => boolean, change: (item: QueuedCallback) => void): void {
    this.#heap.updateAll(item => {
      if (matches(item.entry)) change(item)
    })
    this.#setTimer()
  }

  #push(item: QueuedCallback): void {
    this.#heap.push(item)
    if (item.due < this.#timerDue) this.#setTimer()
  }

  #setTimer(): void {
    clearTimeout(this.#timer)
    const first = this.#heap.first
    this.#timerDue = first?.due ?? Number.POSITIVE_INFINITY
    if (!first || this.#closed) return
    const sleep = Math.min(Math.max(first.due - this.#options.clock.wallNow(), 0), maxTimerMs)
    this.#timer = setTimeout(() => this.#tick(), sleep)
  }

  #tick(): void {
    const until = this.#options.clock.wallNow() + coalesceMs
    while (this.#heap.first && this.#heap.first.due <= until) this.#enqueue(this.#heap.pop()!)
    this.#setTimer()
  }

  #enqueue(item: QueuedCallback): void {
    const name = this.#options.senders[item.entry.channel].orderingKey(item.entry)
    const queue = this.#sending.get(name)
    if (queue) {
      queue.push(item)
      return
    }
    this.#sending.set(name, [item])
    setImmediate(() => this.#drain(name))
  }

  async #drain(name: string): Promise<void> {
    const queue = this.#sending.get(name)
    while (queue && queue.length > 0 && !this.#closed) {
      const sender = this.#options.senders[queue[0]!.entry.channel]
      const batchSize = Math.min(
        sender.maxBatchSize,
        this.#options.faults.callbackFaults(queue[0]!.entry).batch ?? sender.maxBatchSize,
      )
      await this.#send(sender, queue.splice(0, batchSize))
    }
    if (this.#sending.get(name) === queue) this.#sending.delete(name)
  }

  async #send(sender: WebhookSender, items: QueuedCallback[]): Promise<void> {
    const isDropped = ({ entry, index, attempt }: QueuedCallback) =>
      this.#options.faults.affectsCallback(entry, 'drop', `${entry.position}/${index}/${attempt}`)
    const dropped = items.filter(isDropped)
    const sent = dropped.length === 0 ? items : items.filter(item => !dropped.includes(item))
    this.#retry(sender, dropped)
    if (sent.length === 0) return
    try {
      const request = await sender.buildRequest(sent)
      const status = request ? await this.#options.httpClient.post(request) : 0
      if (this.#closed) return
      if (!request || sender.isAccepted(status)) this.#complete(sent)
      else this.#retry(sender, sent)
    } catch (error) {
      this.#options.log.error({ err: error }, 'sandbox: building a callback failed')
      this.#complete(sent)
    }
  }

  /** False if the queue was cleared while the call was in flight. */
  #isPending({ entry, index }: QueuedCallback): boolean {
    const pending = this.#pending.get(entry.position)
    return pending?.entry === entry && pending.steps.has(index)
  }

  #complete(items: QueuedCallback[]): void {
    const pending = items.filter(item => this.#isPending(item))
    for (const { entry, index } of pending) {
      const { steps } = this.#pending.get(entry.position)!
      steps.delete(index)
      if (steps.size === 0) this.#pending.delete(entry.position)
    }
    if (pending.length === 0) return
    this.#options.registry
      .markDelivered(pending.map(({ entry, index }) => [entry.position, index]))
      .catch(() => {})
  }

  #retry(sender: WebhookSender, items: QueuedCallback[]): void {
    const { clock, log } = this.#options
    for (const item of items.filter(callback => this.#isPending(callback))) {
      if (clock.now(item.entry) - item.step.at > sender.retryForMs) {
        log.warn(
          { channel: item.entry.channel, account: item.entry.account },
          'sandbox: callback dropped after its last retry',
        )
        this.#complete([item])
        continue
      }
      item.attempt += 1
      item.due = clock.wallNow() + retryDelaysMs[Math.min(item.attempt, retryDelaysMs.length) - 1]!
      this.#push(item)
    }
  }
}
