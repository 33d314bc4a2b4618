/**
 * Events that other systems send: about a contact, told in the log, heard by journeys. What arrives while some are being
 * written goes together with the next, as shops tell of thousands in a minute.
 */

import { findContact } from '../contacts/contacts.ts'
import { ContactNotFound } from '../contacts/errors.ts'
import { findIdentity } from '../contacts/identities.ts'
import { canonicalPhone } from '../contacts/phones.ts'
import { seesAll } from '../contacts/visibility.ts'
import { batching } from '../platform/db/batching.ts'
import type { Db } from '../platform/db/db.ts'
import { transactAtOnce } from '../platform/db/transact.ts'
import { fail, invalid, violation } from '../platform/errors.ts'
import type { Caller } from '../platform/http/caller.ts'
import type { Write } from '../platform/http/route.ts'
import type { EventReceived } from './events.ts'
import type { Json } from './nodes/kind.ts'
import type { NewEvent } from './run-schemas.ts'
import { type SentEvent, tellOfContacts } from './store/sent-events.ts'

const ours = /^(contact|conversation|message|comment|campaign|event|webhook)\./
const mostBytes = 32 * 1024

export interface Receipt {
  contactId: string
  name: string
  key: string | null
}

/** Checked in full before any is written; `alone` is there where the answer must be stored with it. */
export async function receiveEvent(
  db: Db,
  caller: Caller,
  input: NewEvent,
  alone: Write | undefined,
): Promise<Receipt> {
  const { name, key = null, data = {} } = input
  if (ours.test(name)) invalid(violation('name', 'reserved', 'is a name of the service itself'))
  if (Buffer.byteLength(JSON.stringify(data)) > mostBytes)
    invalid(violation('data', 'too_large', `must take at most ${mostBytes} bytes`))
  const { tenantId } = caller
  const about = (contactId: string): SentEvent => {
    const told: EventReceived = { contactId, event: { name, key, data: data as Record<string, Json> } }
    return { tenantId, contactId, data: JSON.stringify(told) }
  }
  const receipt = (contactId: string, told: boolean | undefined) =>
    told ? { contactId, name, key } : fail(ContactNotFound)
  const asked = await contactOf(db, caller, input)
  // Most are there by the id that was given, and whoever sees all contacts need not ask which these are.
  if (!alone && seesAll(caller) && (await tellSoon(db, about(asked)))) return receipt(asked, true)
  const found = await findContact(db, caller, asked)
  if (alone) return alone(async tx => receipt(found, (await tellOfContacts(tx, [about(found)]))[0]))
  return receipt(found, await tellSoon(db, about(found)))
}

const tellSoon = batching<SentEvent, boolean>({ most: 64, atOnce: 2 }, (db, events) =>
  transactAtOnce(db, tx => tellOfContacts(tx, events)),
)

/** As given, or of a phone number; whether it is there and may be seen is not asked yet. */
async function contactOf(db: Db, { tenantId }: Caller, { contactId, phone }: NewEvent): Promise<string> {
  if ((contactId === undefined) === (phone === undefined))
    invalid(violation('contactId', 'required', 'give either contactId or phone'))
  if (contactId !== undefined) return contactId
  const canonical =
    canonicalPhone(phone!) ??
    invalid(violation('phone', 'invalid_phone', 'must be a phone number in E.164 form, such as +14155550100'))
  const holder = await findIdentity(db, tenantId, 'chatapp', canonical)
  return holder?.contactId ?? fail(ContactNotFound)
}
