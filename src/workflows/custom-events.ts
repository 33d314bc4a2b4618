/**
 * Custom events about a contact that other systems send. Events that arrive while a batch is in flight form the next
 * batch.
 */

import { canSeeAll } from '../contacts/contact-views.ts'
import { editContact, findContact, parsePhone } from '../contacts/contacts.ts'
import { createContact } from '../contacts/create-contacts.ts'
import { ContactNotFound, ContactPhoneTaken } from '../contacts/errors.ts'
import { findIdentity, listPhoneOwners } from '../contacts/identities/identities.ts'
import { canonicalPhone } from '../contacts/identities/phones.ts'
import { batched } from '../platform/db/batched.ts'
import type { Db, Tx } from '../platform/db/db.ts'
import { transactPipelined } from '../platform/db/transact.ts'
import { fail, invalid, Problem, violation } from '../platform/errors.ts'
import type { Caller } from '../platform/http/caller.ts'
import type { Write } from '../platform/http/route.ts'
import { type EventReceived, findDataViolation } from './events.ts'
import type { Json } from './nodes/node-type.ts'
import type { NewEvent } from './runs/run-schemas.ts'
import { type CustomEvent, emitCustomEvents } from './store/custom-events.ts'

const reservedPrefixes = [
  'contact.',
  'conversation.',
  'message.',
  'comment.',
  'campaign.',
  'event.',
  'webhook.',
]

export interface EventReceipt {
  contactId: string
  name: string
  key: string | null
}

/** Emits the event. With `exclusiveWrite` it is written in the transaction that stores the response. */
export async function receiveEvent(
  db: Db,
  caller: Caller,
  input: NewEvent,
  { write, exclusiveWrite }: { write: Write; exclusiveWrite: Write | undefined },
): Promise<EventReceipt> {
  const { name, key = null, data = {} } = input
  if (reservedPrefixes.some(prefix => name.startsWith(prefix)))
    invalid(violation('name', 'reserved', `must not start with ${reservedPrefixes.join(', ')}`))
  const tooLarge = findDataViolation(data, 'data')
  if (tooLarge) invalid(tooLarge)
  const { tenantId } = caller
  const buildEvent = (contactId: string): CustomEvent => {
    const event: EventReceived = { contactId, event: { name, key, data: data as Record<string, Json> } }
    return { tenantId, contactId, name, data: JSON.stringify(event) }
  }
  const toReceipt = (contactId: string, emitted: boolean | undefined) =>
    emitted ? { contactId, name, key } : fail(ContactNotFound)
  if (input.contact)
    return write(async tx => {
      const contactId = await upsertContact(tx, caller, input)
      const [emitted] = await emitCustomEvents(tx, [buildEvent(contactId)])
      return toReceipt(contactId, emitted)
    })
  const givenId = await resolveContactId(db, caller, input)
  // The fast path: most ids exist, and a caller who can see all contacts needs no access check.
  if (!exclusiveWrite && canSeeAll(caller) && (await emitBatched(db, buildEvent(givenId))))
    return toReceipt(givenId, true)
  const contactId = await findContact(db, caller, givenId)
  if (exclusiveWrite)
    return exclusiveWrite(async tx => {
      const [emitted] = await emitCustomEvents(tx, [buildEvent(contactId)])
      return toReceipt(contactId, emitted)
    })
  return toReceipt(contactId, await emitBatched(db, buildEvent(contactId)))
}

/** Creates the contact with the phone number, or updates it. Concurrent requests for one number create one contact. */
async function upsertContact(tx: Tx, caller: Caller, input: NewEvent): Promise<string> {
  const { contact } = input
  if (input.contactId !== undefined || input.phone !== undefined)
    invalid(violation('contact', 'conflict', 'must not be set together with contactId or phone'))
  if (contact?.phone === undefined) invalid(violation('contact.phone', 'required', 'is required'))
  const { phone, ...changes } = contact
  const findExisting = () => findIdentity(tx, caller.tenantId, 'chatapp', parsePhone(phone, 'contact.phone'))
  let existing = await findExisting()
  if (!existing) {
    const created = await createContact(tx, caller, contact).catch(ignoreTaken)
    if (created) return created.id
    existing = await findExisting()
  }
  const id = await findContact(tx, caller, existing?.contactId ?? fail(ContactNotFound))
  if (Object.keys(changes).length > 0) await editContact(tx, caller, id, changes)
  return id
}

function ignoreTaken(error: unknown): undefined {
  if (!(error instanceof Problem) || error.kind !== ContactPhoneTaken) throw error
}

const emitBatched = batched<CustomEvent, boolean>(
  { batchSize: 64, concurrency: 2, ownerOf: ({ tenantId }) => tenantId },
  (db, events) => transactPipelined(db, tx => emitCustomEvents(tx, events)),
)

const findPhoneOwnerBatched = batched<{ tenantId: string; phone: string }, string | undefined>(
  { batchSize: 64, concurrency: 2 },
  listPhoneOwners,
)

/** Returns the given id, or that of the phone number's contact. Access is not checked. */
async function resolveContactId(
  db: Db,
  { tenantId }: Caller,
  { contactId, phone }: NewEvent,
): Promise<string> {
  if ((contactId === undefined) === (phone === undefined))
    invalid(violation('contactId', 'required', 'must set exactly one of contactId, phone, contact'))
  if (contactId !== undefined) return contactId
  const canonical =
    canonicalPhone(phone!) ??
    invalid(violation('phone', 'invalid_phone', 'must be a phone number in E.164 form, such as +14155550100'))
  return (await findPhoneOwnerBatched(db, { tenantId, phone: canonical })) ?? fail(ContactNotFound)
}
