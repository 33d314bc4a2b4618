/** Accepts and undoes actions on many contacts: the contacts that match at this moment become the items of a job. */
import type { Tx } from '../../platform/db/db.ts'
import type { Sql } from '../../platform/db/sql.ts'
import { fail, invalid, violation } from '../../platform/errors.ts'
import { requireScopes } from '../../platform/http/authorize.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { enqueue } from '../../platform/jobs/enqueue.ts'
import { ContactBulkNotFound, ContactBulkUndoExpired } from '../errors.ts'
import {
  type ContactBulkRow,
  contactBulkToApi,
  insertContactBulk,
  lockContactBulk,
  startContactUndo,
  toUndoUntil,
} from '../store/bulk/bulk-actions.ts'
import { tagExists } from '../store/tags-and-fields/tags.ts'
import { valueViolation } from '../tags-and-fields/custom-field-values.ts'
import { getFieldDefinitions } from '../tags-and-fields/custom-fields.ts'
import { emitContactBulkChanged, runContactBulk } from './run-bulk.ts'
import {
  actionScopes,
  type ContactAction,
  type ContactBulkAction,
  ContactBulkId,
  maxBulkContacts,
} from './schemas.ts'

export { selectGivenContacts } from '../store/bulk/bulk-actions.ts'

/** `select` returns the `id` of each contact, at most one more than allowed. */
export async function startContactBulk(
  tx: Tx,
  caller: Caller,
  action: ContactAction,
  select: Sql,
): Promise<ContactBulkAction> {
  await checkAction(tx, caller, action)
  const row = await insertContactBulk(tx, caller, { id: ContactBulkId.create(), action }, select)
  if (row.total > maxBulkContacts)
    invalid(violation('filter', 'too_many', `matches more than ${maxBulkContacts} contacts; narrow it`))
  await emitContactBulkChanged(tx, caller.tenantId, row)
  await enqueueRun(tx, caller.tenantId, row.id)
  return contactBulkToApi(row)
}

async function checkAction(tx: Tx, { tenantId }: Caller, action: ContactAction): Promise<void> {
  if (action.type === 'addTag' || action.type === 'removeTag') {
    if (!(await tagExists(tx, tenantId, action.tagId)))
      invalid(violation('action.tagId', 'unknown_tag', 'is not a tag of this workspace'))
  }
  if (action.type !== 'setField') return
  const field = (await getFieldDefinitions(tx, tenantId)).byId.get(action.fieldId)
  if (!field)
    return invalid(violation('action.fieldId', 'unknown_field', 'is not a custom field of this workspace'))
  const wrong = action.value === '' ? undefined : valueViolation(field, action.value, 'action.value')
  if (wrong) invalid(wrong)
}

/** Undoes an action of the caller, or, for owners and admins, of anyone. A running action stops. Idempotent. */
export async function undoContactBulk(tx: Tx, caller: Caller, id: string): Promise<ContactBulkAction> {
  const row = requireVisible(caller, await lockContactBulk(tx, caller.tenantId, id))
  requireScopes([actionScopes[row.action.type]], caller)
  if (row.status === 'undoing' || row.status === 'undone') return contactBulkToApi(row)
  const isOver = row.status !== 'running' && tx.now > toUndoUntil(row.finishedAt!)
  if (isOver || row.action.type === 'delete') fail(ContactBulkUndoExpired)
  const undone = await startContactUndo(tx, caller, id)
  await emitContactBulkChanged(tx, caller.tenantId, undone)
  await enqueueRun(tx, caller.tenantId, id, true)
  return contactBulkToApi(undone)
}

/** Jobs of one action run one after the other: undoing begins when no batch is in flight. */
const enqueueRun = (tx: Tx, tenantId: string, bulkId: string, isUndo = false) =>
  enqueue(tx, runContactBulk, { tenantId, orderingKey: bulkId, payload: { bulkId, isUndo } })

export function requireVisible(caller: Caller, row: ContactBulkRow | undefined): ContactBulkRow {
  const isVisible = row && (row.createdBy === caller.id || caller.role !== 'agent')
  return isVisible ? row : fail(ContactBulkNotFound)
}
