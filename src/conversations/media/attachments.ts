/** Files in messages: who may put one there, whether the channel takes it, and the file as an adapter wants it. */

import { findFileViolation } from '../../inboxes/capabilities/media.ts'
import { type Content, listMediaReferences, type SendableContent } from '../../inboxes/content.ts'
import type { MediaFile } from '../../inboxes/provider.ts'
import type { Channel } from '../../platform/config.ts'
import type { Tx } from '../../platform/db/db.ts'
import type { Deps } from '../../platform/deps.ts'
import { invalid, violation } from '../../platform/errors.ts'
import { RetryLater } from '../../platform/jobs/job.ts'
import type { Viewer } from '../access.ts'
import {
  findMedia,
  findVisibleMedia,
  insertMediaUses,
  type MediaRow,
  markMediaUsed,
  mediaBlobKey,
} from '../store/media.ts'
import { mediaUrlForProvider } from './urls.ts'

/** The file a caller wants to send, which must be theirs to send and fit the channel; nothing where there is none. */
export async function getSendableMedia(
  deps: Pick<Deps, 'db'>,
  viewer: Viewer,
  channel: Channel,
  content: SendableContent,
): Promise<MediaRow | undefined> {
  const [first, second] = listMediaReferences(content)
  if (!first) return undefined
  if (second)
    invalid(violation(second.field, 'too_many_media', 'is one too many: a message carries one file'))
  const row =
    (await findVisibleMedia(deps.db, viewer, first.mediaId)) ??
    invalid(violation(first.field, 'unknown_media', 'is no media of this workspace that you can see'))
  if (row.status === 'failed')
    invalid(violation(first.field, 'media_unavailable', 'could not be fetched from the provider'))
  const fault = row.status === 'ready' ? findFileViolation(channel, toFileProperties(row)) : undefined
  if (fault) invalid(violation(first.field, 'content_unsupported', fault))
  return row
}

export interface MessageWithMedia {
  conversationId: string
  content: SendableContent
}

/**
 * In the transaction of the messages: their files are kept from now on, and those who see the conversation see them. A
 * file that is not there after all makes its message fail when its turn comes.
 */
export async function attachMedia(
  tx: Tx,
  tenantId: string,
  messages: readonly MessageWithMedia[],
): Promise<void> {
  const uses = messages.flatMap(({ conversationId, content }) =>
    listMediaReferences(content).map(({ mediaId }) => ({ mediaId, conversationId })),
  )
  if (uses.length === 0) return
  const there = await markMediaUsed(tx, tenantId, [...new Set(uses.map(one => one.mediaId))])
  await insertMediaUses(
    tx,
    tenantId,
    uses.filter(one => there.has(one.mediaId)),
  )
}

const retryPendingMs = 1_000

export type LoadedAttachment = { file?: MediaFile } | { refused: { code: string; message: string } }

/** What an adapter needs of the file. One that is still being fetched holds its message back. */
export async function loadAttachment(
  deps: Deps,
  tenantId: string,
  channel: Channel,
  content: Content,
): Promise<LoadedAttachment> {
  const [reference] = listMediaReferences(content)
  if (!reference) return {}
  const { mediaId } = reference
  const row = await findMedia(deps.db, tenantId, mediaId)
  if (row?.status === 'pending') throw new RetryLater(retryPendingMs, 'its file is not here yet')
  if (row?.status !== 'ready')
    return { refused: { code: 'media_unavailable', message: 'its file could not be fetched' } }
  const fault = findFileViolation(channel, toFileProperties(row))
  if (fault) return { refused: { code: 'content_unsupported', message: fault } }
  return {
    file: {
      mediaId,
      ...toFileProperties(row),
      filename: row.filename!,
      url: mediaUrlForProvider(deps, tenantId, mediaId),
      open: () => deps.blobs.get(mediaBlobKey(tenantId, mediaId)),
    },
  }
}

function toFileProperties({ mimeType, mediaType, size }: MediaRow) {
  return { mimeType: mimeType!, mediaType: mediaType!, size: size! }
}
