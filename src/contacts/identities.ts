/**
 * Finding the contact behind an address, or making it. However many ask for the same address at once, one contact is
 * made: the unique index on identities decides. The contact that is given cannot be deleted until the transaction
 * ends.
 */
import type { Queryable, Tx } from '../platform/db/db.ts'
import { newId } from '../platform/ids.ts'
import { announceCreated } from './announce.ts'
import { newContactRow } from './contacts.ts'
import { fieldBook } from './fields.ts'
import { canonicalPhone } from './phones.ts'
import type { Channel } from './schemas.ts'
import { holdContacts } from './store/contacts.ts'
import { claimIdentity, claimPhones, findIdentity, listHolders } from './store/identities.ts'
import { type IdentityClaim, insertContacts } from './store/insert.ts'

export { findIdentity, listIdentities } from './store/identities.ts'

export interface Address {
  channel: Channel
  /** a phone number in E.164 form, or the provider's id of the person */
  externalId: string
}

/** A phone number is claimed on chatapp whatever channel it came by; the same number then serves sms. */
function claimOf({ channel, externalId }: Address): IdentityClaim {
  const id = newId('identity')
  const phone = externalId.startsWith('+') ? canonicalPhone(externalId) : undefined
  return phone === undefined
    ? { id, channel, externalId, phone: null }
    : { id, channel: 'chatapp', externalId: phone, phone }
}

/** The contact that has the address, if there is one. */
export async function findContactByIdentity(
  on: Queryable,
  tenantId: string,
  address: Address,
): Promise<string | undefined> {
  const claim = claimOf(address)
  return (await findIdentity(on, tenantId, claim.channel, claim.externalId))?.contactId
}

export interface Holder {
  contactId: string
  created: boolean
}

export async function findOrCreateContactByIdentity(
  tx: Tx,
  tenantId: string,
  { channel, ...person }: Address & { name?: string },
): Promise<Holder> {
  const [holder] = await findOrCreateContacts(tx, tenantId, channel, [person])
  return holder!
}

const attempts = 5
const keyOf = ({ channel, externalId }: Pick<IdentityClaim, 'channel' | 'externalId'>) =>
  `${channel}/${externalId}`

/** Many on one channel, in the order given. */
export async function findOrCreateContacts(
  tx: Tx,
  tenantId: string,
  channel: Channel,
  people: readonly { externalId: string; name?: string | null }[],
): Promise<Holder[]> {
  const wanted = people.map(({ externalId, name }) => ({ claim: claimOf({ channel, externalId }), name }))
  const holders = new Map<string, Holder>()
  const missing = () =>
    [...new Map(wanted.map(one => [keyOf(one.claim), one])).values()].filter(
      ({ claim }) => !holders.has(keyOf(claim)),
    )
  for (let attempt = 0; attempt < attempts && missing().length > 0; attempt++) {
    const claims = missing().map(one => one.claim)
    const known = await listHolders(tx, tenantId, claims)
    const contactIds = known.map(row => row.contactId)
    const held = known.length > 0 ? await holdContacts(tx, tenantId, contactIds) : new Set<string>()
    for (const row of known)
      if (held.has(row.contactId)) holders.set(keyOf(row), { contactId: row.contactId, created: false })
    // One whose contact is being deleted is looked for again, as is one that somebody else was faster to make.
    const taken = new Set(known.map(keyOf))
    const strangers = missing().filter(({ claim }) => !taken.has(keyOf(claim)))
    for (const { claim, id } of await create(tx, tenantId, strangers))
      holders.set(keyOf(claim), { contactId: id, created: true })
  }
  if (missing().length > 0) throw new Error('an identity kept changing hands')
  const answers = wanted.map(({ claim }) => holders.get(keyOf(claim))!)
  const owners = wanted.flatMap(({ claim: { phone, channel: claimed } }, i) =>
    phone && claimed !== channel ? [{ contactId: answers[i]!.contactId, phone }] : [],
  )
  if (owners.length > 0) await attachPhones(tx, tenantId, channel, owners)
  const created = [...holders.values()].filter(one => one.created)
  await announceCreated(
    tx,
    tenantId,
    created.map(one => one.contactId),
  )
  return answers
}

/** Those that were made. */
async function create(
  tx: Tx,
  tenantId: string,
  people: readonly { claim: IdentityClaim; name?: string | null | undefined }[],
): Promise<{ claim: IdentityClaim; id: string }[]> {
  if (people.length === 0) return []
  const book = await fieldBook(tx, tenantId)
  const rows = people.map(({ claim, name }) =>
    newContactRow(tx.now, book, { name: name?.trim().slice(0, 200) || null, fields: {}, claim }),
  )
  const made = await insertContacts(tx, tenantId, rows)
  return rows.flatMap(({ id }, i) => (made.has(id) ? [{ claim: people[i]!.claim, id }] : []))
}

/** Gives a contact one more address; the answer is the contact that has it now, which may be another. */
export async function attachIdentity(
  tx: Tx,
  tenantId: string,
  contactId: string,
  address: Address,
): Promise<string> {
  const claim = claimOf(address)
  if (await claimIdentity(tx, tenantId, contactId, claim)) return contactId
  return (await findIdentity(tx, tenantId, claim.channel, claim.externalId))?.contactId ?? contactId
}

/** The phones of these contacts serve this channel too from now on. */
export function attachPhones(
  tx: Tx,
  tenantId: string,
  channel: Channel,
  owners: readonly { contactId: string; phone: string }[],
): Promise<void> {
  const claims = owners.map(owner => ({ ...owner, id: newId('identity') }))
  return claimPhones(tx, tenantId, channel, claims)
}
