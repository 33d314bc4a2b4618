import type { Tx } from '../../platform/db/db.ts'
import { findExisting } from '../store/bulk/apply-changes.ts'
import type { ConversationRow } from '../store/conversation-rows.ts'

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
