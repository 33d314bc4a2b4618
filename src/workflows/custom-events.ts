/**
 * Events that other systems send: about a contact, told in the log, heard by journeys. What arrives while some are being
 * written goes together with the next, as shops tell of thousands in a minute.
 */

import { findContact } from '../contacts/contacts.ts'
import { ContactNotFound } from '../contacts/errors.ts'
import { findIdentity } from '../contacts/identities.ts'
import { canonicalPhone } from '../contacts/phones.ts'
import { canSeeAll } from '../contacts/visibility.ts'
import { batched } from '../platform/db/batched.ts'
import type { Db } from '../platform/db/db.ts'
import { transactPipelined } from '../platform/db/transact.ts'
import { fail, invalid, violation } from '../platform/errors.ts'
import type { Caller } from '../platform/http/caller.ts'
import type { Write } from '../platform/http/route.ts'
import type { EventReceived } from './events.ts'
import type { Json } from './nodes/node-type.ts'
import type { NewEvent } from './run-schemas.ts'
import { type CustomEvent, emitCustomEvents } from './store/custom-events.ts'

const reservedNames = /^(contact|conversation|message|comment|campaign|event|webhook)\./
const maxDataBytes = 32 * 1024

export interface EventReceipt {
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
): Promise<EventReceipt> {
  const { name, key = null, data = {} } = input
  if (reservedNames.test(name)) invalid(violation('name', 'reserved', 'is a name of the service itself'))
  if (Buffer.byteLength(JSON.stringify(data)) > maxDataBytes)
    invalid(violation('data', 'too_large', `must take at most ${maxDataBytes} bytes`))
  const { tenantId } = caller
  const about = (contactId: string): CustomEvent => {
    const told: EventReceived = { contactId, event: { name, key, data: data as Record<string, Json> } }
    return { tenantId, contactId, data: JSON.stringify(told) }
  }
  const receipt = (contactId: string, told: boolean | undefined) =>
    told ? { contactId, name, key } : fail(ContactNotFound)
  const asked = await resolveContactId(db, caller, input)
  // Most are there by the id that was given, and whoever sees all contacts need not ask which these are.
  if (!alone && canSeeAll(caller) && (await emitBatched(db, about(asked)))) return receipt(asked, true)
  const found = await findContact(db, caller, asked)
  if (alone) return alone(async tx => receipt(found, (await emitCustomEvents(tx, [about(found)]))[0]))
  return receipt(found, await emitBatched(db, about(found)))
}

const emitBatched = batched<CustomEvent, boolean>({ batchSize: 64, concurrency: 2 }, (db, events) =>
  transactPipelined(db, tx => emitCustomEvents(tx, events)),
)

/** As given, or of a phone number; whether it is there and may be seen is not asked yet. */
async function resolveContactId(
  db: Db,
  { tenantId }: Caller,
  { contactId, phone }: NewEvent,
): Promise<string> {
  if ((contactId === undefined) === (phone === undefined))
    invalid(violation('contactId', 'required', 'give either contactId or phone'))
  if (contactId !== undefined) return contactId
  const canonical =
    canonicalPhone(phone!) ??
    invalid(violation('phone', 'invalid_phone', 'must be a phone number in E.164 form, such as +14155550100'))
  const holder = await findIdentity(db, tenantId, 'chatapp', canonical)
  return holder?.contactId ?? fail(ContactNotFound)
}
