/**
 * Undoes a batch of a bulk action. A conversation whose revision is not the one after the action was changed since; it stays
 * as it is. Whether the undoing person can see the conversation does not matter: assigning it may have hidden it from them.
 */
import { findAccess } from '../../identity/rights/reauthorize.ts'
import type { Batch } from '../../platform/bulk/bulk.ts'
import { setActor } from '../../platform/db/actor.ts'
import type { Tx } from '../../platform/db/db.ts'
import { type ItemRow, saveUndoOutcomes, type UndoOutcome } from '../store/bulk/bulk-actions.ts'
import type { ConversationRow } from '../store/conversations/conversation-rows.ts'
import { lockConversations } from '../store/conversations/conversations.ts'
import { lockLabel } from '../store/labels.ts'
import { applyChanges, findReferenced } from './apply.ts'
import { type Before, type Change, planRestore } from './changes.ts'
import { restoreBatchRead } from './mark-read.ts'
import { toUndoOutcome } from './outcomes.ts'
import type { ConversationAction } from './schemas.ts'

export type ConversationBatch = Batch<ConversationAction, ItemRow>

export async function undoBatch(tx: Tx, batch: ConversationBatch): Promise<void> {
  const { tenantId, bulk, items } = batch
  const changed = items.filter(item => item.result === 'changed')
  const outcomes = changed.length > 0 ? await restoreBatch(tx, { ...batch, items: changed }) : []
  await saveUndoOutcomes(tx, tenantId, bulk.id, items.at(-1)!.n, outcomes)
}

async function restoreBatch(
  tx: Tx,
  { deps, tenantId, bulk, items }: ConversationBatch,
): Promise<UndoOutcome[]> {
  const { action } = bulk
  await setActor(tx, { type: bulk.undoneByKind!, id: bulk.undoneBy! })
  const isLabelDeleted = action.type === 'removeLabel' && !(await lockLabel(tx, tenantId, action.labelId))
  const ids = items.map(item => item.conversationId)
  const rows = new Map((await lockConversations(tx, tenantId, ids)).map(row => [row.id, row]))
  if (action.type === 'markRead') {
    const access = await findAccess(deps, tx, tenantId, bulk.createdBy)
    const viewer = { role: 'agent' as const, teamIds: [], ...access, tenantId, id: bulk.createdBy }
    return restoreBatchRead(tx, viewer, items, rows)
  }
  const unchanged = items.filter(item => isUnchanged(rows.get(item.conversationId), item))
  const referenced = unchanged.map(item => ({
    ...rows.get(item.conversationId)!,
    ...(item.before as Before),
  }))
  const existing = await findReferenced(tx, tenantId, referenced)
  const changes: Change[] = []
  const outcomes = items.map(item => {
    const row = rows.get(item.conversationId)
    if (!row) return toUndoOutcome(item, 'failed', 'conversation_not_found')
    if (!unchanged.includes(item)) return toUndoOutcome(item, 'changed')
    const plan = isLabelDeleted ? 'label_not_found' : planRestore(row, item.before as Before, existing)
    if (typeof plan === 'string') return toUndoOutcome(item, 'failed', plan)
    changes.push(plan)
    return toUndoOutcome(item, 'restored')
  })
  await applyChanges(tx, tenantId, changes)
  return outcomes
}

function isUnchanged(row: ConversationRow | undefined, item: ItemRow): boolean {
  const { messageCount } = item.before as Before
  const hasNewMessages = messageCount !== undefined && messageCount !== row?.messageCount
  return row?.revision === item.revisionAfter && !hasNewMessages
}
