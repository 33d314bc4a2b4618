/** Files that belong to no conversation, such as those of saved replies: seen by the users with whom the holder is shared. */
import type { Tx } from '../../platform/db/db.ts'
import { invalid, violation } from '../../platform/errors.ts'
import type { Viewer } from '../access.ts'
import {
  insertMediaShares,
  listVisibleMedia,
  markMediaUsed,
  releaseMediaShares,
} from '../store/media/media.ts'

export interface MediaHolder {
  id: string
  /** The only user who sees the files; null: the teams do. */
  userId: string | null
  /** Null, without a user: the whole workspace. */
  teamIds: readonly string[] | null
}

/** Marks files as used, so that they are not purged. Throws unless the viewer can see all of them. */
export async function claimMedia(
  tx: Tx,
  viewer: Viewer,
  mediaIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (mediaIds.length === 0) return new Set()
  const visible = await listVisibleMedia(tx, viewer, mediaIds)
  const used = await markMediaUsed(tx, viewer.tenantId, [...visible])
  const violations = mediaIds.flatMap((id, i) =>
    used.has(id)
      ? []
      : [violation(`mediaIds[${i}]`, 'unknown_media', 'is not media of this workspace that you can see')],
  )
  if (violations.length > 0) invalid(...violations)
  return used
}

/** Shares exactly these files with those who see the holder. Files that it no longer has are deleted with their last use. */
export async function shareMedia(
  tx: Tx,
  tenantId: string,
  holder: MediaHolder,
  mediaIds: readonly string[],
): Promise<void> {
  await releaseMediaShares(tx, tenantId, holder.id, mediaIds)
  if (mediaIds.length > 0) await insertMediaShares(tx, tenantId, holder, mediaIds)
}
