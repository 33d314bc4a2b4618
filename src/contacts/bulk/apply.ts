/** Applies an action to one locked contact, and takes it back if the contact still has what the action set. */
import type { Tx } from '../../platform/db/db.ts'
import type { Viewer } from '../access.ts'
import { changeContact, detachContact } from '../contacts.ts'
import { emitContactArchived, emitContactsUpdated } from '../emit-events.ts'
import type { ContactOutcome } from '../store/bulk/bulk-actions.ts'
import { type LockedContact, setArchived, touch } from '../store/contacts.ts'
import { hasTag, tagExists } from '../store/tags-and-fields/tags.ts'
import type { FieldDefinitions } from '../tags-and-fields/custom-fields.ts'
import { addTags, removeTag } from '../tags-and-fields/tags.ts'
import type { ContactAction } from './schemas.ts'

export interface ActionContext {
  viewer: Viewer
  action: ContactAction
  definitions: FieldDefinitions
}

type Outcome = Omit<ContactOutcome, 'n'>

const outcome = (isChanged: boolean, before: string | null = null): Outcome => ({
  result: isChanged ? 'changed' : 'unchanged',
  before,
})
const failed: Outcome = { result: 'failed', before: null }

export async function applyAction(
  tx: Tx,
  { viewer, action, definitions }: ActionContext,
  contact: LockedContact,
): Promise<Outcome> {
  const { tenantId } = viewer
  switch (action.type) {
    case 'addTag':
    case 'removeTag':
      if (!(await tagExists(tx, tenantId, action.tagId))) return failed
      return outcome(await setTag(tx, tenantId, contact.id, action.tagId, action.type === 'addTag'))
    case 'setField': {
      const { fieldId, value } = action
      if (!definitions.byId.has(fieldId)) return failed
      const before = contact.fields[fieldId] ?? ''
      if (before === value) return outcome(false)
      await changeContact(tx, viewer, contact, { values: { [fieldId]: value } }, definitions)
      return outcome(true, before)
    }
    case 'archive':
    case 'unarchive':
      return outcome(await archive(tx, tenantId, contact, action.type === 'archive'))
    case 'delete':
      await emitContactArchived(tx, tenantId, contact.id, { deleted: true })
      await detachContact(tx, tenantId, contact)
      return outcome(true)
  }
}

/** Returns whether the contact was restored; a contact that was changed since stays as it is. */
export async function revertAction(
  tx: Tx,
  { viewer, action, definitions }: ActionContext,
  contact: LockedContact,
  before: string | null,
): Promise<boolean> {
  const { tenantId } = viewer
  switch (action.type) {
    case 'addTag':
    case 'removeTag':
      if (!(await tagExists(tx, tenantId, action.tagId))) return false
      return setTag(tx, tenantId, contact.id, action.tagId, action.type === 'removeTag')
    case 'setField': {
      const { fieldId, value } = action
      if (!definitions.byId.has(fieldId) || (contact.fields[fieldId] ?? '') !== value) return false
      await changeContact(tx, viewer, contact, { values: { [fieldId]: before ?? '' } }, definitions)
      return true
    }
    case 'archive':
    case 'unarchive':
      return archive(tx, tenantId, contact, action.type === 'unarchive')
    case 'delete':
      return false
  }
}

async function setTag(
  tx: Tx,
  tenantId: string,
  contactId: string,
  tagId: string,
  isOn: boolean,
): Promise<boolean> {
  if ((await hasTag(tx, tenantId, contactId, tagId)) === isOn) return false
  if (isOn) await addTags(tx, tenantId, [{ contactId, tagId }])
  else await removeTag(tx, tenantId, contactId, tagId)
  return true
}

async function archive(tx: Tx, tenantId: string, contact: LockedContact, isOn: boolean): Promise<boolean> {
  if ((contact.archivedAt !== null) === isOn) return false
  await setArchived(tx, tenantId, contact.id, isOn)
  await touch(tx, tenantId, [contact.id])
  if (isOn) await emitContactArchived(tx, tenantId, contact.id)
  else await emitContactsUpdated(tx, tenantId, [{ contactId: contact.id, changes: { unarchived: true } }])
  return true
}
