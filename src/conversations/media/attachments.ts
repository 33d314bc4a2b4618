/** Files in messages: checks that the caller may send them and that the channel supports them, and loads them for delivery. */

import { findFileViolation } from '../../inboxes/capabilities/media.ts'
import { type Content, listMediaReferences, type SendableContent } from '../../inboxes/content.ts'
import type { MediaFile } from '../../inboxes/providers/provider.ts'
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
  markMediaDeleting,
  markMediaUsed,
  mediaBlobKey,
} from '../store/media/media.ts'
import { mediaUrlForProvider } from './urls.ts'

/** Returns the file of the content, which the viewer must be allowed to see and the channel to support; undefined without a file. */
export async function getSendableMedia(
  deps: Pick<Deps, 'db'>,
  viewer: Viewer,
  channel: Channel,
  content: SendableContent,
): Promise<MediaRow | undefined> {
  const [first, second] = listMediaReferences(content)
  if (!first) return undefined
  if (second)
    invalid(violation(second.field, 'too_many_media', 'must be removed: a message can have one file'))
  const row =
    (await findVisibleMedia(deps.db, viewer, first.mediaId)) ??
    invalid(violation(first.field, 'unknown_media', 'is not media of this workspace that you can see'))
  if (row.status === 'failed')
    invalid(violation(first.field, 'media_unavailable', 'could not be fetched from the provider'))
  const unsupported = row.status === 'ready' ? findFileViolation(channel, toFileProperties(row)) : undefined
  if (unsupported) invalid(violation(first.field, 'content_unsupported', unsupported))
  return row
}

export interface MessageWithMedia {
  conversationId: string
  content: Content
}

/**
 * Marks the files of messages as used, in the transaction of the messages, and makes them visible with the conversation.
 * A message whose file no longer exists fails when it is delivered.
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
  const existing = await markMediaUsed(tx, tenantId, [...new Set(uses.map(use => use.mediaId))])
  await insertMediaUses(
    tx,
    tenantId,
    uses.filter(use => existing.has(use.mediaId)),
  )
}

/** Deletes the files of a customer's message, except those that were sent on in another conversation. */
export async function discardInboundMedia(
  tx: Tx,
  tenantId: string,
  { conversationId, content }: MessageWithMedia,
): Promise<void> {
  for (const { mediaId } of listMediaReferences(content))
    await markMediaDeleting(tx, tenantId, mediaId, conversationId)
}

const retryPendingMs = 1_000

export type LoadedAttachment = { file?: MediaFile } | { refused: { code: string; message: string } }

/** Loads the file for the provider's adapter. Throws RetryLater while it is still being fetched. */
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
  if (row?.status === 'pending')
    throw new RetryLater(retryPendingMs, 'the file of the message is not stored yet')
  if (row?.status !== 'ready')
    return { refused: { code: 'media_unavailable', message: 'the file could not be fetched' } }
  const unsupported = findFileViolation(channel, toFileProperties(row))
  if (unsupported) return { refused: { code: 'content_unsupported', message: unsupported } }
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
