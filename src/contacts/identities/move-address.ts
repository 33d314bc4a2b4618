/**
 * Changes which contact has an address, and what is known of the person behind it. Every function locks the contacts that
 * it changes.
 */
import type { Channel } from '../../platform/config.ts'
import type { Tx } from '../../platform/db/db.ts'
import { fail, Problem } from '../../platform/errors.ts'
import { isEmail } from '../../platform/http/schemas.ts'
import { type ContactChange, changeContact, saveProfile } from '../contacts.ts'
import { emitContactsUpdated } from '../emit-events.ts'
import { ContactNotFound, ContactPhoneTaken } from '../errors.ts'
import type { ContactChanges } from '../events.ts'
import { IdentityId } from '../schemas.ts'
import { type LockedContact, lockContact, lockContacts, touch } from '../store/contacts.ts'
import {
  claimIdentity,
  claimPhones,
  findIdentity,
  type IdentityRow,
  listIdentities,
  releaseAddress,
  replaceUserIds,
  setUsername,
} from '../store/identities.ts'
import type { IdentityClaim } from '../store/insert-contacts.ts'
import { emailFieldId } from '../tags-and-fields/custom-field-values.ts'
import { getFieldDefinitions } from '../tags-and-fields/custom-fields.ts'
import { type Address, findContactByIdentity, maxAttempts, toClaim, toContactName } from './identities.ts'
import { canonicalPhone } from './phones.ts'

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
  /** As it was given. Not stored if it is no address; the same holds for the phone number. */
  email?: string
  phone?: string
  /** Addresses that the same source gave before: the contact has one of them from there. */
  earlierEmails?: readonly string[]
}

/**
 * Stores what is known of a customer at the provider. A contact keeps the name, the phone number and the e-mail address
 * that it has, except for an address that came from the same source. The phone number of another contact stays there.
 */
export async function applyProfile(
  tx: Tx,
  tenantId: string,
  address: Address,
  profile: CustomerProfile,
): Promise<void> {
  const contactId = await findContactByIdentity(tx, tenantId, address)
  const contact = contactId === undefined ? undefined : await lockContact(tx, tenantId, contactId)
  if (!contact) return
  if (profile.username) await setUsername(tx, tenantId, contact.id, address, profile.username)
  const name = toContactName(profile.name)
  const email = chooseEmail(contact, profile)
  const phone = await choosePhone(tx, tenantId, contact, profile)
  const change = {
    ...(contact.name === null && name ? { name } : {}),
    ...(email ? { values: { [emailFieldId]: email } } : {}),
  }
  if (!phone && Object.keys(change).length === 0) return
  const viewer = { tenantId, id: '', role: 'owner' as const, teamIds: [] }
  const definitions = await getFieldDefinitions(tx, tenantId)
  const apply = (known: ContactChange) => changeContact(tx, viewer, contact, known, definitions)
  await apply(phone ? { ...change, phone } : change).catch(error => {
    if (!(error instanceof Problem) || error.kind.code !== ContactPhoneTaken.code) throw error
    return apply(change)
  })
}

function chooseEmail(
  { fields }: LockedContact,
  { email, earlierEmails = [] }: CustomerProfile,
): string | undefined {
  const current = fields[emailFieldId]
  const isReplaceable = !current || earlierEmails.some(earlier => earlier.trim() === current)
  return isReplaceable && isEmail(email?.trim() ?? '') ? email!.trim() : undefined
}

async function choosePhone(
  tx: Tx,
  tenantId: string,
  { id }: LockedContact,
  { phone = '' }: CustomerProfile,
): Promise<string | undefined> {
  const canonical = canonicalPhone(phone)
  if (canonical === undefined) return undefined
  const identities = await listIdentities(tx, tenantId, id)
  return identities.every(identity => identity.phone === null) ? canonical : undefined
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
