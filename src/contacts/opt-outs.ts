/** Records which channels a contact opted out of. The send policy queries them. */
import type { Channel } from '../platform/config.ts'
import { type Actor, setActor } from '../platform/db/actor.ts'
import type { Queryable, Tx } from '../platform/db/db.ts'
import type { Caller } from '../platform/http/caller.ts'
import { findContact, lockVisibleContact } from './contacts.ts'
import { emitContactsUpdated } from './emit-events.ts'
import type { OptOut } from './schemas.ts'
import { touch } from './store/contacts.ts'
import { deleteOptOut, insertOptOut, listOptOuts } from './store/opt-outs.ts'

export { findRefusals, hasOptedOut, listOptOutChannels } from './store/opt-outs.ts'

/**
 * Sets or clears an opt-out of an existing contact and emits an event. Returns whether it changed. Messages in
 * `exceptMessageIds` are still delivered.
 */
export async function setOptOut(
  tx: Tx,
  tenantId: string,
  contactId: string,
  channel: Channel,
  optedOut: boolean,
  exceptMessageIds: readonly string[] = [],
): Promise<boolean> {
  const changed = optedOut
    ? await insertOptOut(tx, tenantId, contactId, channel, exceptMessageIds)
    : await deleteOptOut(tx, tenantId, contactId, channel)
  if (!changed) return false
  await touch(tx, tenantId, [contactId])
  await emitContactsUpdated(tx, tenantId, [{ contactId, changes: { optOuts: true } }])
  return true
}

/** Lists the opt-outs in effect, with who set them and when. */
export async function getOptOuts(on: Queryable, caller: Caller, id: string): Promise<OptOut[]> {
  const contactId = await findContact(on, caller, id)
  const rows = await listOptOuts(on, caller.tenantId, contactId)
  return rows.map(({ channel, at, setBy }) => {
    const [type, actorId] = setBy?.split(':') ?? []
    return { channel, at, setBy: type && actorId ? { type: type as Actor['type'], id: actorId } : null }
  })
}

export async function changeOptOut(
  tx: Tx,
  caller: Caller,
  id: string,
  channel: Channel,
  optedOut: boolean,
): Promise<void> {
  const contact = await lockVisibleContact(tx, caller, id)
  await setActor(tx, { type: caller.kind, id: caller.id })
  await setOptOut(tx, caller.tenantId, contact.id, channel, optedOut)
}
