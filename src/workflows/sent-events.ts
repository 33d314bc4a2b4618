/**
 * Events that other systems send: about a contact, told in the log, heard by journeys. What arrives while some are being
 * written goes together with the next, as shops tell of thousands in a minute.
 */

import { findContact } from '../contacts/contacts.ts'
import { ContactNotFound } from '../contacts/errors.ts'
import { canonicalPhone } from '../contacts/phones.ts'
import { holdContacts } from '../contacts/store/contacts.ts'
import { findIdentity } from '../contacts/store/identities.ts'
import { seesAll } from '../contacts/visibility.ts'
import { batching } from '../platform/db/batching.ts'
import type { Db, Tx } from '../platform/db/db.ts'
import { transact } from '../platform/db/transact.ts'
import { fail, invalid, violation } from '../platform/errors.ts'
import { emitMany, happened } from '../platform/events/event.ts'
import type { Caller } from '../platform/http/caller.ts'
import type { Write } from '../platform/http/route.ts'
import { eventReceived } from './events.ts'
import type { Json } from './nodes/kind.ts'
import type { NewEvent } from './run-schemas.ts'

const ours = /^(contact|conversation|message|comment|campaign|event|webhook)\./
const mostBytes = 32 * 1024

export interface Receipt {
  contactId: string
  name: string
  key: string | null
}

interface Received extends Receipt {
  tenantId: string
  data: Record<string, Json>
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
  const about = (contactId: string) => ({
    tenantId,
    contactId,
    name,
    key,
    data: data as Record<string, Json>,
  })
  const receipt = (contactId: string, told: boolean | undefined) =>
    told ? { contactId, name, key } : fail(ContactNotFound)
  const asked = await contactOf(db, caller, input)
  // Most are there by the id that was given, and whoever sees all contacts need not ask which these are.
  if (!alone && seesAll(caller) && (await tellSoon(db, about(asked)))) return receipt(asked, true)
  const found = await findContact(db, caller, asked)
  if (alone) return alone(async tx => receipt(found, (await tell(tx, [about(found)]))[0]))
  return receipt(found, await tellSoon(db, about(found)))
}

/** For each, whether its contact is still there; those are held until the commit. */
async function tell(tx: Tx, events: readonly Received[]): Promise<boolean[]> {
  const held = new Set<string>()
  for (const tenantId of [...new Set(events.map(one => one.tenantId))].sort()) {
    const ids = events.flatMap(one => (one.tenantId === tenantId ? [one.contactId] : []))
    for (const id of await holdContacts(tx, tenantId, ids)) held.add(`${tenantId}/${id}`)
  }
  const isHeld = ({ tenantId, contactId }: Received) => held.has(`${tenantId}/${contactId}`)
  await emitMany(
    tx,
    events
      .filter(isHeld)
      .map(({ tenantId, contactId, name, key, data }) =>
        happened(eventReceived, { tenantId, data: { contactId, event: { name, key, data } } }),
      ),
  )
  return events.map(isHeld)
}

const tellSoon = batching<Received, boolean>({ most: 64, atOnce: 2 }, (db, events) =>
  transact(db, tx => tell(tx, events)),
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
