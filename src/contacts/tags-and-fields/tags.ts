/** Manages tags and the contacts they are on. `labeledCount` is exact: every statement that changes it writes a delta. */
import { isUniqueViolation, type Queryable, type Tx } from '../../platform/db/db.ts'
import { fail } from '../../platform/errors.ts'
import { emitChanged } from '../../platform/events/changed.ts'
import { groupBy } from '../../platform/group-by.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { enqueue } from '../../platform/jobs/enqueue.ts'
import { lockVisibleContact } from '../contacts.ts'
import { emitContactsUpdated } from '../emit-events.ts'
import { TagNameTaken, TagNotFound } from '../errors.ts'
import { sweepDeletedTag } from '../jobs.ts'
import { type Tag, TagId } from '../schemas.ts'
import { normalizeText } from '../search/search-text.ts'
import { type LockedContact, lockContactIds, touch } from '../store/contacts.ts'
import {
  deleteContactTag,
  findTagsByKey,
  insertContactTags,
  insertTag,
  listTagsContaining,
  markTagDeleted,
  tagExists,
  updateTag,
} from '../store/tags-and-fields/tags.ts'

export { lockTags } from '../store/tags-and-fields/tags.ts'

interface ContactTag {
  contactId: string
  tagId: string
}

interface TagOptions {
  silently?: boolean
  causationDepth?: number
}

type Creator = { tenantId: string; id: string | null }

export async function createTag(tx: Tx, creator: Creator, text: string): Promise<Tag> {
  const name = text.trim()
  const id = TagId.create()
  const row = { id, name, nameKey: normalizeText(name), createdBy: creator.id }
  if (!(await insertTag(tx, creator.tenantId, row))) fail(TagNameTaken, `"${name}" is taken`)
  await emitChanged(tx, creator.tenantId, { kind: 'tag', id })
  return { id, name, color: null, createdAt: tx.now, createdBy: creator.id, labeledCount: 0 }
}

/** Renames or recolors a tag. Contacts, segments and workflows refer to it by its id. */
export async function editTag(
  tx: Tx,
  tenantId: string,
  id: string,
  patch: { name?: string; color?: string | null },
): Promise<Tag> {
  const name = patch.name?.trim()
  const change = {
    ...(name === undefined ? {} : { name, nameKey: normalizeText(name) }),
    ...(patch.color === undefined ? {} : { color: patch.color?.toLowerCase() ?? null }),
  }
  const tag = await updateTag(tx, tenantId, id, change).catch(error =>
    isUniqueViolation(error) ? fail(TagNameTaken, `"${name}" is taken`) : Promise.reject(error),
  )
  if (!tag) fail(TagNotFound)
  await emitChanged(tx, tenantId, { kind: 'tag', id })
  return tag
}

/** Returns the names among these that no tag has. */
export async function findMissingTags(
  on: Queryable,
  tenantId: string,
  names: readonly string[],
): Promise<Set<string>> {
  const tags = names.length === 0 ? [] : await findTagsByKey(on, tenantId, names.map(normalizeText))
  const keys = new Set(tags.map(tag => tag.key))
  return new Set(names.filter(name => !keys.has(normalizeText(name))))
}

export async function findOrCreateTags(
  tx: Tx,
  creator: Creator,
  names: readonly string[],
): Promise<Map<string, string>> {
  const byKey = new Map(names.map(name => [normalizeText(name), name]))
  const keys = [...byKey.keys()].sort()
  const existing = new Set((await findTagsByKey(tx, creator.tenantId, keys)).map(tag => tag.key))
  for (const key of keys) {
    if (existing.has(key)) continue
    const row = { id: TagId.create(), name: byKey.get(key)!, nameKey: key, createdBy: creator.id }
    if (await insertTag(tx, creator.tenantId, row))
      await emitChanged(tx, creator.tenantId, { kind: 'tag', id: row.id })
  }
  const ids = new Map((await findTagsByKey(tx, creator.tenantId, keys)).map(tag => [tag.key, tag.id]))
  return new Map(names.map(name => [name, ids.get(normalizeText(name))!]))
}

export async function tagContact(tx: Tx, caller: Caller, contactId: string, tagId: string): Promise<void> {
  const contact = await lockToTag(tx, caller, contactId, tagId)
  await addTagsToLocked(tx, caller.tenantId, [{ contactId: contact.id, tagId }])
}

async function lockToTag(tx: Tx, caller: Caller, contactId: string, tagId: string): Promise<LockedContact> {
  const [contact, exists] = await Promise.all([
    lockVisibleContact(tx, caller, contactId),
    tagExists(tx, caller.tenantId, tagId),
  ])
  return exists ? contact : fail(TagNotFound)
}

/**
 * Adds tags to contacts and emits an event for each contact that changed. The tags must exist; contacts that were
 * deleted meanwhile are skipped.
 */
export async function addTags(
  tx: Tx,
  tenantId: string,
  pairs: readonly ContactTag[],
  options: TagOptions = {},
): Promise<void> {
  const ids = [...new Set(pairs.map(pair => pair.contactId))]
  const locked = await lockContactIds(tx, tenantId, ids)
  await addTagsToLocked(
    tx,
    tenantId,
    pairs.filter(pair => locked.has(pair.contactId)),
    options,
  )
}

/** As `addTags`, for contacts that the transaction has locked. */
export async function addTagsToLocked(
  tx: Tx,
  tenantId: string,
  pairs: readonly ContactTag[],
  options: TagOptions = {},
): Promise<void> {
  const added = await insertContactTags(tx, tenantId, pairs)
  if (added.length === 0 || options.silently) return
  const changed = groupBy(added, pair => pair.contactId)
  const updates = [...changed].map(([contactId, pairs]) => ({
    contactId,
    changes: { addedTagIds: pairs.map(pair => pair.tagId) },
  }))
  // Pipelined: both statements are sent before the first one is answered.
  await Promise.all([
    touch(tx, tenantId, [...changed.keys()]),
    emitContactsUpdated(tx, tenantId, updates, options),
  ])
}

export async function untagContact(tx: Tx, caller: Caller, contactId: string, tagId: string): Promise<void> {
  const contact = await lockToTag(tx, caller, contactId, tagId)
  await removeTag(tx, caller.tenantId, contact.id, tagId)
}

/** Removes a tag from a locked contact. Emits nothing if the contact does not have it. */
export async function removeTag(
  tx: Tx,
  tenantId: string,
  contactId: string,
  tagId: string,
  options: { causationDepth?: number } = {},
): Promise<void> {
  if (!(await deleteContactTag(tx, tenantId, contactId, tagId))) return
  await Promise.all([
    touch(tx, tenantId, [contactId]),
    emitContactsUpdated(tx, tenantId, [{ contactId, changes: { removedTagIds: [tagId] } }], options),
  ])
}

/** Hides a tag from all reads and enqueues its removal from contacts. Returns its name. */
export async function deleteTag(tx: Tx, tenantId: string, id: string): Promise<string> {
  const name = (await markTagDeleted(tx, tenantId, id)) ?? fail(TagNotFound)
  await enqueue(tx, sweepDeletedTag, { tenantId, payload: { tagId: id } })
  await emitChanged(tx, tenantId, { kind: 'tag', id, revision: null })
  return name
}

export function findTagsContaining(on: Queryable, tenantId: string, text: string): Promise<string[]> {
  return listTagsContaining(on, tenantId, normalizeText(text))
}
