/** What nobody will ask for again: uploads that broke off, and those that were never sent. */
import { transact } from '../../platform/db/transact.ts'
import type { Deps } from '../../platform/deps.ts'
import { cron } from '../../platform/jobs/cron.ts'
import { deleteMedia, failAbandoned, markLeaving } from '../store/media.ts'
import { blobOf, thumbnailOf } from './places.ts'

const hour = 3_600_000
const day = 24 * hour
/** Longer than any request may take. */
const unfinishedMs = hour
const unusedMs = 90 * day
/** Providers keep a customer's file for a week. */
const fetchableMs = 8 * day
const atOnce = 500

export const sweepMedia = cron({
  name: 'sweep_media',
  schedule: '23 * * * *',
  handle: deps => sweep(deps),
})

/** The bytes go before the row, so that a sweep that is cut off is taken up again by the next. */
async function sweep({ db, blobs, clock }: Deps): Promise<void> {
  const ago = (ms: number) => new Date(clock.now().getTime() - ms).toISOString()
  const lost = { code: 'media_download_failed', message: 'the file could not be fetched in time' }
  await transact(db, tx => failAbandoned(tx, ago(fetchableMs), lost))
  for (;;) {
    const before = { unfinished: ago(unfinishedMs), unused: ago(unusedMs) }
    const leaving = await transact(db, tx => markLeaving(tx, before, atOnce))
    for (const { tenantId, id } of leaving) {
      await blobs.delete(thumbnailOf(tenantId, id))
      await blobs.delete(blobOf(tenantId, id))
      await deleteMedia(db, tenantId, id)
    }
    if (leaving.length < atOnce) return
  }
}
