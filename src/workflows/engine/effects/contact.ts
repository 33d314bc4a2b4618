/** What steps do to the run's contact. A contact that is gone meanwhile is left alone. */
import { changeContact, lockContact } from '../../../contacts/contacts.ts'
import { setOptOut } from '../../../contacts/opt-outs.ts'
import { valueViolation } from '../../../contacts/tags-and-fields/custom-field-values.ts'
import { getFieldDefinitions } from '../../../contacts/tags-and-fields/custom-fields.ts'
import { addTags, lockTags, removeTag } from '../../../contacts/tags-and-fields/tags.ts'
import type { Tx } from '../../../platform/db/db.ts'
import type { Effects } from '../../nodes/node-type.ts'

type ContactEffects = Pick<Effects, 'addTag' | 'removeTag' | 'setField' | 'setOptOut'>

export function contactEffects(tx: Tx, tenantId: string, contactId: string): ContactEffects {
  const tagThere = async (tagId: string) => (await lockTags(tx, tenantId, [tagId])).has(tagId)
  return {
    addTag: async tagId => {
      if (!(await tagThere(tagId))) return false
      await addTags(tx, tenantId, [{ contactId, tagId }])
      return true
    },
    removeTag: async tagId => {
      if (!(await tagThere(tagId))) return false
      const contact = await lockContact(tx, tenantId, contactId)
      if (contact) await removeTag(tx, tenantId, contact.id, tagId)
      return true
    },
    setField: (fieldId, value) => setField(tx, tenantId, contactId, fieldId, value ?? ''),
    setOptOut: async (channel, optedOut) => {
      const contact = await lockContact(tx, tenantId, contactId)
      if (contact) await setOptOut(tx, tenantId, contact.id, channel, optedOut)
    },
  }
}

async function setField(
  tx: Tx,
  tenantId: string,
  contactId: string,
  fieldId: string,
  value: string,
): ReturnType<Effects['setField']> {
  const book = await getFieldDefinitions(tx, tenantId)
  const field = book.byId.get(fieldId)
  if (!field) return { code: 'unknown_field', message: `the custom field ${fieldId} was deleted` }
  const fault = value === '' ? undefined : valueViolation(field, value, field.name)
  if (fault) return { code: 'invalid_value', message: `${fault.field} ${fault.message}` }
  const contact = await lockContact(tx, tenantId, contactId)
  const nobody = { tenantId, id: '', role: 'owner' as const, teamIds: [] }
  if (contact) await changeContact(tx, nobody, contact, { values: { [fieldId]: value } }, book)
  return undefined
}
