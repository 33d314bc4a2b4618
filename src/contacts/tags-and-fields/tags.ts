/** Tags and who has them. `labeledCount` is exact: every change of who has a tag writes its delta with it. */
import type { Queryable, Tx } from '../../platform/db/db.ts'
import { fail } from '../../platform/errors.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { lockVisibleContact } from '../contacts.ts'
import { emitContactsUpdated } from '../emit-events.ts'
import { TagNameTaken, TagNotFound } from '../errors.ts'
import { TagId } from '../schemas.ts'
import { normalizeText } from '../search-text.ts'
import { lockContacts, touch } from '../store/contacts.ts'
import {
  deleteContactTag,
  findTagsByKey,
  insertContactTags,
  insertTag,
  listTagsContaining,
  lockTagsForShare,
  markTagDeleted,
  type TagRow,
  tagExists,
} from '../store/tags.ts'

type Creator = { tenantId: string; id: string | null }

export async function createTag(tx: Tx, maker: Creator, name: string): Promise<TagRow> {
  const id = TagId.create()
  const made = await insertTag(tx, maker.tenantId, {
    id,
    name,
    nameKey: normalizeText(name),
    createdBy: maker.id,
  })
  if (!made) fail(TagNameTaken, `"${name}" is taken`)
  return { id, name, createdAt: tx.now, createdBy: maker.id, labeledCount: 0 }
}

/** The ids of tags with these names, by the names given; those that do not exist yet are made. */
export async function findOrCreateTags(
  tx: Tx,
  maker: Creator,
  names: readonly string[],
): Promise<Map<string, string>> {
  const byKey = new Map(names.map(name => [normalizeText(name), name]))
  const keys = [...byKey.keys()].sort()
  const existing = new Set((await findTagsByKey(tx, maker.tenantId, keys)).map(tag => tag.key))
  for (const key of keys) {
    if (existing.has(key)) continue
    await insertTag(tx, maker.tenantId, {
      id: TagId.create(),
      name: byKey.get(key)!,
      nameKey: key,
      createdBy: maker.id,
    })
  }
  const found = new Map((await findTagsByKey(tx, maker.tenantId, keys)).map(tag => [tag.key, tag.id]))
  return new Map(names.map(name => [name, found.get(normalizeText(name))!]))
}

export async function tagContact(tx: Tx, caller: Caller, contactId: string, tagId: string): Promise<void> {
  const contact = await lockVisibleContact(tx, caller, contactId)
  if (!(await tagExists(tx, caller.tenantId, tagId))) fail(TagNotFound)
  await addTags(tx, caller.tenantId, [{ contactId: contact.id, tagId }])
}

/**
 * Puts tags on many contacts, and says so in an event for each that changed. The contacts and tags are known to
 * exist; a contact that is deleted meanwhile is left out.
 */
export async function addTags(
  tx: Tx,
  tenantId: string,
  pairs: readonly { contactId: string; tagId: string }[],
  options: { silently?: boolean; causationDepth?: number } = {},
): Promise<void> {
  const ids = [...new Set(pairs.map(pair => pair.contactId))]
  const locked = new Set((await lockContacts(tx, tenantId, ids)).map(contact => contact.id))
  const added = await insertContactTags(
    tx,
    tenantId,
    pairs.filter(pair => locked.has(pair.contactId)),
  )
  if (added.length === 0) return
  const changes = new Map<string, string[]>()
  for (const { contactId, tagId } of added) changes.set(contactId, [...(changes.get(contactId) ?? []), tagId])
  if (options.silently) return
  const updates = [...changes].map(([contactId, addedTagIds]) => ({ contactId, changes: { addedTagIds } }))
  // In order, without waiting for the first before the second leaves.
  await Promise.all([
    touch(tx, tenantId, [...changes.keys()]),
    emitContactsUpdated(tx, tenantId, updates, options),
  ])
}

export async function untagContact(tx: Tx, caller: Caller, contactId: string, tagId: string): Promise<void> {
  const contact = await lockVisibleContact(tx, caller, contactId)
  if (!(await tagExists(tx, caller.tenantId, tagId))) fail(TagNotFound)
  await removeTag(tx, caller.tenantId, contact.id, tagId)
}

/** The contact is locked. */
export async function removeTag(
  tx: Tx,
  tenantId: string,
  contactId: string,
  tagId: string,
  options: { causationDepth?: number } = {},
): Promise<void> {
  if (!(await deleteContactTag(tx, tenantId, contactId, tagId))) return
  await touch(tx, tenantId, [contactId])
  await emitContactsUpdated(tx, tenantId, [{ contactId, changes: { removedTagIds: [tagId] } }], options)
}

/** From here on no read shows it; contacts are swept later. Gives its name. */
export async function deleteTag(tx: Tx, tenantId: string, id: string): Promise<string> {
  return (await markTagDeleted(tx, tenantId, id)) ?? fail(TagNotFound)
}

/** Those that exist; they stay until the transaction ends. */
export function lockTags(tx: Tx, tenantId: string, ids: readonly string[]): Promise<Set<string>> {
  return lockTagsForShare(tx, tenantId, ids)
}

/** The tags that a searched text is part of the name of. */
export function findTagsContaining(on: Queryable, tenantId: string, text: string): Promise<string[]> {
  return listTagsContaining(on, tenantId, normalizeText(text))
}
