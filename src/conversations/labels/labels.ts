/** Manages labels and puts them on conversations. A deleted label disappears from conversations in the background. */
import { normalizeText } from '../../contacts/search/search-text.ts'
import { isUniqueViolation, type Tx } from '../../platform/db/db.ts'
import { transact } from '../../platform/db/transact.ts'
import { fail } from '../../platform/errors.ts'
import { emitChanged } from '../../platform/events/changed.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { enqueue } from '../../platform/jobs/enqueue.ts'
import { job } from '../../platform/jobs/job.ts'
import { emitConversationUpdated } from '../conversation-events.ts'
import { getLockedConversation } from '../conversations.ts'
import { LabelLimitReached, LabelNameTaken, LabelNotFound } from '../errors.ts'
import type { Conversation } from '../schemas.ts'
import { type ConversationRow, conversationToApi } from '../store/conversations/conversation-rows.ts'
import { findConversation, lockConversations } from '../store/conversations/conversations.ts'
import {
  deleteConversationLabels,
  insertConversationLabels,
  insertLabel,
  listLabeledConversations,
  lockLabel,
  markLabelDeleted,
  updateLabel,
} from '../store/labels.ts'
import { type Label, LabelId, type LabelPatch, type NewLabel } from './schemas.ts'

const maxLabels = 1_000
export const maxLabelsOfConversation = 50
const sweepBatchSize = 500
const defaultColor = '#7d8795'

export async function createLabel(tx: Tx, caller: Caller, input: NewLabel): Promise<Label> {
  const name = input.name.trim()
  const label = {
    id: LabelId.create(),
    name,
    color: input.color?.toLowerCase() ?? defaultColor,
    createdAt: tx.now,
    createdBy: caller.id,
  }
  const refused = await insertLabel(
    tx,
    caller.tenantId,
    { ...label, nameKey: normalizeText(name) },
    maxLabels,
  )
  if (refused === 'name_taken') fail(LabelNameTaken, `"${name}" is taken`)
  if (refused === 'too_many') fail(LabelLimitReached, `a workspace has at most ${maxLabels} labels`)
  await emitChanged(tx, caller.tenantId, { kind: 'label', id: label.id })
  return label
}

export async function editLabel(tx: Tx, tenantId: string, id: string, patch: LabelPatch): Promise<Label> {
  const name = patch.name?.trim()
  const change = {
    ...(name === undefined ? {} : { name, nameKey: normalizeText(name) }),
    ...(patch.color === undefined ? {} : { color: patch.color.toLowerCase() }),
  }
  const label = await updateLabel(tx, tenantId, id, change).catch(error =>
    isUniqueViolation(error) ? fail(LabelNameTaken, `"${name}" is taken`) : Promise.reject(error),
  )
  if (!label) fail(LabelNotFound)
  await emitChanged(tx, tenantId, { kind: 'label', id })
  return label
}

export async function deleteLabel(tx: Tx, tenantId: string, id: string): Promise<void> {
  if (!(await markLabelDeleted(tx, tenantId, id))) fail(LabelNotFound)
  await enqueue(tx, sweepDeletedLabel, { tenantId, payload: { labelId: id } })
  await emitChanged(tx, tenantId, { kind: 'label', id, revision: null })
}

export const sweepDeletedLabel = job<{ labelId: string }>({
  name: 'conversations.sweep_deleted_label',
  priority: 'bulk',
  handle: async ({ db }, { labelId }, { tenantId }) => {
    const sweepBatch = async (tx: Tx) => {
      const ids = await listLabeledConversations(tx, tenantId, labelId, sweepBatchSize)
      const rows = await lockConversations(tx, tenantId, ids)
      await deleteConversationLabels(tx, tenantId, labelId, ids)
      for (const row of rows) {
        const labelIds = row.labelIds.filter(id => id !== labelId)
        await emitConversationUpdated(tx, tenantId, row, { ...row, labelIds })
      }
      return ids.length
    }
    while ((await transact(db, sweepBatch)) === sweepBatchSize);
  },
})

/** Locks labels against deletion, before conversations are locked; returns those that exist. */
export async function lockLabels(tx: Tx, tenantId: string, ids: readonly string[]): Promise<Set<string>> {
  const existing = new Set<string>()
  for (const id of [...new Set(ids)].sort()) if (await lockLabel(tx, tenantId, id)) existing.add(id)
  return existing
}

export const labelConversation = withLockedLabel(addLabel)
export const unlabelConversation = withLockedLabel(removeLabel)

/** Labels are locked before conversations. A conversation that the caller cannot see is the first reason for a 404. */
function withLockedLabel(change: typeof addLabel) {
  return async (tx: Tx, caller: Caller, id: string, labelId: string): Promise<Conversation> => {
    const exists = await lockLabel(tx, caller.tenantId, labelId)
    const row = await getLockedConversation(tx, caller, id)
    if (!exists) fail(LabelNotFound)
    return conversationToApi(await change(tx, caller.tenantId, row, labelId))
  }
}

/** Adds a locked label to a locked conversation. */
export async function addLabel(
  tx: Tx,
  tenantId: string,
  row: ConversationRow,
  labelId: string,
): Promise<ConversationRow> {
  if (row.labelIds.includes(labelId)) return row
  if (row.labelIds.length >= maxLabelsOfConversation)
    fail(LabelLimitReached, `a conversation has at most ${maxLabelsOfConversation} labels`)
  await insertConversationLabels(tx, tenantId, labelId, [row.id])
  return emitLabelled(tx, tenantId, row)
}

/** Removes a label from a locked conversation. */
export async function removeLabel(
  tx: Tx,
  tenantId: string,
  row: ConversationRow,
  labelId: string,
): Promise<ConversationRow> {
  if (!row.labelIds.includes(labelId)) return row
  await deleteConversationLabels(tx, tenantId, labelId, [row.id])
  return emitLabelled(tx, tenantId, row)
}

async function emitLabelled(tx: Tx, tenantId: string, before: ConversationRow): Promise<ConversationRow> {
  const after = (await findConversation(tx, tenantId, before.id))!
  await emitConversationUpdated(tx, tenantId, before, after)
  return after
}
