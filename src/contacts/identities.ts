/**
 * Finding the contact behind an address, or making it. However many ask for the same address at once, one contact is
 * made: the unique index on identities decides. The contact that is given cannot be deleted until the transaction
 * ends.
 */

import type { Channel } from '../platform/config.ts'
import type { Queryable, Tx } from '../platform/db/db.ts'
import { buildContactRow } from './contacts.ts'
import { emitContactsCreated } from './emit-events.ts'
import { canonicalPhone } from './phones.ts'
import { IdentityId } from './schemas.ts'
import { lockContactsForShare } from './store/contacts.ts'
import { claimIdentity, claimPhones, findIdentity, listIdentitiesByClaims } from './store/identities.ts'
import { type IdentityClaim, insertContacts } from './store/insert-contacts.ts'
import { getFieldDefinitions } from './tags-and-fields/custom-fields.ts'

export { findIdentity, listIdentities } from './store/identities.ts'

export interface Address {
  channel: Channel
  /** a phone number in E.164 form, or the provider's id of the person */
  externalId: string
}

/** A phone number is claimed on chatapp whatever channel it came by; the same number then serves sms. */
function toClaim({ channel, externalId }: Address): IdentityClaim {
  const id = IdentityId.create()
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
  const claim = toClaim(address)
  return (await findIdentity(on, tenantId, claim.channel, claim.externalId))?.contactId
}

export interface IdentityOwner {
  contactId: string
  created: boolean
}

export async function findOrCreateContactByIdentity(
  tx: Tx,
  tenantId: string,
  { channel, ...person }: Address & { name?: string },
): Promise<IdentityOwner> {
  const [holder] = await findOrCreateContacts(tx, tenantId, channel, [person])
  return holder!
}

const maxAttempts = 5
const toClaimKey = ({ channel, externalId }: Pick<IdentityClaim, 'channel' | 'externalId'>) =>
  `${channel}/${externalId}`

/** Many on one channel, in the order given. */
export async function findOrCreateContacts(
  tx: Tx,
  tenantId: string,
  channel: Channel,
  people: readonly { externalId: string; name?: string | null }[],
): Promise<IdentityOwner[]> {
  const wanted = people.map(({ externalId, name }) => ({ claim: toClaim({ channel, externalId }), name }))
  const holders = new Map<string, IdentityOwner>()
  const missing = () =>
    [...new Map(wanted.map(one => [toClaimKey(one.claim), one])).values()].filter(
      ({ claim }) => !holders.has(toClaimKey(claim)),
    )
  for (let attempt = 0; attempt < maxAttempts && missing().length > 0; attempt++) {
    const claims = missing().map(one => one.claim)
    const known = await listIdentitiesByClaims(tx, tenantId, claims)
    const contactIds = known.map(row => row.contactId)
    const held = known.length > 0 ? await lockContactsForShare(tx, tenantId, contactIds) : new Set<string>()
    for (const row of known)
      if (held.has(row.contactId)) holders.set(toClaimKey(row), { contactId: row.contactId, created: false })
    // One whose contact is being deleted is looked for again, as is one that somebody else was faster to make.
    const taken = new Set(known.map(toClaimKey))
    const strangers = missing().filter(({ claim }) => !taken.has(toClaimKey(claim)))
    for (const { claim, id } of await createMissing(tx, tenantId, strangers))
      holders.set(toClaimKey(claim), { contactId: id, created: true })
  }
  if (missing().length > 0) throw new Error('an identity kept changing hands')
  const answers = wanted.map(({ claim }) => holders.get(toClaimKey(claim))!)
  const owners = wanted.flatMap(({ claim: { phone, channel: claimed } }, i) =>
    phone && claimed !== channel ? [{ contactId: answers[i]!.contactId, phone }] : [],
  )
  if (owners.length > 0) await attachPhones(tx, tenantId, channel, owners)
  const created = [...holders.values()].filter(one => one.created)
  await emitContactsCreated(
    tx,
    tenantId,
    created.map(one => one.contactId),
  )
  return answers
}

/** Those that were made. */
async function createMissing(
  tx: Tx,
  tenantId: string,
  people: readonly { claim: IdentityClaim; name?: string | null | undefined }[],
): Promise<{ claim: IdentityClaim; id: string }[]> {
  if (people.length === 0) return []
  const book = await getFieldDefinitions(tx, tenantId)
  const rows = people.map(({ claim, name }) =>
    buildContactRow(tx.now, book, { name: name?.trim().slice(0, 200) || null, fields: {}, claim }),
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
  const claim = toClaim(address)
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
  const claims = owners.map(owner => ({ ...owner, id: IdentityId.create() }))
  return claimPhones(tx, tenantId, channel, claims)
}
