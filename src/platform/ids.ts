/**
 * Ids in TypeID form: a kind prefix, `_`, and a UUIDv7 in Crockford base32 (26 characters). They sort by time of
 * creation and are stored exactly as they stand on the wire.
 */
import { randomBytes } from 'node:crypto'
import { UUID, uuidv7obj } from 'uuidv7'

const prefixes = {
  tenant: 'tn',
  user: 'usr',
  team: 'team',
  invitation: 'inv',
  serviceAccount: 'svc',
  apiKey: 'key',
  login: 'lgn',
  audit: 'aud',
  contact: 'con',
  identity: 'idn',
  tag: 'tag',
  customField: 'cf',
  contactImport: 'import',
  inbox: 'ibx',
  pendingCredential: 'pcr',
  conversation: 'cnv',
  session: 'ses',
  message: 'msg',
  reaction: 'rct',
  media: 'mda',
  segment: 'seg',
  campaign: 'cmp',
  journey: 'jrn',
  journeyVersion: 'jrv',
  chatbot: 'bot',
  chatbotVersion: 'btv',
  run: 'run',
  event: 'evt',
  webhookSettings: 'whs',
  webhookKey: 'whk',
  delivery: 'whd',
  attempt: 'wha',
  request: 'req',
} as const

export type Kind = keyof typeof prefixes
declare const idBrand: unique symbol
export type Id<K extends Kind> = string & { readonly [idBrand]?: K }
export type TenantId = Id<'tenant'>

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

/** 128 bits as 26 base32 digits, the first holding three bits: the TypeID suffix. */
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

export function newId<K extends Kind>(kind: K): Id<K> {
  return `${prefixes[kind]}_${encode(uuidv7obj().bytes)}` as Id<K>
}

let lastMs = -1
let counter = 0

/**
 * An id whose 48 bits of time are exactly this moment, so that ids order like created_at does. Those of one
 * millisecond keep the order in which this process made them.
 */
export function newIdAt<K extends Kind>(kind: K, at: string | Date): Id<K> {
  const ms = new Date(at).getTime()
  const random = randomBytes(9)
  counter = ms === lastMs ? counter + 1 : random.readUIntBE(0, 5)
  lastMs = ms
  const uuid = UUID.fromFieldsV7(ms, Math.floor(counter / 2 ** 30), counter % 2 ** 30, random.readUInt32BE(5))
  return `${prefixes[kind]}_${encode(uuid.bytes)}` as Id<K>
}

/** The least id of its kind that `newIdAt` could give for this moment or a later one: a bound for ranges. */
export function firstIdAt<K extends Kind>(kind: K, at: string | Date): Id<K> {
  const ms = Math.min(Math.max(new Date(at).getTime(), 0), 2 ** 48 - 1)
  return `${prefixes[kind]}_${encode(UUID.fromFieldsV7(ms, 0, 0, 0).bytes)}` as Id<K>
}

/** The pattern an id of this kind has on the wire; the schema of a path parameter is looser on purpose (404, not 400). */
export function idPattern(kind: Kind): RegExp {
  return new RegExp(`^${prefixes[kind]}_[0-7][${alphabet}]{25}$`)
}
