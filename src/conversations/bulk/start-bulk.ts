/**
 * Accepts an action on many conversations: the conversations that match at this moment become its items, and a job changes
 * them in batches.
 */
import type { Tx } from '../../platform/db/db.ts'
import { fail, invalid, violation } from '../../platform/errors.ts'
import { requireScopes } from '../../platform/http/authorize.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { enqueue } from '../../platform/jobs/enqueue.ts'
import { checkOwner, checkSnooze } from '../conversation-actions.ts'
import { BulkActionNotFound, BulkUndoExpired } from '../errors.ts'
import { checkFilter } from '../lists/lists.ts'
import {
  type BulkRow,
  bulkActionToApi,
  insertBulkAction,
  lockBulkAction,
  selectGivenIds,
  startUndo,
  toUndoUntil,
} from '../store/bulk/bulk-actions.ts'
import { selectMatchingIds } from '../store/conversations/conversation-pages.ts'
import { lockLabel } from '../store/labels.ts'
import { emitBulkChanged, runBulkAction } from './run-bulk.ts'
import {
  actionScopes,
  type BulkAction,
  BulkActionId,
  type BulkRequest,
  type ConversationAction,
  maxBulkItems,
} from './schemas.ts'

export async function startBulkAction(tx: Tx, caller: Caller, request: BulkRequest): Promise<BulkAction> {
  const { ids, filter, action } = request
  if ((ids === undefined) === (filter === undefined))
    invalid(violation('ids', 'required', 'give either ids or a filter'))
  if (filter) checkFilter(caller, filter, 'filter.')
  await checkAction(tx, caller, action)
  const select = filter
    ? selectMatchingIds({ viewer: caller, filter }, maxBulkItems + 1)
    : selectGivenIds(caller.tenantId, ids!)
  const row = await insertBulkAction(tx, caller, { id: BulkActionId.create(), action }, select)
  if (row.total > maxBulkItems)
    invalid(violation('filter', 'too_many', `matches more than ${maxBulkItems} conversations; narrow it`))
  await emitBulkChanged(tx, caller.tenantId, row)
  await enqueueRun(tx, caller.tenantId, row.id)
  return bulkActionToApi(row)
}

async function checkAction(tx: Tx, caller: Caller, action: ConversationAction): Promise<void> {
  if (action.type === 'assign') await checkOwner(tx, caller.tenantId, action.owner, 'action.owner.id')
  if (action.type === 'snooze') checkSnooze(tx, action)
  if (action.type === 'markRead' && caller.kind !== 'user')
    invalid(violation('action.type', 'user_required', 'needs a user; service accounts have no read state'))
  if (
    (action.type === 'addLabel' || action.type === 'removeLabel') &&
    !(await lockLabel(tx, caller.tenantId, action.labelId))
  )
    invalid(violation('action.labelId', 'unknown_label', 'is not a label of this workspace'))
}

/** Undoes an action of the caller, or, for owners and admins, of anyone. A running action stops. Idempotent. */
export async function undoBulkAction(tx: Tx, caller: Caller, id: string): Promise<BulkAction> {
  const row = requireVisible(caller, await lockBulkAction(tx, caller.tenantId, id))
  requireScopes([actionScopes[row.action.type]], caller)
  if (row.status === 'undoing' || row.status === 'undone') return bulkActionToApi(row)
  if (row.status !== 'running' && tx.now > toUndoUntil(row.finishedAt!)) fail(BulkUndoExpired)
  // Read cursors are those of the user who marked the conversations.
  if (row.action.type === 'markRead' && row.createdBy !== caller.id) fail(BulkActionNotFound)
  const undone = await startUndo(tx, caller, id)
  await emitBulkChanged(tx, caller.tenantId, undone)
  await enqueueRun(tx, caller.tenantId, id, true)
  return bulkActionToApi(undone)
}

/** Jobs of one action run one after the other: undoing begins when no batch is in flight. */
const enqueueRun = (tx: Tx, tenantId: string, bulkId: string, isUndo = false) =>
  enqueue(tx, runBulkAction, { tenantId, orderingKey: bulkId, payload: { bulkId, isUndo } })

export function requireVisible(caller: Caller, row: BulkRow | undefined): BulkRow {
  const isVisible = row && (row.createdBy === caller.id || caller.role !== 'agent')
  return isVisible ? row : fail(BulkActionNotFound)
}
