import type { Db, Queryable, Tx } from '../../../platform/db/db.ts'
import { notMoving } from '../../../platform/db/moving.ts'
import { raw, sql } from '../../../platform/db/sql.ts'
import { type Viewer, visibleTo } from '../../access.ts'
import type { MediaType } from '../../media/detect-type.ts'

export const mediaBlobKey = (tenantId: string, mediaId: string): string => `${tenantId}/media/${mediaId}`

export const thumbnailBlobKey = (tenantId: string, mediaId: string): string =>
  `${mediaBlobKey(tenantId, mediaId)}/thumbnail`

export interface MediaRow {
  id: string
  tenantId: string
  status: 'pending' | 'ready' | 'failed' | 'deleting'
  mediaType: MediaType | null
  mimeType: string | null
  filename: string | null
  size: number | null
  sha256: string | null
  uploadedBy: string | null
  inboxId: string | null
  reference: string | null
  failure: { code: string; message: string } | null
  hasThumbnail: boolean
}

const columns =
  raw(`m.id, m.tenant_id as "tenantId", m.status, m.media_type as "mediaType", m.mime_type as "mimeType",
  m.filename, m.size, m.sha256, m.uploaded_by as "uploadedBy", m.inbox_id as "inboxId", m.reference, m.failure,
  m.has_thumbnail as "hasThumbnail"`)

/** Inserted before the first byte of an upload, so that a blob left by a killed process has a row. */
export async function insertPending(
  db: Db,
  tenantId: string,
  row: { id: string; uploadedBy: string },
): Promise<void> {
  await db.run(sql`
    insert into media (tenant_id, id, status, uploaded_by, created_at)
    values (${tenantId}, ${row.id}, 'pending', ${row.uploadedBy}, ${db.clock.now().toISOString()})`)
}

/** Bytes of all files of the workspace. */
export async function getMediaUsage(on: Queryable, tenantId: string): Promise<number> {
  return (await on.value<number>(sql`select bytes from media_usage where tenant_id = ${tenantId}`)) ?? 0
}

export interface InboundFile {
  id: string
  inboxId: string
  reference: string
  mimeType: string | null
  filename: string | null
}

export async function insertInboundMedia(tx: Tx, tenantId: string, row: InboundFile): Promise<void> {
  await tx.run(sql`
    insert into media (tenant_id, id, status, inbox_id, reference, mime_type, filename, used, created_at)
    values (${tenantId}, ${row.id}, 'pending', ${row.inboxId}, ${row.reference}, ${row.mimeType}, ${row.filename}, true, ${tx.now})`)
}

export interface StoredFile {
  mediaType: MediaType
  mimeType: string
  filename: string
  size: number
  sha256: string
}

/** Returns false when the upload was purged as abandoned. */
export async function markReady(tx: Tx, tenantId: string, id: string, file: StoredFile): Promise<boolean> {
  const changed = await tx.run(sql`
    update media set status = 'ready', media_type = ${file.mediaType}, mime_type = ${file.mimeType},
      filename = ${file.filename}, size = ${file.size}, sha256 = ${file.sha256}, failure = null
    where tenant_id = ${tenantId} and id = ${id} and status = 'pending'`)
  return changed > 0
}

export async function markFailed(
  tx: Tx,
  tenantId: string,
  id: string,
  failure: { code: string; message: string },
): Promise<void> {
  await tx.run(sql`
    update media set status = 'failed', failure = ${JSON.stringify(failure)}::json
    where tenant_id = ${tenantId} and id = ${id} and status = 'pending'`)
}

export async function markThumbnail(tx: Tx, tenantId: string, id: string): Promise<boolean> {
  const changed = await tx.run(sql`
    update media set has_thumbnail = true where tenant_id = ${tenantId} and id = ${id} and status = 'ready'`)
  return changed > 0
}

export function findMedia(on: Queryable, tenantId: string, id: string): Promise<MediaRow | undefined> {
  return on.maybe(sql`
    select ${columns} from media m where m.tenant_id = ${tenantId} and m.id = ${id} and m.status <> 'deleting'`)
}

/** Owners and admins see all media of the workspace, agents those they uploaded, see in a conversation or share. */
const visibleMedia = (viewer: Viewer) => sql`m.tenant_id = ${viewer.tenantId} and m.status <> 'deleting'
  and (m.uploaded_by is null or m.status <> 'pending')
  and (${viewer.role !== 'agent'} or m.uploaded_by = ${viewer.id} or exists (
    select from media_uses u
    join conversation_states s on s.tenant_id = u.tenant_id and s.conversation_id = u.conversation_id
    where u.tenant_id = m.tenant_id and u.media_id = m.id and ${visibleTo(viewer)})
    or exists (select from media_shares h where h.tenant_id = m.tenant_id and h.media_id = m.id
      and (h.user_id = ${viewer.id} or h.team_ids && ${viewer.teamIds}::text[]
        or (h.user_id is null and h.team_ids is null))))`

/** Finds media that the viewer may see. Unfinished uploads are visible to no user. */
export function findVisibleMedia(on: Queryable, viewer: Viewer, id: string): Promise<MediaRow | undefined> {
  return on.maybe(sql`select ${columns} from media m where m.id = ${id} and ${visibleMedia(viewer)}`)
}

/** Returns which of these media the viewer may see. */
export function listVisibleMedia(
  on: Queryable,
  viewer: Viewer,
  ids: readonly string[],
): Promise<Set<string>> {
  return on.set<string>(sql`select m.id from media m where m.id = any(${ids}) and ${visibleMedia(viewer)}`)
}

export interface ContactFileRow extends MediaRow {
  conversationId: string
  createdAt: string
}

/** Lists the files of the conversations of a contact that the viewer can see, newest first. */
export function listContactFiles(
  on: Queryable,
  viewer: Viewer,
  contactId: string,
  page: { limit: number; before: unknown },
): Promise<ContactFileRow[]> {
  const before = page.before === undefined ? raw('') : sql`and u.media_id < ${page.before}`
  return on.rows(sql`
    select ${columns}, m.created_at as "createdAt", used.conversation_id as "conversationId"
    from (
      select u.media_id, max(u.conversation_id) as conversation_id from contact_conversations v
      join conversation_states s on s.tenant_id = v.tenant_id and s.conversation_id = v.conversation_id
      join media_uses u on u.tenant_id = v.tenant_id and u.conversation_id = v.conversation_id
      where v.tenant_id = ${viewer.tenantId} and v.contact_id = ${contactId} and ${visibleTo(viewer)} ${before}
      group by u.media_id
    ) used
    join media m on m.tenant_id = ${viewer.tenantId} and m.id = used.media_id and m.status = 'ready'
    order by m.id desc limit ${page.limit}`)
}

/** Marks media as used, so that they are not purged; returns the ids that exist. */
export async function markMediaUsed(tx: Tx, tenantId: string, ids: readonly string[]): Promise<Set<string>> {
  await tx.run(sql`
    update media set used = true
    where tenant_id = ${tenantId} and id = any(${ids}) and not used and status in ('ready', 'pending')`)
  return tx.set<string>(sql`
    select id from media where tenant_id = ${tenantId} and id = any(${ids}) and used and status in ('ready', 'pending')`)
}

export async function insertMediaUses(
  tx: Tx,
  tenantId: string,
  uses: readonly { mediaId: string; conversationId: string }[],
): Promise<void> {
  await tx.run(sql`
    insert into media_uses (tenant_id, media_id, conversation_id)
    select ${tenantId}, media_id, conversation_id
    from unnest(${uses.map(use => use.mediaId)}::text[], ${uses.map(use => use.conversationId)}::text[])
      as u(media_id, conversation_id)
    on conflict do nothing`)
}

/** Removes the file from the conversation, and marks it for deletion unless another conversation uses it. */
export async function markMediaDeleting(
  tx: Tx,
  tenantId: string,
  mediaId: string,
  conversationId: string,
): Promise<void> {
  await tx.run(sql`
    delete from media_uses
    where tenant_id = ${tenantId} and media_id = ${mediaId} and conversation_id = ${conversationId}`)
  await tx.run(sql`
    update media m set status = 'deleting', used = false
    where m.tenant_id = ${tenantId} and m.id = ${mediaId}
      and not exists (select from media_uses u where u.tenant_id = m.tenant_id and u.media_id = m.id)
      and not exists (select from media_shares h where h.tenant_id = m.tenant_id and h.media_id = m.id)`)
}

export async function insertMediaShares(
  tx: Tx,
  tenantId: string,
  holder: { id: string; userId: string | null; teamIds: readonly string[] | null },
  mediaIds: readonly string[],
): Promise<void> {
  await tx.run(sql`
    insert into media_shares (tenant_id, media_id, holder_id, user_id, team_ids)
    select ${tenantId}, id, ${holder.id}, ${holder.userId}, ${holder.teamIds}::text[]
    from unnest(${mediaIds}::text[]) as id
    on conflict (tenant_id, media_id, holder_id) do update set user_id = excluded.user_id, team_ids = excluded.team_ids`)
}

/** Removes the files that the holder no longer has, and marks those without another use for deletion. */
export async function releaseMediaShares(
  tx: Tx,
  tenantId: string,
  holderId: string,
  kept: readonly string[],
): Promise<void> {
  await tx.run(sql`
    with removed as (
      delete from media_shares where tenant_id = ${tenantId} and holder_id = ${holderId} and media_id <> all(${kept})
      returning media_id
    )
    update media m set status = 'deleting', used = false from removed
    where m.tenant_id = ${tenantId} and m.id = removed.media_id
      and not exists (select from media_uses u where u.tenant_id = m.tenant_id and u.media_id = m.id)
      and not exists (select from media_shares h where h.tenant_id = m.tenant_id and h.media_id = m.id
        and h.holder_id <> ${holderId})`)
}

interface DeletingMedia {
  tenantId: string
  id: string
}

/** Marks unfinished uploads and uploads that no message uses for deletion. */
export function markDeleting(
  tx: Tx,
  before: { unfinished: string; unused: string },
  limit: number,
): Promise<DeletingMedia[]> {
  return tx.rows(sql`
    update media m set status = 'deleting' from (
      select tenant_id, id from media
      where ${notMoving('media.tenant_id')} and (status in ('pending', 'deleting') or not used) and (status = 'deleting'
        or (status = 'pending' and uploaded_by is not null and created_at < ${before.unfinished})
        or (status = 'ready' and not used and created_at < ${before.unused}))
      order by created_at limit ${limit} for update skip locked) as old
    where m.tenant_id = old.tenant_id and m.id = old.id
    returning m.tenant_id as "tenantId", m.id`)
}

/** Fails inbound media whose fetch was abandoned. */
export function failAbandoned(
  tx: Tx,
  before: string,
  failure: { code: string; message: string },
): Promise<number> {
  return tx.run(sql`
    update media set status = 'failed', failure = ${JSON.stringify(failure)}::json
    where status = 'pending' and uploaded_by is null and created_at < ${before} and ${notMoving('media.tenant_id')}`)
}

export async function deleteMedia(db: Db, tenantId: string, id: string): Promise<void> {
  await db.run(
    sql`delete from media where tenant_id = ${tenantId} and id = ${id} and status in ('deleting', 'pending') and not used`,
  )
}
