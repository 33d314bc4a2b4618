/** Opt-outs: a contact that does not want messages on a channel. The send gate asks here. */

import type { Channel } from '../platform/config.ts'
import type { Queryable, Tx } from '../platform/db/db.ts'
import type { Caller } from '../platform/http/caller.ts'
import { lockVisibleContact } from './contacts.ts'
import { touch } from './store/contacts.ts'
import { deleteOptOut, insertOptOut, listOptOuts } from './store/opt-outs.ts'

export { hasOptedOut } from './store/opt-outs.ts'

/** Of a contact that is known to exist. True if that changed anything. */
export async function setOptOut(
  tx: Tx,
  tenantId: string,
  contactId: string,
  channel: Channel,
  optedOut: boolean,
): Promise<boolean> {
  const changed = await (optedOut ? insertOptOut : deleteOptOut)(tx, tenantId, contactId, channel)
  if (changed) await touch(tx, tenantId, [contactId])
  return changed
}

export async function changeOptOut(
  tx: Tx,
  caller: Caller,
  id: string,
  channel: Channel,
  optedOut: boolean,
): Promise<void> {
  const contact = await lockVisibleContact(tx, caller, id)
  await setOptOut(tx, caller.tenantId, contact.id, channel, optedOut)
}

/** Those of the contacts that opted out of the channel. */
export function listOptedOut(
  on: Queryable,
  tenantId: string,
  contactIds: readonly string[],
  channel: Channel,
): Promise<Set<string>> {
  return listOptOuts(on, tenantId, contactIds, channel)
}
