/** Writes planned changes of locked conversations, with the events and jobs that the same change of one would have. */
import { linkConversations } from '../../contacts/activity.ts'
import type { Tx } from '../../platform/db/db.ts'
import { emitMany } from '../../platform/events/event.ts'
import { enqueueMany } from '../../platform/jobs/enqueue.ts'
import { buildConversationClosed, buildConversationUpdated, toContactLink } from '../conversation-events.ts'
import { wakeConversation } from '../jobs.ts'
import { findExisting, updateSessions, updateStates } from '../store/bulk/apply-changes.ts'
import type { ConversationRow } from '../store/conversations/conversation-rows.ts'
import { deleteConversationLabels, insertConversationLabels } from '../store/labels.ts'
import type { Change } from './changes.ts'

export async function applyChanges(tx: Tx, tenantId: string, changes: readonly Change[]): Promise<void> {
  if (changes.length === 0) return
  if (changes[0]!.before.labelIds) await applyLabels(tx, tenantId, changes)
  else await applyStates(tx, tenantId, changes)
  await emitMany(
    tx,
    changes.map(({ row, after }) =>
      row.status === 'open' && after.status === 'closed'
        ? buildConversationClosed(tenantId, after)
        : buildConversationUpdated(tenantId, row, after),
    ),
  )
}

/** One action adds or removes one label. */
async function applyLabels(tx: Tx, tenantId: string, changes: readonly Change[]): Promise<void> {
  const [{ row, after }] = changes as readonly [Change]
  const ids = changes.map(change => change.row.id)
  const added = after.labelIds.find(id => !row.labelIds.includes(id))
  if (added) return insertConversationLabels(tx, tenantId, added, ids)
  const removed = row.labelIds.find(id => !after.labelIds.includes(id))
  if (removed) await deleteConversationLabels(tx, tenantId, removed, ids)
}

async function applyStates(tx: Tx, tenantId: string, changes: readonly Change[]): Promise<void> {
  const rows = changes.map(({ after }) => after)
  await updateStates(tx, tenantId, rows)
  const { status, ownerType } = changes[0]!.before
  if (status !== undefined || ownerType !== undefined)
    await updateSessions(
      tx,
      tenantId,
      changes.map(({ after, takenByPerson }) => ({
        row: after,
        changesStatus: status !== undefined,
        takenByPerson: takenByPerson ?? null,
      })),
    )
  if (ownerType !== undefined) await linkConversations(tx, tenantId, rows.map(toContactLink))
  const woken = changes.filter(({ after }) => after.snoozed && after.snoozedUntil !== null)
  await enqueueMany(
    tx,
    wakeConversation,
    woken.map(({ after: { id, snoozedUntil } }) => ({
      tenantId,
      runAt: snoozedUntil!,
      payload: { conversationId: id, until: snoozedUntil! },
    })),
  )
}

/** Finds which owners, teams and inboxes of the conversations exist. */
export function findReferenced(
  tx: Tx,
  tenantId: string,
  rows: readonly Pick<ConversationRow, 'ownerType' | 'ownerId' | 'teamId' | 'inboxId'>[],
): Promise<Set<string>> {
  const owners = (type: string) => rows.filter(row => row.ownerType === type).map(row => row.ownerId!)
  const unique = (ids: readonly (string | null)[]) => [...new Set(ids.filter(id => id !== null))]
  return findExisting(tx, tenantId, {
    users: unique(owners('user')),
    teams: unique([...owners('team'), ...rows.map(row => row.teamId)]),
    bots: unique(owners('bot')),
    inboxes: unique(rows.map(row => row.inboxId)),
  })
}
