/** Contacts: read, edited, archived and deleted. A contact is changed under its lock only, and each change emits an event. */
import type { Queryable, Tx } from '../platform/db/db.ts'
import { fail, invalid, Problem, violation } from '../platform/errors.ts'
import type { Caller } from '../platform/http/caller.ts'
import type { Viewer } from './access.ts'
import { loadContacts } from './contact-views.ts'
import { emitContactArchived, emitContactsUpdated } from './emit-events.ts'
import {
  ContactArchived,
  ContactNotArchived,
  ContactNotFound,
  ContactPhoneTaken,
  CustomFieldNotFound,
} from './errors.ts'
import type { ContactChanges } from './events.ts'
import { canonicalPhone } from './identities/phones.ts'
import { type Contact, type ContactPatch, IdentityId } from './schemas.ts'
import { buildStoredProfile, type Profile, toFieldValueRows } from './search/search-document.ts'
import {
  findContactId,
  type LockedContact,
  lockContact,
  markDeleted,
  replaceFieldValues,
  setArchived,
  touch,
  updateProfile,
} from './store/contacts.ts'
import {
  claimIdentity,
  findIdentity,
  listIdentities,
  releaseIdentities,
  releasePhone,
} from './store/identities.ts'
import type { IdentityClaim } from './store/insert-contacts.ts'
import { deleteTagsOfContact } from './store/tags-and-fields/tags.ts'
import { valueViolation } from './tags-and-fields/custom-field-values.ts'
import { type FieldDefinitions, getFieldDefinitions, toValuesById } from './tags-and-fields/custom-fields.ts'

export {
  isArchived,
  listDeletedContacts,
  lockContact,
  lockContacts,
  lockSurvivingContact,
} from './store/contacts.ts'

/** Resolves an id to its contact, following merges; 404 when the viewer may not see it. */
export async function findContact(on: Queryable, viewer: Viewer, id: string): Promise<string> {
  return (await findContactId(on, viewer, id)) ?? fail(ContactNotFound)
}

export async function getContact(on: Queryable, viewer: Viewer, id: string): Promise<Contact> {
  const [contact] = await loadContacts(on, viewer.tenantId, [await findContact(on, viewer, id)])
  return contact ?? fail(ContactNotFound)
}

/** Resolves an id and locks the contact; 404 when the viewer may not see it. */
export async function lockVisibleContact(tx: Tx, viewer: Viewer, id: string): Promise<LockedContact> {
  const contactId = await findContact(tx, viewer, id)
  return (await lockContact(tx, viewer.tenantId, contactId)) ?? fail(ContactNotFound)
}

export function parsePhone(text: string, path = 'phone'): string {
  return (
    canonicalPhone(text) ??
    invalid(violation(path, 'invalid_phone', 'must be a phone number in E.164 form, such as +14155550100'))
  )
}

export function buildPhoneClaim(phone: string): IdentityClaim {
  return { id: IdentityId.create(), channel: 'chatapp', externalId: phone, phone }
}

/** Builds the error that names the contact with the phone number if the caller may see it. */
export async function buildPhoneTaken(tx: Tx, caller: Viewer, phone: string): Promise<Problem> {
  const owner = await findIdentity(tx, caller.tenantId, 'chatapp', phone)
  const contactId = owner && (await findContactId(tx, caller, owner.contactId))
  const members = contactId === undefined ? {} : { members: { contactId } }
  return new Problem(ContactPhoneTaken, { detail: `${phone} is taken`, ...members })
}

export function withoutEmpty(values: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''))
}

export async function editContact(tx: Tx, caller: Caller, id: string, patch: ContactPatch): Promise<Contact> {
  const phone = typeof patch.phone === 'string' ? parsePhone(patch.phone) : patch.phone
  const [definitions, contact] = await Promise.all([
    getFieldDefinitions(tx, caller.tenantId),
    lockVisibleContact(tx, caller, id),
  ])
  const values = toValuesById(definitions, patch.customFields ?? {}, 'customFields')
  await changeContact(tx, caller, contact, { name: patch.name, phone, values }, definitions)
  const [changed] = await loadContacts(tx, caller.tenantId, [contact.id])
  return changed!
}

export async function setFieldValue(
  tx: Tx,
  caller: Caller,
  id: string,
  fieldId: string,
  value: string,
): Promise<void> {
  const [definitions, contact] = await Promise.all([
    getFieldDefinitions(tx, caller.tenantId),
    lockVisibleContact(tx, caller, id),
  ])
  const field = definitions.byId.get(fieldId) ?? fail(CustomFieldNotFound)
  const wrong = value === '' ? undefined : valueViolation(field, value, 'value')
  if (wrong) invalid(wrong)
  await changeContact(tx, caller, contact, { values: { [fieldId]: value } }, definitions)
}

export interface ContactChange {
  name?: string | null
  /** Canonical; null removes it. */
  phone?: string | null
  /** Validated, by field id; an empty value clears the field. */
  values?: Record<string, string>
}

/** Changes a locked contact and emits an event, unless nothing changes. Returns the changes. */
export async function changeContact(
  tx: Tx,
  viewer: Viewer,
  contact: LockedContact,
  change: ContactChange,
  definitions: FieldDefinitions,
  cause: { causationDepth?: number; importId?: string } = {},
): Promise<ContactChanges> {
  const changes: ContactChanges = {}
  if (change.name !== undefined && change.name !== contact.name) changes.name = true
  const fieldIds = Object.entries(change.values ?? {})
    .filter(([fieldId, value]) => (contact.fields[fieldId] ?? '') !== value)
    .map(([fieldId]) => fieldId)
  if (fieldIds.length > 0) changes.fieldIds = fieldIds
  if (change.phone !== undefined && (await replacePhone(tx, viewer, contact.id, change.phone)))
    changes.phone = true
  if (Object.keys(changes).length === 0) return changes
  const profile = {
    name: change.name === undefined ? contact.name : change.name,
    fields: withoutEmpty({ ...contact.fields, ...change.values }),
  }
  const phones = await listPhones(tx, viewer.tenantId, contact.id)
  await Promise.all([
    updateStoredProfile(tx, viewer.tenantId, contact, { ...profile, phones }, definitions),
    touch(tx, viewer.tenantId, [contact.id]),
    emitContactsUpdated(tx, viewer.tenantId, [{ contactId: contact.id, changes }], cause),
  ])
  return changes
}

async function listPhones(tx: Tx, tenantId: string, contactId: string): Promise<string[]> {
  const identities = await listIdentities(tx, tenantId, contactId)
  return [...new Set(identities.flatMap(identity => identity.phone ?? []))]
}

/** Saves a profile with everything derived from it. The identities must be up to date already. */
export async function saveProfile(
  tx: Tx,
  tenantId: string,
  contact: LockedContact,
  profile: Omit<Profile, 'phones'>,
  definitions: FieldDefinitions,
): Promise<void> {
  const phones = await listPhones(tx, tenantId, contact.id)
  await updateStoredProfile(tx, tenantId, contact, { ...profile, phones }, definitions)
}

/** Sends all its statements in this tick, so that statements that the caller sends afterwards see the new profile. */
async function updateStoredProfile(
  tx: Tx,
  tenantId: string,
  contact: LockedContact,
  profile: Profile,
  definitions: FieldDefinitions,
): Promise<void> {
  const stored = buildStoredProfile(profile, definitions.getField, contact)
  const rows = (searchValues: Record<string, string>) =>
    toFieldValueRows(searchValues, definitions.getField).map(row => ({ ...row, contactId: contact.id }))
  await Promise.all([
    updateProfile(tx, tenantId, contact.id, stored),
    replaceFieldValues(tx, tenantId, rows(contact.searchValues), rows(stored.searchValues)),
  ])
}

/** Replaces the first phone number of a contact. Returns whether it changed. */
async function replacePhone(
  tx: Tx,
  viewer: Viewer,
  contactId: string,
  phone: string | null,
): Promise<boolean> {
  const [current] = await listPhones(tx, viewer.tenantId, contactId)
  if ((current ?? null) === phone) return false
  if (phone !== null && !(await claimIdentity(tx, viewer.tenantId, contactId, buildPhoneClaim(phone)))) {
    const owner = await findIdentity(tx, viewer.tenantId, 'chatapp', phone)
    if (owner?.contactId !== contactId) throw await buildPhoneTaken(tx, viewer, phone)
  }
  if (current !== undefined) await releasePhone(tx, viewer.tenantId, contactId, current)
  return true
}

export async function archiveContact(tx: Tx, caller: Caller, id: string): Promise<void> {
  const contact = await lockVisibleContact(tx, caller, id)
  if (contact.archivedAt !== null) fail(ContactArchived)
  await Promise.all([
    setArchived(tx, caller.tenantId, contact.id, true),
    touch(tx, caller.tenantId, [contact.id]),
    emitContactArchived(tx, caller.tenantId, contact.id),
  ])
}

export async function unarchiveContact(tx: Tx, caller: Caller, id: string): Promise<void> {
  const contact = await lockVisibleContact(tx, caller, id)
  if (contact.archivedAt === null) fail(ContactNotArchived)
  await Promise.all([
    setArchived(tx, caller.tenantId, contact.id, false),
    touch(tx, caller.tenantId, [contact.id]),
    emitContactsUpdated(tx, caller.tenantId, [{ contactId: contact.id, changes: { unarchived: true } }]),
  ])
}

/** Deletes a contact and releases its phone numbers. Its name remains in history. */
export async function deleteContact(tx: Tx, caller: Caller, id: string): Promise<void> {
  const contact = await lockVisibleContact(tx, caller, id)
  await emitContactArchived(tx, caller.tenantId, contact.id, { deleted: true })
  await detachContact(tx, caller.tenantId, contact)
}

/** Removes a locked contact from all searches. With `mergedInto`, its id resolves to that contact. */
export async function detachContact(
  tx: Tx,
  tenantId: string,
  contact: LockedContact,
  mergedInto: string | null = null,
): Promise<void> {
  await deleteTagsOfContact(tx, tenantId, contact.id)
  await releaseIdentities(tx, tenantId, contact.id)
  const values = toFieldValueRows(contact.searchValues, fieldId => ({ id: fieldId, type: 'text' }))
  const rows = values.map(row => ({ ...row, contactId: contact.id }))
  await replaceFieldValues(tx, tenantId, rows, [])
  await markDeleted(tx, tenantId, contact.id, mergedInto)
}
