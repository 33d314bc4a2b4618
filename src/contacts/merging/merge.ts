/**
 * Merges two contacts of one person. The survivor keeps its name, values and archived state; a missing name, picture
 * and missing values come from the other contact; tags, identities, conversations, chats, opt-outs and notes are combined. The id of
 * the other contact resolves to the survivor afterwards.
 */
import type { Tx } from '../../platform/db/db.ts'
import { fail, invalid, violation } from '../../platform/errors.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { detachContact, getContact, saveProfile } from '../contacts.ts'
import { emitContactArchived, emitContactsUpdated } from '../emit-events.ts'
import { ContactNotFound } from '../errors.ts'
import type { ContactChanges } from '../events.ts'
import type { Contact } from '../schemas.ts'
import { findContactId, type LockedContact, lockContacts, touch } from '../store/contacts.ts'
import {
  lockMerges,
  moveActivity,
  moveAvatar,
  moveIdentities,
  moveTags,
  repointAliases,
} from '../store/merging/merge.ts'
import { moveNotes } from '../store/notes.ts'
import { getFieldDefinitions } from '../tags-and-fields/custom-fields.ts'

export { lockMerges } from '../store/merging/merge.ts'

export interface MergeResult {
  /** The survivor. */
  contact: Contact
  /** Undefined when the two ids already stood for one contact. */
  mergedId: string | undefined
  /** The conversations moved to the survivor. */
  conversationIds: string[]
}

const maxAttempts = 5

/** Locks the conversations of a contact. The contact is locked, so it gets no new ones meanwhile. */
export type LockConversations = (contactId: string) => Promise<void>

/**
 * The locks, in the order of docs/decisions/0005-lock-order.md: the merge lock of the workspace, both contacts, the
 * conversations of the contact that is merged away, activity. Each step fixes what the next one has to lock: no other
 * merge runs, then no conversation is created for either contact, then no session opens and no message arrives in the
 * conversations that move.
 */
export async function mergeContacts(
  tx: Tx,
  caller: Caller,
  id: string,
  intoId: string,
  lockConversations: LockConversations,
): Promise<MergeResult> {
  if (id === intoId) invalid(violation('intoContactId', 'same_contact', 'must be another contact'))
  await lockMerges(tx, caller.tenantId)
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const from = (await findContactId(tx, caller, id)) ?? fail(ContactNotFound)
    const into =
      (await findContactId(tx, caller, intoId)) ?? fail(ContactNotFound, `contact ${intoId} not found`)
    if (from === into)
      return { contact: await getContact(tx, caller, into), mergedId: undefined, conversationIds: [] }
    const locked = await lockContacts(tx, caller.tenantId, [from, into])
    const other = locked.find(contact => contact.id === from)
    const survivor = locked.find(contact => contact.id === into)
    // Otherwise one of them was merged or deleted before it was locked: resolve the ids again.
    if (other && survivor) {
      await lockConversations(other.id)
      return merge(tx, caller, other, survivor)
    }
  }
  throw new Error('contacts changed during every attempt to merge them')
}

async function merge(
  tx: Tx,
  caller: Caller,
  other: LockedContact,
  survivor: LockedContact,
): Promise<MergeResult> {
  const { tenantId } = caller
  await emitContactArchived(tx, tenantId, other.id, { deleted: true, mergedInto: survivor.id })
  const phonesMoved = await moveIdentities(tx, tenantId, other.id, survivor.id)
  const addedTagIds = await moveTags(tx, tenantId, other.id, survivor.id)
  const conversationIds = await moveActivity(tx, tenantId, other.id, survivor.id)
  await moveNotes(tx, tenantId, other.id, survivor.id)
  const definitions = await getFieldDefinitions(tx, tenantId)
  const name = survivor.name ?? other.name
  const fields = { ...omitDeletedFields(other.fields, id => definitions.byId.has(id)), ...survivor.fields }
  await saveProfile(tx, tenantId, survivor, { name, fields }, definitions)
  const avatarMoved = await moveAvatar(tx, tenantId, other.id, survivor.id)
  await repointAliases(tx, tenantId, other.id, survivor.id)
  await detachContact(tx, tenantId, other, survivor.id)
  await touch(tx, tenantId, [survivor.id])
  const fieldIds = Object.keys(fields).filter(id => !(id in survivor.fields))
  const changes: ContactChanges = {
    ...(name !== survivor.name ? { name: true as const } : {}),
    ...(avatarMoved ? { avatarUrl: true as const } : {}),
    ...(phonesMoved ? { phone: true as const } : {}),
    ...(fieldIds.length > 0 ? { fieldIds } : {}),
    ...(addedTagIds.length > 0 ? { addedTagIds } : {}),
  }
  await emitContactsUpdated(tx, tenantId, [{ contactId: survivor.id, changes }])
  return { contact: await getContact(tx, caller, survivor.id), mergedId: other.id, conversationIds }
}

function omitDeletedFields(
  fields: Record<string, string>,
  isLive: (id: string) => boolean,
): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).filter(([id]) => isLive(id)))
}
