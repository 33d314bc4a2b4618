/**
 * Ids in TypeID form: a prefix, `_`, and a UUIDv7 in Crockford base32 (26 characters). They sort by creation time and
 * are stored exactly as they appear in the API. Each domain declares its prefixes in its `schemas.ts`.
 */
import { randomFillSync } from 'node:crypto'
import { UUID, uuidv7obj } from 'uuidv7'

declare const idBrand: unique symbol
export type Id<P extends string> = string & { readonly [idBrand]?: P }

export interface IdType<P extends string> {
  create(): Id<P>
  /**
   * Creates an id whose 48 bits of time are exactly `at`, so that ids sort like `created_at`. Ids of one millisecond
   * keep the order in which this process created them.
   */
  createAt(at: string | Date): Id<P>
  /** Returns the smallest id that `createAt` can return for `at` or later: a lower bound for range queries. */
  firstAt(at: string | Date): Id<P>
  /** Matches ids of this type. Path parameters accept any text, so that a malformed id is a 404 and not a 400. */
  pattern: RegExp
}

export function idType<const P extends string>(prefix: P): IdType<P> {
  const toId = (uuid: UUID) => `${prefix}_${encode(uuid.bytes)}` as Id<P>
  return {
    create: () => toId(uuidv7obj()),
    createAt: at => toId(nextUuidAt(new Date(at).getTime())),
    firstAt: at => {
      const ms = Math.min(Math.max(new Date(at).getTime(), 0), 2 ** 48 - 1)
      return toId(UUID.fromFieldsV7(ms, 0, 0, 0))
    },
    pattern: new RegExp(`^${prefix}_[0-7][${alphabet}]{25}$`),
  }
}

const randomLength = 9
/** Random bytes of the next ids: a call for each id takes longer than everything else. */
const pool = Buffer.alloc(256 * randomLength)
let used = pool.length

function takeRandom(): Buffer {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  used += randomLength
  return pool.subarray(used - randomLength, used)
}

let lastMs = -1
let counter = 0

function nextUuidAt(ms: number): UUID {
  const random = takeRandom()
  counter = ms === lastMs ? counter + 1 : random.readUIntBE(0, 5)
  lastMs = ms
  return UUID.fromFieldsV7(ms, Math.floor(counter / 2 ** 30), counter % 2 ** 30, random.readUInt32BE(5))
}

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

/** Encodes 128 bits as 26 base32 digits, of which the first holds three bits: the TypeID suffix. */
function encode(bytes: Uint8Array): string {
  let out = ''
  let bits = 2 // the two leading zero bits of 130
  let value = 0
  for (const byte of bytes) {
    value = (value << 8) | byte
    bits += 8
    while (bits >= 5) {
      bits -= 5
      out += alphabet[(value >>> bits) & 31]
      value &= (1 << bits) - 1
    }
  }
  return out
}
