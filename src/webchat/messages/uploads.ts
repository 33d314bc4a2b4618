/** Files of visitors. A visitor can use a file that it uploaded in its own messages, and nobody else can. */

import type { FastifyRequest } from 'fastify'
import { uploadMedia } from '../../conversations/media/media.ts'
import type { Deps } from '../../platform/deps.ts'
import type { Caller, Visitor } from '../../platform/http/caller.ts'
import { Reply } from '../../platform/http/route.ts'
import type { WidgetFile } from '../schemas.ts'
import { toWidgetFile } from './message-view.ts'

export const maxUploadBytes = 25_000_000

export async function uploadFile(
  deps: Deps,
  request: FastifyRequest,
  visitor: Visitor,
): Promise<WidgetFile | Reply> {
  const { db, blobs, keys, config, clock, caches } = deps
  const caller = toUploader(visitor)
  const context = { db, blobs, keys, config, clock, caches, request, caller }
  const stored = await uploadMedia(context, { maxBytes: maxUploadBytes })
  if (stored instanceof Reply) return stored
  const { mediaId: id, mimeType, filename, fileSize: size } = stored
  return toWidgetFile(deps, visitor.tenantId, { id, mimeType, filename, size })
}

/** May do nothing but own the upload. */
const toUploader = ({ tenantId, id }: Visitor): Caller => ({
  tenantId,
  id,
  kind: 'service',
  role: 'agent',
  scopes: new Set(),
  teamIds: [],
})
