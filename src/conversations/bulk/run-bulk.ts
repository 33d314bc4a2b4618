/** Actions on many conversations: runs a batch. */
import { findAccess } from '../../identity/rights/reauthorize.ts'
import { defineBulk } from '../../platform/bulk/bulk.ts'
import type { BulkRow } from '../../platform/bulk/schemas.ts'
import { setActor } from '../../platform/db/actor.ts'
import type { Tx } from '../../platform/db/db.ts'
import type { Deps } from '../../platform/deps.ts'
import { Problem } from '../../platform/errors.ts'
import { canSee, type Viewer } from '../access.ts'
import { checkOwner } from '../conversation-actions.ts'
import { BulkActionNotFound, BulkUndoExpired } from '../errors.ts'
import { listTakenSessions } from '../store/bulk/apply-changes.ts'
import {
  bulkTables,
  type ItemOutcome,
  type ItemRow,
  listItemsAfter,
  saveOutcomes,
} from '../store/bulk/bulk-actions.ts'
import type { ConversationRow } from '../store/conversations/conversation-rows.ts'
import { lockConversations } from '../store/conversations/conversations.ts'
import { lockLabel } from '../store/labels.ts'
import { applyChanges, findReferenced } from './apply.ts'
import { type Change, planChange, type StateAction } from './changes.ts'
import { markBatchRead } from './mark-read.ts'
import { toOutcome } from './outcomes.ts'
import { actionScopes, BulkActionId, type ConversationAction } from './schemas.ts'
import { type ConversationBatch, undoBatch } from './undo-bulk.ts'

const batchSize = 500
type ConversationBulkRow = BulkRow<ConversationAction>

export const conversationBulk = defineBulk<ConversationAction, ItemRow>({
  domain: 'conversations',
  kind: 'bulk',
  tables: bulkTables,
  createId: BulkActionId.create,
  resources: 'conversations',
  scopes: actionScopes,
  notFound: BulkActionNotFound,
  undoExpired: BulkUndoExpired,
  purgeSchedule: '11 * * * *',
  listItems: (tx, bulk, position) => listItemsAfter(tx, bulk, position, batchSize),
  change: changeBatch,
  undo: undoBatch,
})

async function changeBatch(tx: Tx, { deps, tenantId, bulk, items }: ConversationBatch): Promise<void> {
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
  { createdBy, action }: ConversationBulkRow,
): Promise<Viewer | undefined> {
  const access = await findAccess(deps, tx, tenantId, createdBy)
  return access?.scopes.has(actionScopes[action.type]) ? { ...access, tenantId, id: createdBy } : undefined
}

/** Returns the code of the error if the owner or label was deleted meanwhile. Labels are locked before conversations. */
async function findRefusal(
  tx: Tx,
  tenantId: string,
  { action }: ConversationBulkRow,
): Promise<string | undefined> {
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
  bulk: ConversationBulkRow,
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
