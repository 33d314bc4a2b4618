/**
 * Runs and undoes bulk actions. A batch of conversations, its events, the results of its items and the progress are written
 * in one transaction, so that a killed worker leaves nothing half done and the next one continues behind the last batch.
 */
import { findAccess } from '../../identity/rights/reauthorize.ts'
import { setActor } from '../../platform/db/actor.ts'
import type { Tx } from '../../platform/db/db.ts'
import { transact } from '../../platform/db/transact.ts'
import type { Deps } from '../../platform/deps.ts'
import { Problem } from '../../platform/errors.ts'
import { emitChanged, signalProgress } from '../../platform/events/changed.ts'
import { job, LeaseLost } from '../../platform/jobs/job.ts'
import { canSee, type Viewer } from '../access.ts'
import { checkOwner } from '../conversation-actions.ts'
import { listTakenSessions } from '../store/bulk/apply-changes.ts'
import {
  type BulkRow,
  failBulkAction,
  finishBulkAction,
  type ItemOutcome,
  type ItemRow,
  listItemsAfter,
  lockBulkAction,
  saveOutcomes,
} from '../store/bulk/bulk-actions.ts'
import type { ConversationRow } from '../store/conversations/conversation-rows.ts'
import { lockConversations } from '../store/conversations/conversations.ts'
import { lockLabel } from '../store/labels.ts'
import { applyChanges, findReferenced } from './apply.ts'
import { type Change, planChange, type StateAction } from './changes.ts'
import { markBatchRead } from './mark-read.ts'
import { toOutcome } from './outcomes.ts'
import { actionScopes } from './schemas.ts'
import { undoBatch } from './undo-bulk.ts'

const bulkBatchSize = 500
/** Actions of one workspace that a process runs concurrently. */
const maxPerWorkspace = 2

export const runBulkAction = job<{ bulkId: string; isUndo?: boolean }>({
  name: 'conversations.run_bulk_action',
  priority: 'bulk',
  maxPerTenant: () => maxPerWorkspace,
  handle: async (deps, { bulkId }, work) => {
    while (await transact(deps.db, tx => runBatch(deps, tx, work.tenantId, bulkId)))
      if (!work.holdsLease()) throw new LeaseLost(work.id)
  },
  onDead: async (tx, { bulkId, isUndo = false }, tenantId) => {
    const bulk = await lockBulkAction(tx, tenantId, bulkId)
    // An undo that was requested meanwhile has a job of its own.
    if (!bulk || isOver(bulk) || isUndo !== (bulk.status === 'undoing')) return
    await failBulkAction(tx, tenantId, bulkId, 'internal_error')
    await emitBulkChanged(tx, tenantId, bulk)
  },
})

const isOver = ({ status }: BulkRow): boolean =>
  status === 'completed' || status === 'failed' || status === 'undone'

/** Returns false when the action is finished. */
async function runBatch(deps: Deps, tx: Tx, tenantId: string, bulkId: string): Promise<boolean> {
  const bulk = await lockBulkAction(tx, tenantId, bulkId)
  if (!bulk || isOver(bulk)) return false
  const isUndo = bulk.status === 'undoing'
  const position = isUndo ? bulk.undoPosition : bulk.position
  const items = await listItemsAfter(tx, tenantId, bulkId, position, bulkBatchSize)
  if (items.length === 0) {
    await finishBulkAction(tx, tenantId, bulkId, isUndo ? 'undone' : 'completed')
    await emitBulkChanged(tx, tenantId, bulk)
    return false
  }
  if (isUndo) await undoBatch(deps, tx, tenantId, bulk, items)
  else await changeBatch(deps, tx, tenantId, bulk, items)
  signalProgress(tx, { tenantId, kind: 'bulk', id: bulkId, userIds: [bulk.createdBy] })
  return true
}

/** For the creator, and for owners and admins, who see the actions of others. */
export function emitBulkChanged(
  tx: Tx,
  tenantId: string,
  { id, createdBy }: Pick<BulkRow, 'id' | 'createdBy'>,
): Promise<void> {
  return emitChanged(tx, tenantId, { kind: 'bulk', id }, { userIds: [createdBy] })
}

async function changeBatch(
  deps: Deps,
  tx: Tx,
  tenantId: string,
  bulk: BulkRow,
  items: readonly ItemRow[],
): Promise<void> {
  const viewer = await findViewer(deps, tx, tenantId, bulk)
  const refused = viewer ? await findRefusal(tx, tenantId, bulk) : 'forbidden'
  const outcomes =
    viewer && refused === undefined
      ? await changeVisible(tx, viewer, bulk, items)
      : items.map(item => toOutcome(item, 'failed', { error: refused ?? 'forbidden' }))
  await saveOutcomes(tx, tenantId, bulk.id, outcomes)
}

/** The creator with their present rights; undefined if they may no longer do this. */
async function findViewer(
  deps: Deps,
  tx: Tx,
  tenantId: string,
  { createdBy, action }: BulkRow,
): Promise<Viewer | undefined> {
  const access = await findAccess(deps, tx, tenantId, createdBy)
  return access?.scopes.has(actionScopes[action.type]) ? { ...access, tenantId, id: createdBy } : undefined
}

/** Returns the code of the error if the owner or label was deleted meanwhile. Labels are locked before conversations. */
async function findRefusal(tx: Tx, tenantId: string, { action }: BulkRow): Promise<string | undefined> {
  if (action.type === 'addLabel' || action.type === 'removeLabel')
    return (await lockLabel(tx, tenantId, action.labelId)) ? undefined : 'label_not_found'
  if (action.type !== 'assign') return undefined
  try {
    await checkOwner(tx, tenantId, action.owner)
    return undefined
  } catch (error) {
    if (error instanceof Problem) return 'owner_not_found'
    throw error
  }
}

async function changeVisible(
  tx: Tx,
  viewer: Viewer,
  bulk: BulkRow,
  items: readonly ItemRow[],
): Promise<ItemOutcome[]> {
  const { tenantId } = viewer
  const { action } = bulk
  await setActor(tx, { type: bulk.createdByKind, id: bulk.createdBy })
  const rows = await lockConversations(
    tx,
    tenantId,
    items.map(item => item.conversationId),
  )
  const byId = new Map(rows.filter(row => canSee(viewer, row)).map(row => [row.id, row]))
  if (action.type === 'markRead') return markBatchRead(tx, viewer, items, byId)
  const planned = await planBatch(tx, tenantId, action, byId)
  const changes = [...planned.values()].filter(change => typeof change === 'object')
  if (action.type === 'assign') await recordTaken(tx, tenantId, changes)
  await applyChanges(tx, tenantId, changes)
  return items.map(item => {
    if (!byId.has(item.conversationId)) return toOutcome(item, 'failed', { error: 'conversation_not_found' })
    const plan = planned.get(item.conversationId)
    if (plan === undefined) return toOutcome(item, 'unchanged')
    if (typeof plan === 'string') return toOutcome(item, 'failed', { error: plan })
    return toOutcome(item, 'changed', { before: plan.before, revision: plan.row.revision })
  })
}

async function planBatch(
  tx: Tx,
  tenantId: string,
  action: StateAction,
  byId: ReadonlyMap<string, ConversationRow>,
): Promise<Map<string, Change | string | undefined>> {
  const rows = [...byId.values()]
  const existing = action.type === 'reopen' ? await findReferenced(tx, tenantId, rows) : new Set<string>()
  const checked = { action, now: tx.now, existing }
  return new Map(rows.map(row => [row.id, planChange(row, checked)]))
}

async function recordTaken(tx: Tx, tenantId: string, changes: readonly Change[]): Promise<void> {
  const sessionIds = changes.map(({ row }) => row.sessionId)
  const taken = await listTakenSessions(tx, tenantId, sessionIds)
  for (const { row, before } of changes) before.takenByPerson = taken.has(row.sessionId)
}
