import Type, { type Static } from 'typebox'
import type { Scope } from '../../platform/http/caller.ts'
import { AnyId, literals, named, nullable, object, Timestamp, variants } from '../../platform/http/schemas.ts'
import { idType } from '../../platform/ids.ts'
import { FieldValue } from '../schemas.ts'

export const ContactBulkId = idType('cbk')

/** Contacts of one bulk action; a wider filter must be narrowed. */
export const maxBulkContacts = 100_000
export const maxBulkIds = 1_000
export const undoMinutes = 10

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
  object({
    id: AnyId,
    action: ContactAction,
    status: literals(['running', 'completed', 'failed', 'undoing', 'undone'], {
      description: 'failed: given up after an error of the service; what was changed can be undone',
    }),
    error: { ...nullable(Type.String()), description: 'why it failed: `internal_error`' },
    total: Type.Integer({ description: 'contacts of the action' }),
    changed: Type.Integer(),
    unchanged: Type.Integer({ description: 'contacts that were already so' }),
    failed: Type.Integer({ description: 'deleted meanwhile, or no longer visible to the creator' }),
    restored: Type.Integer({ description: 'undone' }),
    notRestored: Type.Integer({ description: 'changed since, so that undoing left them as they are' }),
    createdBy: AnyId,
    createdAt: Timestamp,
    finishedAt: nullable(Timestamp),
    undoUntil: {
      ...nullable(Timestamp),
      description: 'null while running, after an undo, and for `delete`, which cannot be undone',
    },
  }),
)
export type ContactBulkAction = Static<typeof ContactBulkAction>
