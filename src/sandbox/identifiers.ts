/**
 * Account references and ids. Ids of numbers, templates, media and people are hashes of names, so they are the same on
 * every machine. Message ids encode the message's ledger position, so no index is needed, and the epoch, which changes
 * with every reset, so they are never reused.
 */
import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'

export type Channel = 'chatapp' | 'socialapp' | 'sms'

export interface AccountRef {
  channel: Channel
  /** phone number id (chatapp), account id (socialapp), phone number sid (sms) */
  account: string
}

export const toAccountKey = ({ channel, account }: AccountRef): string => `${channel}/${account}`

export function hashHex(name: string, length: number): string {
  return createHash('sha256').update(name).digest('hex').slice(0, length)
}

/** Caches a function of a name; the cache is emptied when it is full. */
export function memoize<T>(make: (name: string) => T, maxEntries = 10_000): (name: string) => T {
  const cache = new Map<string, T>()
  return name => {
    const cached = cache.get(name)
    if (cached !== undefined) return cached
    if (cache.size >= maxEntries) cache.clear()
    const value = make(name)
    cache.set(name, value)
    return value
  }
}

/** Returns decimal digits that start with `first`, so that kinds of ids can be distinguished. */
export function hashDigits(name: string, length: number, first = ''): string {
  const value = BigInt(`0x${createHash('sha256').update(name).digest('hex')}`)
  return (first + value.toString().padStart(78, '0').slice(-length)).slice(0, length)
}

const chatPrefix = 'wamid.HBg'
const socialPrefix = 'aWdfZAG1faXRlbToxOk'

function pack(epoch: number, position: number): Buffer {
  const bytes = Buffer.allocUnsafe(16)
  bytes.writeUIntBE(epoch, 0, 6)
  bytes.writeUIntBE(position, 6, 6)
  bytes.writeUInt32BE(crc32(bytes.subarray(0, 12)), 12)
  return bytes
}

export function toMessageId(channel: Channel, epoch: number, position: number, withMedia = false): string {
  const bytes = pack(epoch, position)
  if (channel === 'chatapp') return chatPrefix + bytes.toString('base64').slice(0, 22)
  if (channel === 'socialapp') return socialPrefix + bytes.toString('base64url')
  return (withMedia ? 'MM' : 'SM') + bytes.toString('hex')
}

function unpack(id: string): Buffer {
  if (id.startsWith(chatPrefix)) return Buffer.from(id.slice(chatPrefix.length), 'base64')
  if (id.startsWith(socialPrefix)) return Buffer.from(id.slice(socialPrefix.length), 'base64url')
  return Buffer.from(/^(SM|MM)[0-9a-f]{32}$/.test(id) ? id.slice(2) : '', 'hex')
}

/** Returns the ledger position; undefined if the id is not from this sandbox and epoch. */
export function parseMessageId(epoch: number, id: string): number | undefined {
  const bytes = unpack(id)
  if (bytes.length !== 16 || bytes.readUIntBE(0, 6) !== epoch) return undefined
  return bytes.readUInt32BE(12) === crc32(bytes.subarray(0, 12)) ? bytes.readUIntBE(6, 6) : undefined
}

/** Returns a number from 0 (inclusive) to 1 (exclusive), derived from the name. */
export function hashFraction(name: string): number {
  return createHash('sha256').update(name).digest().readUInt32BE(0) / 2 ** 32
}

const areaCodes = ['212', '305', '312', '415', '512', '617', '702', '713', '808', '916']

/** Returns a phone number in the range reserved for fiction, derived from the name. */
export function fictionalNumber(name: string, areaCode?: string): string {
  const digits = hashDigits(`number/${name}`, 5)
  return `+1${areaCode ?? areaCodes[Number(digits[0])]}555${digits.slice(1)}`
}
