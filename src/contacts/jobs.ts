/** Removes deleted tags, custom fields and old events from contacts, and folds count deltas into counters. */
import type { Db, Tx } from '../platform/db/db.ts'
import { transact } from '../platform/db/transact.ts'
import { cron } from '../platform/jobs/cron.ts'
import { job } from '../platform/jobs/job.ts'
import { emitContactsUpdated } from './emit-events.ts'
import type { ContactChanges } from './events.ts'
import { deleteEventsBefore } from './store/activity.ts'
import { touch } from './store/contacts.ts'
import { foldDeltas } from './store/counts.ts'
import { sweepField } from './store/tags-and-fields/custom-fields.ts'
import { deleteCount, sweepTag } from './store/tags-and-fields/tags.ts'

/** Longer than the longest window of a condition. */
const eventRetentionMs = 400 * 86_400_000
const purgeBatchSize = 5_000
const sweepBatchSize = 1_000
const foldBatchSize = 10_000

export const sweepDeletedTag = job<{ tagId: string }>({
  name: 'contacts.sweep_deleted_tag',
  priority: 'bulk',
  handle: async ({ db }, { tagId }, { tenantId }) => {
    await sweep(db, tenantId, { removedTagIds: [tagId] }, tx => sweepTag(tx, tenantId, tagId, sweepBatchSize))
    await transact(db, tx => deleteCount(tx, tenantId, tagId))
  },
})

export const sweepDeletedField = job<{ fieldId: string }>({
  name: 'contacts.sweep_deleted_field',
  priority: 'bulk',
  handle: async ({ db }, { fieldId }, { tenantId }) => {
    await sweep(db, tenantId, { fieldIds: [fieldId] }, tx =>
      sweepField(tx, tenantId, fieldId, sweepBatchSize),
    )
  },
})

/** Removes from one batch of contacts after another and emits an event for each contact. */
async function sweep(
  db: Db,
  tenantId: string,
  changes: ContactChanges,
  removeBatch: (tx: Tx) => Promise<string[]>,
): Promise<void> {
  const sweepBatch = async (tx: Tx) => {
    const ids = await removeBatch(tx)
    const updates = ids.map(contactId => ({ contactId, changes }))
    await Promise.all([touch(tx, tenantId, ids), emitContactsUpdated(tx, tenantId, updates)])
    return ids.length
  }
  while ((await transact(db, sweepBatch)) > 0);
}

export const foldContactCounts = cron({
  name: 'contacts.fold_counts',
  schedule: '* * * * *',
  handle: async ({ db }) => {
    while ((await foldDeltas(db, foldBatchSize)) === foldBatchSize);
  },
})

export const purgeContactEvents = cron({
  name: 'contacts.purge_events',
  schedule: '41 3 * * *',
  priority: 'bulk',
  handle: async ({ db, clock }, _tick, work) => {
    const before = new Date(clock.now().getTime() - eventRetentionMs).toISOString()
    const purge = (tx: Tx) => deleteEventsBefore(tx, before, purgeBatchSize)
    while (work.holdsLease() && (await transact(db, purge)) === purgeBatchSize);
  },
})
