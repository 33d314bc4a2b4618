/**
 * Every message a provider accepted or handed over, and every other event, in order, with the request as it was
 * received. Payloads stay on disk; memory holds 16 bytes an entry and about 150 a conversation. A position in the
 * ledger is the number behind a message's id.
 */
import type { Channel } from '../channels.ts'
import { AppendLog } from './append-log.ts'

/** One callback that an entry causes: what it tells, and when by its account's clock. */
export interface Step {
  tells: string
  at: number
  /** the provider's error code, for failures */
  errorCode?: number
}

/** What the index needs of an entry. */
export interface EntryHeader {
  n: number
  kind: 'sent' | 'received' | 'event'
  channel: Channel
  /** phone number id, social account id, phone number sid */
  account: string
  /** the other side, one spelling for all variants of an address */
  customer: string
}

export interface Entry extends EntryHeader {
  /** by the account's clock, in milliseconds */
  at: number
  steps: Step[]
  /** what callbacks and lists need without reading the payload */
  metadata: Record<string, unknown>
}

export interface StoredEntry {
  entry: Entry
  payload: Buffer
}

class GrowableArray<T extends Int32Array | Float64Array> {
  #items: T
  readonly #make: (length: number) => T

  constructor(make: (length: number) => T) {
    this.#make = make
    this.#items = make(1024)
  }

  get(i: number): number {
    return this.#items[i] ?? 0
  }

  set(i: number, value: number): void {
    if (i >= this.#items.length) {
      const larger = this.#make(Math.max(i + 1, this.#items.length * 2))
      larger.set(this.#items as never)
      this.#items = larger
    }
    this.#items[i] = value
  }
}

const toPairKey = (channel: Channel, account: string, peer: string) => `${channel}/${account}/${peer}`
const toAccountKey = (channel: Channel, account: string) => `${channel}/${account}`

export class Ledger {
  #file!: AppendLog
  #next = 1
  // Offsets are kept plus one, so that zero means there is none.
  readonly #offsets = new GrowableArray(length => new Float64Array(length))
  readonly #beforeInPair = new GrowableArray(length => new Int32Array(length))
  readonly #beforeInAccount = new GrowableArray(length => new Int32Array(length))
  readonly #lastOfPair = new Map<string, number>()
  readonly #lastOfAccount = new Map<string, number>()

  /** Reads only as much of each entry as it is asked for: starting must stay quick when there are many. */
  static async open(file: string, each: (head: EntryHeader, entry: () => Entry) => void): Promise<Ledger> {
    const ledger = new Ledger()
    ledger.#file = await AppendLog.open(file, (record, offset) => {
      const head = parseHeader(record)
      ledger.#index(head, offset)
      ledger.#next = head.n + 1
      each(head, () => parseRecord(record).entry)
    })
    return ledger
  }

  /** The highest position given out. */
  get last(): number {
    return this.#next - 1
  }

  /** The entry's position is known at once; it is part of the ledger when the promise settles. */
  append(entry: Omit<Entry, 'n'>, payload: string | Buffer): { entry: Entry; written: Promise<void> } {
    const whole = { n: this.#next++, ...entry }
    const lines = encodeEntry(whole)
    const record =
      typeof payload === 'string' ? lines + payload : Buffer.concat([Buffer.from(lines, 'utf8'), payload])
    const { batch, within } = this.#file.append(record)
    return { entry: whole, written: batch.written.then(() => this.#index(whole, batch.start + within)) }
  }

  async find(n: number): Promise<StoredEntry | undefined> {
    const offset = this.#offsets.get(n)
    return offset === 0 ? undefined : parseRecord(await this.#file.read(offset - 1))
  }

  /** Positions of one conversation, or of all of an account's, newest first. */
  *newestFirst(channel: Channel, account: string, peer?: string): Generator<number> {
    const before = peer === undefined ? this.#beforeInAccount : this.#beforeInPair
    let n =
      peer === undefined
        ? this.#lastOfAccount.get(toAccountKey(channel, account))
        : this.#lastOfPair.get(toPairKey(channel, account, peer))
    for (; n; n = before.get(n)) yield n
  }

  /** What `make` makes of the entries at these ascending positions; the payload it sees is gone afterwards. */
  async read<T>(positions: readonly number[], make: (recorded: StoredEntry) => T): Promise<T[]> {
    const made: T[] = []
    const offsets = positions.map(n => this.#offsets.get(n) - 1).filter(offset => offset >= 0)
    await this.#file.readMany(offsets, record => made.push(make(parseRecord(record))))
    return made
  }

  *customers(channel: Channel, account: string): Generator<[peer: string, last: number]> {
    const prefix = `${toAccountKey(channel, account)}/`
    for (const [key, last] of this.#lastOfPair)
      if (key.startsWith(prefix)) yield [key.slice(prefix.length), last]
  }

  /** Forgets everything and starts at position 1 again. */
  async clear(): Promise<void> {
    await this.#file.replace(() => [])
    this.#lastOfPair.clear()
    this.#lastOfAccount.clear()
    for (let n = 1; n < this.#next; n++) this.#offsets.set(n, 0)
    this.#next = 1
  }

  close(): Promise<void> {
    return this.#file.close()
  }

  #index({ n, channel, account, customer: peer }: EntryHeader, offset: number): void {
    this.#offsets.set(n, offset + 1)
    const pair = toPairKey(channel, account, peer)
    this.#beforeInPair.set(n, this.#lastOfPair.get(pair) ?? 0)
    this.#lastOfPair.set(pair, n)
    const all = toAccountKey(channel, account)
    this.#beforeInAccount.set(n, this.#lastOfAccount.get(all) ?? 0)
    this.#lastOfAccount.set(all, n)
  }
}

/** Two lines before the payload: one for the index, one with the rest. */
function encodeEntry({ n, kind, channel, account, customer: peer, ...rest }: Entry): string {
  return `${JSON.stringify([n, kind, channel, account, peer])}\n${JSON.stringify(rest)}\n`
}

function parseHeader(record: Buffer): EntryHeader {
  const line = record.toString('utf8', 0, record.indexOf(10))
  const [n, kind, channel, account, peer] = JSON.parse(line) as [
    number,
    EntryHeader['kind'],
    Channel,
    string,
    string,
  ]
  return { n, kind, channel, account, customer: peer }
}

function parseRecord(record: Buffer): StoredEntry {
  const first = record.indexOf(10) + 1
  const second = record.indexOf(10, first)
  const rest = JSON.parse(record.toString('utf8', first, second)) as Omit<Entry, keyof EntryHeader>
  return { entry: { ...parseHeader(record), ...rest }, payload: record.subarray(second + 1) }
}
