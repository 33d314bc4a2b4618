/**
 * Deletes messages and notes that are older than their workspace keeps them: first the entries in batches, with the files
 * that only they used, then closed conversations that have no entry left. Counters of reports stay.
 */
import { unlinkConversation } from '../../contacts/activity.ts'
import { listRetentions, type TenantRetention } from '../../identity/workspace/retention.ts'
import type { Tx } from '../../platform/db/db.ts'
import { transact } from '../../platform/db/transact.ts'
import type { Deps } from '../../platform/deps.ts'
import { cron } from '../../platform/jobs/cron.ts'
import type { Work } from '../../platform/jobs/job.ts'
import { lockConversation } from '../store/conversations/conversations.ts'
import { eraseConversation, eraseEntries } from '../store/erasure.ts'
import {
  type DeletedEntry,
  deleteOldHistory,
  deleteOldMessages,
  deleteOldNotes,
  hasEntries,
  listOldConversations,
  listSessionContacts,
  type OldConversation,
  releaseMedia,
} from '../store/messages/message-retention.ts'

const dayMs = 86_400_000
const batchSize = 500
/** Per workspace and hour, so that one with many old messages does not delay the others for long. */
const maxBatches = 400

export const purgeMessages = cron({
  name: 'conversations.purge_messages',
  schedule: '17 * * * *',
  priority: 'bulk',
  handle: async (deps, _tick, work) => {
    for (const retention of await listRetentions(deps.db, deps.config)) {
      if (!work.holdsLease()) return
      await purgeWorkspace(deps, retention, work)
    }
  },
})

async function purgeWorkspace(deps: Deps, { tenantId, days }: TenantRetention, work: Work): Promise<void> {
  const before = new Date(deps.clock.now().getTime() - days * dayMs).toISOString()
  for (const deleteOldest of [deleteOldMessages, deleteOldNotes])
    await repeat(work, () =>
      transact(deps.db, async tx => {
        const deleted = await deleteOldest(tx, tenantId, before, batchSize)
        await cleanUp(tx, tenantId, deleted, before)
        return deleted.length
      }),
    )
  let after: OldConversation | undefined
  await repeat(work, async () => {
    const page = await listOldConversations(deps.db, tenantId, before, after, batchSize)
    for (const { id } of page) await transact(deps.db, tx => deleteIfEmpty(tx, tenantId, id, before))
    after = page.at(-1)
    return page.length
  })
}

async function repeat(work: Work, runBatch: () => Promise<number>): Promise<void> {
  for (let batch = 0; batch < maxBatches && work.holdsLease(); batch++)
    if ((await runBatch()) < batchSize) return
}

async function cleanUp(
  tx: Tx,
  tenantId: string,
  deleted: readonly DeletedEntry[],
  before: string,
): Promise<void> {
  const mediaIds = new Map<string, string[]>()
  for (const entry of deleted)
    mediaIds.set(entry.conversationId, [...(mediaIds.get(entry.conversationId) ?? []), ...entry.mediaIds])
  await deleteOldHistory(tx, tenantId, [...mediaIds.keys()].sort(), before)
  for (const [conversationId, ids] of mediaIds)
    if (ids.length > 0) await releaseMedia(tx, tenantId, { conversationId, mediaIds: ids })
}

/** The customer may have written again since the conversation was listed. */
async function deleteIfEmpty(tx: Tx, tenantId: string, id: string, before: string): Promise<void> {
  const row = await lockConversation(tx, tenantId, id)
  if (!row || row.id !== id || row.status !== 'closed' || row.lastMessageAt >= before) return
  if (await hasEntries(tx, tenantId, id)) return
  const contactIds = await listSessionContacts(tx, tenantId, id)
  await eraseEntries(tx, tenantId, id, contactIds)
  await unlinkConversation(tx, tenantId, row.contactId, id)
  await eraseConversation(tx, tenantId, id, { contactIds, mediaIds: [] })
}
