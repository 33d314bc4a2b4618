/**
 * Ids. Those of numbers, templates, media and people follow from the name they belong to, so they are the same on
 * every machine. Those of messages hold the message's position in the ledger, so any of them is found without an
 * index; the epoch, which changes when the sandbox is emptied, keeps them from ever naming two messages.
 */
import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { Channel } from './channels.ts'

export function hashHex(name: string, length: number): string {
  return createHash('sha256').update(name).digest('hex').slice(0, length)
}

/** What follows from a name alone is worked out once; the memory of it stays small. */
export function memoize<T>(make: (name: string) => T, most = 10_000): (name: string) => T {
  const known = new Map<string, T>()
  return name => {
    const found = known.get(name)
    if (found !== undefined) return found
    if (known.size >= most) known.clear()
    const made = make(name)
    known.set(name, made)
    return made
  }
}

/** Decimal digits, the first of them given, so that kinds of ids can be told apart. */
export function hashDigits(name: string, length: number, first = ''): string {
  const value = BigInt(`0x${createHash('sha256').update(name).digest('hex')}`)
  return (first + value.toString().padStart(78, '0').slice(-length)).slice(0, length)
}

const chatStart = 'wamid.HBg'
const socialStart = 'aWdfZAG1faXRlbToxOk'

function pack(epoch: number, n: number): Buffer {
  const bytes = Buffer.allocUnsafe(16)
  bytes.writeUIntBE(epoch, 0, 6)
  bytes.writeUIntBE(n, 6, 6)
  bytes.writeUInt32BE(crc32(bytes.subarray(0, 12)), 12)
  return bytes
}

export function toMessageId(channel: Channel, epoch: number, n: number, withMedia = false): string {
  const bytes = pack(epoch, n)
  if (channel === 'chatapp') return chatStart + bytes.toString('base64').slice(0, 22)
  if (channel === 'socialapp') return socialStart + bytes.toString('base64url')
  return (withMedia ? 'MM' : 'SM') + bytes.toString('hex')
}

function unpack(id: string): Buffer {
  if (id.startsWith(chatStart)) return Buffer.from(id.slice(chatStart.length), 'base64')
  if (id.startsWith(socialStart)) return Buffer.from(id.slice(socialStart.length), 'base64url')
  return Buffer.from(/^(SM|MM)[0-9a-f]{32}$/.test(id) ? id.slice(2) : '', 'hex')
}

/** The ledger position behind a message id; undefined when it is none of ours. */
export function parseMessageId(epoch: number, id: string): number | undefined {
  const bytes = unpack(id)
  if (bytes.length !== 16 || bytes.readUIntBE(0, 6) !== epoch) return undefined
  return bytes.readUInt32BE(12) === crc32(bytes.subarray(0, 12)) ? bytes.readUIntBE(6, 6) : undefined
}

/** A number from 0 (inclusive) to 1 (exclusive) that follows from its name alone. */
export function hashFraction(name: string): number {
  return createHash('sha256').update(name).digest().readUInt32BE(0) / 2 ** 32
}
