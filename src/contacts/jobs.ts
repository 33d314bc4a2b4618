/** Removes deleted tags and custom fields from contacts, and folds count deltas into counters. */
import { transact } from '../platform/db/transact.ts'
import { cron } from '../platform/jobs/cron.ts'
import { job } from '../platform/jobs/job.ts'
import { foldDeltas } from './store/counts.ts'
import { sweepField } from './store/custom-fields.ts'
import { deleteCount, sweepTag } from './store/tags.ts'

const sweepBatchSize = 1_000
const foldBatchSize = 10_000

export const sweepDeletedTag = job<{ tagId: string }>({
  name: 'contacts.sweep_deleted_tag',
  priority: 'bulk',
  handle: async ({ db }, { tagId }, { tenantId }) => {
    while ((await transact(db, tx => sweepTag(tx, tenantId, tagId, sweepBatchSize))) > 0);
    await transact(db, tx => deleteCount(tx, tenantId, tagId))
  },
})

export const sweepDeletedField = job<{ fieldId: string }>({
  name: 'contacts.sweep_deleted_field',
  priority: 'bulk',
  handle: async ({ db }, { fieldId }, { tenantId }) => {
    while ((await transact(db, tx => sweepField(tx, tenantId, fieldId, sweepBatchSize))) > 0);
  },
})

export const foldContactCounts = cron({
  name: 'contacts.fold_counts',
  schedule: '* * * * *',
  handle: async ({ db }) => {
    while ((await foldDeltas(db, foldBatchSize)) === foldBatchSize);
  },
})
