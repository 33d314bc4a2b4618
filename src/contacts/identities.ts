/**
 * Finds or creates the contact of an address. The unique index on identities guarantees one contact per address under
 * concurrent calls. The returned contact is locked against deletion until the transaction ends.
 */

import type { Channel } from '../platform/config.ts'
import type { Queryable, Tx } from '../platform/db/db.ts'
import { fail } from '../platform/errors.ts'
import { buildContactRow, changeContact, saveProfile } from './contacts.ts'
import { emitContactsCreated, emitContactsUpdated } from './emit-events.ts'
import { ContactNotFound } from './errors.ts'
import type { ContactChanges } from './events.ts'
import { canonicalPhone } from './phones.ts'
import { IdentityId } from './schemas.ts'
import {
  type LockedContact,
  lockContact,
  lockContacts,
  lockContactsForShare,
  touch,
} from './store/contacts.ts'
import {
  claimIdentity,
  claimPhones,
  clearReserved,
  findIdentity,
  type IdentityRow,
  listIdentitiesByClaims,
  releaseAddress,
  replaceUserIds,
  setUsername,
} from './store/identities.ts'
import { type IdentityClaim, insertContacts } from './store/insert-contacts.ts'
import { getFieldDefinitions } from './tags-and-fields/custom-fields.ts'

export { findIdentity, listIdentities } from './store/identities.ts'

export interface Address {
  channel: Channel
  /** A phone number in E.164 form, or the provider's id of the person. */
  externalId: string
}

/**
 * Claims a phone number on chatapp whatever the channel of the address, where it is unique. For another channel it is
 * only reserved there, and that channel gets an identity of the same number.
 */
function toClaim({ channel, externalId }: Address): IdentityClaim {
  const id = IdentityId.create()
  const phone = externalId.startsWith('+') ? canonicalPhone(externalId) : undefined
  return phone === undefined
    ? { id, channel, externalId, phone: null }
    : { id, channel: 'chatapp', externalId: phone, phone, reserved: channel !== 'chatapp' }
}

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
  const [owner] = await findOrCreateContacts(tx, tenantId, channel, [person])
  if (owner!.created) await emitContactsCreated(tx, tenantId, [owner!.contactId])
  return owner!
}

const maxAttempts = 5
const toClaimKey = ({ channel, externalId }: Pick<IdentityClaim, 'channel' | 'externalId'>) =>
  `${channel}/${externalId}`

/**
 * Finds or creates contacts on one channel, in the order of `people`. The caller emits `contact.created` for those that
 * were created, once they are linked to their conversations.
 */
export async function findOrCreateContacts(
  tx: Tx,
  tenantId: string,
  channel: Channel,
  people: readonly { externalId: string; name?: string | null }[],
): Promise<IdentityOwner[]> {
  const wanted = people.map(({ externalId, name }) => ({ claim: toClaim({ channel, externalId }), name }))
  const owners = new Map<string, IdentityOwner>()
  const missing = () =>
    [...new Map(wanted.map(person => [toClaimKey(person.claim), person])).values()].filter(
      ({ claim }) => !owners.has(toClaimKey(claim)),
    )
  for (let attempt = 0; attempt < maxAttempts && missing().length > 0; attempt++) {
    const claims = missing().map(person => person.claim)
    const existing = await lockOwners(tx, tenantId, claims)
    for (const row of existing) owners.set(toClaimKey(row), { contactId: row.contactId, created: false })
    const reserved = existing.filter(row => row.reserved && channel === 'chatapp').map(row => row.id)
    if (reserved.length > 0) await clearReserved(tx, tenantId, reserved)
    // An identity that another transaction claimed first is looked up again.
    for (const { claim, id } of await createMissing(tx, tenantId, missing()))
      owners.set(toClaimKey(claim), { contactId: id, created: true })
  }
  if (missing().length > 0) throw new Error('an identity changed its contact during every attempt')
  const results = wanted.map(({ claim }) => owners.get(toClaimKey(claim))!)
  const phones = wanted.flatMap(({ claim: { phone, channel: claimed } }, i) =>
    phone && claimed !== channel
      ? [{ id: IdentityId.create(), contactId: results[i]!.contactId, phone }]
      : [],
  )
  if (phones.length > 0) await claimPhones(tx, tenantId, channel, phones)
  return results
}

/**
 * Returns the identities with these addresses, their contacts locked. A contact may release its address while the lock is
 * awaited; the identities are therefore read again, in the same round trip, when the lock is held.
 */
async function lockOwners(
  tx: Tx,
  tenantId: string,
  claims: readonly IdentityClaim[],
): Promise<IdentityRow[]> {
  const found = await listIdentitiesByClaims(tx, tenantId, claims)
  if (found.length === 0) return []
  const contactIds = found.map(row => row.contactId)
  const [locked, current] = await Promise.all([
    lockContactsForShare(tx, tenantId, contactIds),
    listIdentitiesByClaims(tx, tenantId, claims),
  ])
  return current.filter(row => locked.has(row.contactId))
}

/** Returns the created contacts; a claim that another transaction won is missing. */
async function createMissing(
  tx: Tx,
  tenantId: string,
  people: readonly { claim: IdentityClaim; name?: string | null | undefined }[],
): Promise<{ claim: IdentityClaim; id: string }[]> {
  if (people.length === 0) return []
  const definitions = await getFieldDefinitions(tx, tenantId)
  const rows = people.map(({ claim, name }) =>
    buildContactRow(tx.now, definitions, { name: name?.trim().slice(0, 200) || null, fields: {}, claim }),
  )
  const created = await insertContacts(tx, tenantId, rows)
  return rows.flatMap(({ id }, i) => (created.has(id) ? [{ claim: people[i]!.claim, id }] : []))
}

/**
 * Moves an address to a contact and locks both contacts. Returns the contacts that changed, for `emitMovedAddress`, which
 * the caller calls once the conversation is linked.
 */
export async function moveAddress(
  tx: Tx,
  tenantId: string,
  address: Address,
  contactId: string,
): Promise<{ contactId: string; changes: ContactChanges }[]> {
  const claim = toClaim(address)
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const { contacts, holder } = await lockHolder(tx, tenantId, claim, contactId)
    if (holder?.contactId === contactId) return []
    if (!(await takeIdentity(tx, tenantId, { claim, contactId, contacts, holder }))) continue
    await claimOnChannel(tx, tenantId, contactId, address, claim)
    await refreshContacts(tx, tenantId, contacts)
    const changes: ContactChanges = claim.phone === null ? {} : { phone: true }
    return contacts.map(({ id }) => ({ contactId: id, changes }))
  }
  throw new Error('an identity changed its contact during every attempt')
}

/** Locks the contact that has the address and the one that gets it. Returns the identity as it is under the lock. */
async function lockHolder(
  tx: Tx,
  tenantId: string,
  { channel, externalId }: IdentityClaim,
  contactId: string,
) {
  const found = await findIdentity(tx, tenantId, channel, externalId)
  const contacts = await lockContacts(tx, tenantId, [contactId, ...(found ? [found.contactId] : [])])
  if (!contacts.some(contact => contact.id === contactId)) fail(ContactNotFound)
  return { contacts, holder: await findIdentity(tx, tenantId, channel, externalId) }
}

/** Returns false if a contact that is not locked has the address meanwhile. */
async function takeIdentity(
  tx: Tx,
  tenantId: string,
  move: {
    claim: IdentityClaim
    contactId: string
    contacts: LockedContact[]
    holder: IdentityRow | undefined
  },
): Promise<boolean> {
  const { claim, contactId, contacts, holder } = move
  if (holder && !contacts.some(contact => contact.id === holder.contactId)) return false
  if (holder) await releaseAddress(tx, tenantId, holder)
  const username = holder?.username ?? null
  const reserved = claim.reserved === true && holder?.reserved !== false
  return claimIdentity(tx, tenantId, contactId, { ...claim, username, reserved })
}

/** A phone number is claimed on chatapp, where it is unique; another channel gets an identity of its own. */
async function claimOnChannel(
  tx: Tx,
  tenantId: string,
  contactId: string,
  { channel }: Address,
  claim: IdentityClaim,
): Promise<void> {
  if (claim.phone === null || claim.channel === channel) return
  await claimPhones(tx, tenantId, channel, [{ id: IdentityId.create(), contactId, phone: claim.phone }])
}

export async function emitMovedAddress(
  tx: Tx,
  tenantId: string,
  updates: readonly { contactId: string; changes: ContactChanges }[],
): Promise<void> {
  const ids = updates.map(update => update.contactId)
  await touch(tx, tenantId, ids)
  await emitContactsUpdated(tx, tenantId, updates)
}

/** Updates what is derived from the identities of locked contacts. */
async function refreshContacts(tx: Tx, tenantId: string, contacts: readonly LockedContact[]): Promise<void> {
  const definitions = await getFieldDefinitions(tx, tenantId)
  for (const contact of contacts) await saveProfile(tx, tenantId, contact, contact, definitions)
}

export interface CustomerProfile {
  name?: string
  username?: string
}

/** Stores the name and username that a customer has at the provider. A contact that has a name keeps it. */
export async function applyProfile(
  tx: Tx,
  tenantId: string,
  address: Address,
  { name, username }: CustomerProfile,
): Promise<void> {
  const contactId = await findContactByIdentity(tx, tenantId, address)
  const contact = contactId === undefined ? undefined : await lockContact(tx, tenantId, contactId)
  if (!contact) return
  if (username) await setUsername(tx, tenantId, contact.id, address, username)
  const trimmed = name?.trim().slice(0, 200)
  if (contact.name !== null || !trimmed) return
  const viewer = { tenantId, id: '', role: 'owner' as const, teamIds: [] }
  await changeContact(tx, viewer, contact, { name: trimmed }, await getFieldDefinitions(tx, tenantId))
}

/** Adds an address to a contact, unless another contact has it. */
export async function attachIdentity(
  tx: Tx,
  tenantId: string,
  contactId: string,
  address: Address,
): Promise<boolean> {
  return claimIdentity(tx, tenantId, contactId, toClaim(address))
}

/**
 * Adds phone numbers that the provider reported for its user ids to a locked contact. The user ids are no identities of
 * their own beside a phone number: they lead to the conversation, which goes by the number.
 */
export async function attachPhones(
  tx: Tx,
  tenantId: string,
  contactId: string,
  { channel, phones, userIds }: { channel: Channel; phones: readonly string[]; userIds: readonly string[] },
): Promise<void> {
  let isNew = false
  for (const externalId of phones)
    isNew = (await attachIdentity(tx, tenantId, contactId, { channel, externalId })) || isNew
  await replaceUserIds(tx, tenantId, contactId, { channel, phone: phones[0]!, userIds })
  const contact = isNew && (await lockContact(tx, tenantId, contactId))
  if (!contact) return
  await refreshContacts(tx, tenantId, [contact])
  await touch(tx, tenantId, [contactId])
  await emitContactsUpdated(tx, tenantId, [{ contactId, changes: { phone: true } }])
}
