/**
 * Finds or creates the contact of an address. The unique index on identities guarantees one contact per address under
 * concurrent calls. The returned contact is locked against deletion until the transaction ends.
 */

import type { Channel } from '../../platform/config.ts'
import type { Queryable, Tx } from '../../platform/db/db.ts'
import { hasVisibleCharacter } from '../../platform/visible-text.ts'
import { buildContactRow } from '../create-contacts.ts'
import { emitContactsCreated } from '../emit-events.ts'
import { IdentityId } from '../schemas.ts'
import { lockContactsForShare } from '../store/contacts.ts'
import {
  claimPhones,
  clearReserved,
  findIdentity,
  type IdentityRow,
  listIdentitiesByClaims,
} from '../store/identities.ts'
import { type IdentityClaim, insertContacts } from '../store/insert-contacts.ts'
import { getFieldDefinitions } from '../tags-and-fields/custom-fields.ts'
import { canonicalPhone } from './phones.ts'

export { findIdentity, listIdentities, listPhoneOwners } from '../store/identities.ts'

export interface Address {
  channel: Channel
  /** A phone number in E.164 form, or the provider's id of the person. */
  externalId: string
}

/**
 * Claims a phone number on chatapp whatever the channel of the address, where it is unique. For another channel it is
 * only reserved there, and that channel gets an identity of the same number.
 */
export function toClaim({ channel, externalId }: Address): IdentityClaim {
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

export const maxAttempts = 5
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

/** Returns the name of a contact as a customer gave it; null if nobody could see it. */
export function toContactName(given: string | null | undefined): string | null {
  const name = given?.trim().slice(0, 200) ?? ''
  return hasVisibleCharacter(name) ? name : null
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
    buildContactRow(tx.now, definitions, { name: toContactName(name), fields: {}, claim }),
  )
  const created = await insertContacts(tx, tenantId, rows)
  return rows.flatMap(({ id }, i) => (created.has(id) ? [{ claim: people[i]!.claim, id }] : []))
}
