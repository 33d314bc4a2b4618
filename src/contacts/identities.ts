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
import { holdContact } from './store/contacts.ts'
import { claimIdentity, claimPhones, findIdentity } from './store/identities.ts'
import { type IdentityClaim, insertContacts } from './store/insert.ts'

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

const attempts = 5

export async function findOrCreateContactByIdentity(
  tx: Tx,
  tenantId: string,
  address: Address & { name?: string },
): Promise<{ contactId: string; created: boolean }> {
  const claim = claimOf(address)
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const holder = await findIdentity(tx, tenantId, claim.channel, claim.externalId)
    const created = holder ? undefined : await create(tx, tenantId, claim, address.name)
    const contactId = holder?.contactId ?? created
    // Otherwise someone else was faster, or is deleting the contact: look again.
    if (contactId === undefined || (holder && !(await holdContact(tx, tenantId, contactId)))) continue
    if (claim.phone && address.channel !== claim.channel) {
      await claimIdentity(tx, tenantId, contactId, {
        ...claim,
        id: newId('identity'),
        channel: address.channel,
      })
    }
    if (created) await announceCreated(tx, tenantId, [created])
    return { contactId, created: created !== undefined }
  }
  throw new Error('an identity kept changing hands')
}

async function create(
  tx: Tx,
  tenantId: string,
  claim: IdentityClaim,
  name: string | undefined,
): Promise<string | undefined> {
  const book = await fieldBook(tx, tenantId)
  const shown = name?.trim().slice(0, 200) || null
  const row = newContactRow(tx.now, book, { name: shown, fields: {}, claim })
  return (await insertContacts(tx, tenantId, [row])).has(row.id) ? row.id : undefined
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
