import Type, { type Static } from 'typebox'
import { bulkProperties } from '../../platform/bulk/schemas.ts'
import type { Scope } from '../../platform/http/caller.ts'
import { AnyId, named, object, variants } from '../../platform/http/schemas.ts'
import { idType } from '../../platform/ids.ts'
import { FieldValue } from '../schemas.ts'

export const ContactBulkId = idType('cbk')

export const ContactAction = named(
  'ContactAction',
  variants('type', [
    object({ type: Type.Literal('addTag'), tagId: AnyId }),
    object({ type: Type.Literal('removeTag'), tagId: AnyId }),
    object({
      type: Type.Literal('setField'),
      fieldId: AnyId,
      value: { ...FieldValue, description: 'an empty value clears the field' },
    }),
    object({ type: Type.Literal('archive') }),
    object({ type: Type.Literal('unarchive') }),
    object({ type: Type.Literal('delete') }),
  ]),
)
export type ContactAction = Static<typeof ContactAction>

export const actionScopes: Record<ContactAction['type'], Scope> = {
  addTag: 'contact:update',
  removeTag: 'contact:update',
  setField: 'contact:update',
  archive: 'contact:update',
  unarchive: 'contact:update',
  delete: 'contact:delete',
}

export const ContactBulkAction = named(
  'ContactBulkAction',
  object({ id: AnyId, action: ContactAction, ...bulkProperties }),
)
