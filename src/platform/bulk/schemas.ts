import Type, { type Static } from 'typebox'
import type { Caller } from '../http/caller.ts'
import { AnyId, literals, nullable, object, Timestamp } from '../http/schemas.ts'

/** Items of one action; a wider filter must be narrowed. */
export const maxBulkItems = 100_000
export const maxBulkIds = 1_000
export const undoMinutes = 10

/** The properties of every bulk action besides its id and the action itself. */
export const bulkProperties = {
  status: literals(['running', 'completed', 'failed', 'undoing', 'undone'], {
    description: 'failed: given up after an error of the service; what was changed can be undone',
  }),
  error: { ...nullable(Type.String()), description: 'why it failed: `internal_error`' },
  total: Type.Integer({ description: 'items of the action' }),
  changed: Type.Integer(),
  unchanged: Type.Integer({ description: 'items that were already so' }),
  failed: Type.Integer({ description: 'such as deleted meanwhile, or no longer visible to the creator' }),
  restored: Type.Integer({ description: 'undone' }),
  notRestored: Type.Integer({ description: 'changed since, so that undoing left them as they are' }),
  createdBy: AnyId,
  createdAt: Timestamp,
  finishedAt: nullable(Timestamp),
  undoUntil: {
    ...nullable(Timestamp),
    description: 'null while running, after an undo, and for an action that cannot be undone',
  },
}
const Progress = object(bulkProperties)

export type BulkToApi<Action> = Static<typeof Progress> & { id: string; action: Action }

export interface BulkRow<Action> extends Omit<BulkToApi<Action>, 'undoUntil'> {
  createdByKind: Caller['kind']
  undoneBy: string | null
  undoneByKind: Caller['kind'] | null
  position: number
  undoPosition: number
}
