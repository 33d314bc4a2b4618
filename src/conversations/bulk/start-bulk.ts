/** Checks and accepts actions on many conversations, and their undoing. */
import { type BulkToApi, maxBulkItems } from '../../platform/bulk/schemas.ts'
import { selectGiven } from '../../platform/bulk/store/bulk-actions.ts'
import type { Tx } from '../../platform/db/db.ts'
import { raw } from '../../platform/db/sql.ts'
import { fail, invalid, violation } from '../../platform/errors.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { checkOwner, checkSnooze } from '../conversation-actions.ts'
import { BulkActionNotFound } from '../errors.ts'
import { checkFilter } from '../lists/lists.ts'
import { selectMatchingIds } from '../store/conversations/conversation-pages.ts'
import { lockLabel } from '../store/labels.ts'
import { conversationBulk } from './run-bulk.ts'
import type { BulkRequest, ConversationAction } from './schemas.ts'

type BulkAction = BulkToApi<ConversationAction>

export async function startBulkAction(tx: Tx, caller: Caller, request: BulkRequest): Promise<BulkAction> {
  const { ids, filter, action } = request
  if ((ids === undefined) === (filter === undefined))
    invalid(violation('ids', 'required', 'give either ids or a filter'))
  if (filter) checkFilter(caller, filter, 'filter.')
  await checkAction(tx, caller, action)
  const select = filter
    ? selectMatchingIds({ viewer: caller, filter }, maxBulkItems + 1)
    : selectGiven(raw('conversations'), caller.tenantId, ids!)
  return conversationBulk.start(tx, caller, action, select)
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

export function undoBulkAction(tx: Tx, caller: Caller, id: string): Promise<BulkAction> {
  return conversationBulk.undo(tx, caller, id, ({ action, createdBy }) => {
    // Read cursors are those of the user who marked the conversations.
    if (action.type === 'markRead' && createdBy !== caller.id) fail(BulkActionNotFound)
  })
}
