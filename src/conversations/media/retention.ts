/** What nobody will ask for again: uploads that broke off, and those that were never sent. */
import { transact } from '../../platform/db/transact.ts'
import type { Deps } from '../../platform/deps.ts'
import { cron } from '../../platform/jobs/cron.ts'
import { deleteMedia, failAbandoned, markDeleting } from '../store/media.ts'
import { mediaBlobKey, thumbnailBlobKey } from './blob-keys.ts'

const hour = 3_600_000
const day = 24 * hour
/** Longer than any request may take. */
const unfinishedTtlMs = hour
const unusedTtlMs = 90 * day
/** Providers keep a customer's file for a week. */
const inboundTtlMs = 8 * day
const batchSize = 500

export const purgeMedia = cron({
  name: 'conversations.purge_media',
  schedule: '23 * * * *',
  handle: deps => purge(deps),
})

/** The bytes go before the row, so that a sweep that is cut off is taken up again by the next. */
async function purge({ db, blobs, clock }: Deps): Promise<void> {
  const ago = (ms: number) => new Date(clock.now().getTime() - ms).toISOString()
  const lost = { code: 'media_download_failed', message: 'the file could not be fetched in time' }
  await transact(db, tx => failAbandoned(tx, ago(inboundTtlMs), lost))
  for (;;) {
    const before = { unfinished: ago(unfinishedTtlMs), unused: ago(unusedTtlMs) }
    const leaving = await transact(db, tx => markDeleting(tx, before, batchSize))
    for (const { tenantId, id } of leaving) {
      await blobs.delete(thumbnailBlobKey(tenantId, id))
      await blobs.delete(mediaBlobKey(tenantId, id))
      await deleteMedia(db, tenantId, id)
    }
    if (leaving.length < batchSize) return
  }
}
