/** Events that other systems send: about a contact, told in the log, heard by journeys. */
import { findContact } from '../contacts/contacts.ts'
import { ContactNotFound } from '../contacts/errors.ts'
import { canonicalPhone } from '../contacts/phones.ts'
import { holdContact } from '../contacts/store/contacts.ts'
import { findIdentity } from '../contacts/store/identities.ts'
import type { Tx } from '../platform/db/db.ts'
import { fail, invalid, violation } from '../platform/errors.ts'
import { emit } from '../platform/events/event.ts'
import type { Caller } from '../platform/http/caller.ts'
import { eventReceived } from './events.ts'
import type { Json } from './nodes/kind.ts'
import type { NewEvent } from './run-schemas.ts'

const ours = /^(contact|conversation|message|comment|campaign|event|webhook)\./
const mostBytes = 32 * 1024

export async function receiveEvent(
  tx: Tx,
  caller: Caller,
  input: NewEvent,
): Promise<{ contactId: string; name: string; key: string | null }> {
  const { name, key = null, data = {} } = input
  if (ours.test(name)) invalid(violation('name', 'reserved', 'is a name of the service itself'))
  if (Buffer.byteLength(JSON.stringify(data)) > mostBytes)
    invalid(violation('data', 'too_large', `must take at most ${mostBytes} bytes`))
  const contactId = await contactOf(tx, caller, input)
  if (!(await holdContact(tx, caller.tenantId, contactId))) fail(ContactNotFound)
  const event = { name, key, data: data as Record<string, Json> }
  await emit(tx, eventReceived, { tenantId: caller.tenantId, data: { contactId, event } })
  return { contactId, name, key }
}

async function contactOf(tx: Tx, caller: Caller, { contactId, phone }: NewEvent): Promise<string> {
  if ((contactId === undefined) === (phone === undefined))
    invalid(violation('contactId', 'required', 'give either contactId or phone'))
  if (contactId !== undefined) return findContact(tx, caller, contactId)
  const canonical =
    canonicalPhone(phone!) ??
    invalid(violation('phone', 'invalid_phone', 'must be a phone number in E.164 form, such as +14155550100'))
  const holder = await findIdentity(tx, caller.tenantId, 'chatapp', canonical)
  return findContact(tx, caller, holder?.contactId ?? fail(ContactNotFound))
}
