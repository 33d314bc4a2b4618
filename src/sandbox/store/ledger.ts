/**
 * Log of all messages and events in order, with the original requests. Payloads stay on disk; memory holds 16 bytes per
 * entry and about 150 bytes per conversation. Message ids encode the entry's position.
 */
import type { Channel } from '../identifiers.ts'
import { AppendLog } from './append-log.ts'

/** One callback of an entry; `at` is in the account's time. */
export interface Step {
  type: string
  at: number
  /** the provider's error code, for failures */
  errorCode?: number
}

/** The part of an entry that is indexed. */
export interface EntryHeader {
  position: number
  kind: 'sent' | 'received' | 'event'
  channel: Channel
  /** phone number id, social account id, phone number sid */
  account: string
  /** normalized address of the customer */
  customer: string
}

export interface Entry extends EntryHeader {
  /** milliseconds in the account's time */
  at: number
  steps: Step[]
  /** data that callbacks and lists need without reading the payload */
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

const toPairKey = (channel: Channel, account: string, customer: string) => `${channel}/${account}/${customer}`
const toAccountKey = (channel: Channel, account: string) => `${channel}/${account}`

export class Ledger {
  #file!: AppendLog
  #next = 1
  // Offsets are stored plus one; zero means no entry.
  readonly #offsets = new GrowableArray(length => new Float64Array(length))
  readonly #previousInPair = new GrowableArray(length => new Int32Array(length))
  readonly #previousInAccount = new GrowableArray(length => new Int32Array(length))
  readonly #lastOfPair = new Map<string, number>()
  readonly #lastOfAccount = new Map<string, number>()

  /** Parses entries lazily, so that opening a large ledger stays fast. */
  static async open(file: string, each: (header: EntryHeader, entry: () => Entry) => void): Promise<Ledger> {
    const ledger = new Ledger()
    ledger.#file = await AppendLog.open(file, (record, offset) => {
      const header = parseHeader(record)
      ledger.#index(header, offset)
      ledger.#next = header.position + 1
      each(header, () => parseRecord(record).entry)
    })
    return ledger
  }

  /** The highest assigned position. */
  get last(): number {
    return this.#next - 1
  }

  /** Assigns the position immediately; the entry can be found once `written` settles. */
  append(entry: Omit<Entry, 'position'>, payload: string | Buffer): { entry: Entry; written: Promise<void> } {
    const stored = { position: this.#next++, ...entry }
    const header = encodeEntry(stored)
    const record =
      typeof payload === 'string' ? header + payload : Buffer.concat([Buffer.from(header, 'utf8'), payload])
    const { batch, offsetInBatch } = this.#file.append(record)
    return {
      entry: stored,
      written: batch.written.then(() => this.#index(stored, batch.start + offsetInBatch)),
    }
  }

  async find(position: number): Promise<StoredEntry | undefined> {
    const offset = this.#offsets.get(position)
    return offset === 0 ? undefined : parseRecord(await this.#file.read(offset - 1))
  }

  /** Yields the positions of a conversation or of an account, newest first. */
  *newestFirst(channel: Channel, account: string, customer?: string): Generator<number> {
    const previous = customer === undefined ? this.#previousInAccount : this.#previousInPair
    let position =
      customer === undefined
        ? this.#lastOfAccount.get(toAccountKey(channel, account))
        : this.#lastOfPair.get(toPairKey(channel, account, customer))
    for (; position; position = previous.get(position)) yield position
  }

  /** Maps the entries at these ascending positions. `map` must not keep the payload buffer. */
  async read<T>(positions: readonly number[], map: (stored: StoredEntry) => T): Promise<T[]> {
    const results: T[] = []
    const offsets = positions.map(position => this.#offsets.get(position) - 1).filter(offset => offset >= 0)
    await this.#file.readMany(offsets, record => results.push(map(parseRecord(record))))
    return results
  }

  *customers(channel: Channel, account: string): Generator<[customer: string, last: number]> {
    const prefix = `${toAccountKey(channel, account)}/`
    for (const [key, last] of this.#lastOfPair)
      if (key.startsWith(prefix)) yield [key.slice(prefix.length), last]
  }

  /** Deletes all entries and restarts at position 1. */
  async clear(): Promise<void> {
    await this.#file.replace(() => [])
    this.#lastOfPair.clear()
    this.#lastOfAccount.clear()
    for (let position = 1; position < this.#next; position++) this.#offsets.set(position, 0)
    this.#next = 1
  }

  close(): Promise<void> {
    return this.#file.close()
  }

  #index({ position, channel, account, customer }: EntryHeader, offset: number): void {
    this.#offsets.set(position, offset + 1)
    const pair = toPairKey(channel, account, customer)
    this.#previousInPair.set(position, this.#lastOfPair.get(pair) ?? 0)
    this.#lastOfPair.set(pair, position)
    const all = toAccountKey(channel, account)
    this.#previousInAccount.set(position, this.#lastOfAccount.get(all) ?? 0)
    this.#lastOfAccount.set(all, position)
  }
}

/** Encodes the two lines before the payload: the header and the rest. */
function encodeEntry({ position, kind, channel, account, customer, ...rest }: Entry): string {
  return `${JSON.stringify([position, kind, channel, account, customer])}\n${JSON.stringify(rest)}\n`
}

function parseHeader(record: Buffer): EntryHeader {
  const line = record.toString('utf8', 0, record.indexOf(10))
  const [position, kind, channel, account, customer] = JSON.parse(line) as [
    number,
    EntryHeader['kind'],
    Channel,
    string,
    string,
  ]
  return { position, kind, channel, account, customer }
}

function parseRecord(record: Buffer): StoredEntry {
  const first = record.indexOf(10) + 1
  const second = record.indexOf(10, first)
  const rest = JSON.parse(record.toString('utf8', first, second)) as Omit<Entry, keyof EntryHeader>
  return { entry: { ...parseHeader(record), ...rest }, payload: record.subarray(second + 1) }
}
