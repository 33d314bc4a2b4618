/** Deletes expired data: provider events, recorded failures, and media that no message uses. */
import { transact } from '../../platform/db/transact.ts'
import type { Deps } from '../../platform/deps.ts'
import { cron } from '../../platform/jobs/cron.ts'
import {
  deleteMedia,
  failAbandoned,
  markDeleting,
  mediaBlobKey,
  thumbnailBlobKey,
} from '../store/media/media.ts'
import { deleteOldFailures } from '../store/messages/message-failures.ts'
import { deleteOldProviderEvents } from '../store/provider-events.ts'

const hour = 3_600_000
const day = 24 * hour
/** Providers repeat events for at most a week, so a deduplication key is not needed for longer. */
const providerEventTtlMs = 8 * day
/** Longer than any upload takes. */
const unfinishedTtlMs = hour
const unusedTtlMs = 90 * day
/** Providers delete a customer's file after a week. */
const inboundTtlMs = 8 * day
const failureTtlMs = 7 * day
const batchSize = 500

export const purgeProviderEvents = cron({
  name: 'conversations.purge_provider_events',
  schedule: '47 * * * *',
  handle: ({ db, clock }) =>
    deleteOldProviderEvents(db, new Date(clock.now().getTime() - providerEventTtlMs).toISOString()),
})

export const purgeFailures = cron({
  name: 'conversations.purge_failures',
  schedule: '53 * * * *',
  handle: ({ db, clock }) =>
    deleteOldFailures(db, new Date(clock.now().getTime() - failureTtlMs).toISOString()),
})

export const purgeMedia = cron({
  name: 'conversations.purge_media',
  schedule: '23 * * * *',
  handle: deps => purge(deps),
})

/** Deletes the bytes before the row, so that the next run continues an interrupted one. */
async function purge({ db, blobs, clock }: Deps): Promise<void> {
  const ago = (ms: number) => new Date(clock.now().getTime() - ms).toISOString()
  const failure = { code: 'media_download_failed', message: 'the file could not be fetched in time' }
  await transact(db, tx => failAbandoned(tx, ago(inboundTtlMs), failure))
  for (;;) {
    const before = { unfinished: ago(unfinishedTtlMs), unused: ago(unusedTtlMs) }
    const deleting = await transact(db, tx => markDeleting(tx, before, batchSize))
    for (const { tenantId, id } of deleting) {
      await blobs.delete(thumbnailBlobKey(tenantId, id))
      await blobs.delete(mediaBlobKey(tenantId, id))
      await deleteMedia(db, tenantId, id)
    }
    if (deleting.length < batchSize) return
  }
}
