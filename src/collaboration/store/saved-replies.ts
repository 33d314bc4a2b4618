import type { Queryable, Tx } from '../../platform/db/db.ts'
import { inlineLimit, raw, type Sql, sql } from '../../platform/db/sql.ts'
import type { SortKey } from '../../platform/http/page.ts'
import { type Viewer, visibleTo } from '../access.ts'
import type { SavedReply } from '../saved-replies/schemas.ts'
import type { Sharing } from '../sharing.ts'

export type SavedReplyRow = SavedReply & Sharing
type SavedReplyKeys = { shortcutKey: string; searchText: string }

const columns =
  raw(`id, shortcut, text, media_ids as "mediaIds", scope, team_ids as "teamIds", owner_id as "ownerId",
  revision, created_by as "createdBy", created_at as "createdAt", updated_at as "updatedAt"`)

export function savedReplyToApi({ ownerId: _, ...reply }: SavedReplyRow): SavedReply {
  return reply
}

/**
 * Lists a page of the viewer's own and of the shared replies, by shortcut. Each half reads its own range of one index, so
 * that the private replies of others are not read.
 */
export function listSavedReplies(
  on: Queryable,
  viewer: Viewer,
  { search, limit, after }: { search: string | undefined; limit: number; after: SortKey | undefined },
): Promise<(SavedReplyRow & { shortcutKey: string })[]> {
  const matching = search === undefined ? raw('true') : sql`strpos(search_text, ${search}) > 0`
  const later = after ? sql`(shortcut_key, id) > (${after[0]}, ${after[1]})` : raw('true')
  const half = (ownerId: string): Sql => sql`(
    select ${columns}, shortcut_key as "shortcutKey" from saved_replies
    where tenant_id = ${viewer.tenantId} and owner_id = ${ownerId} and ${visibleTo(viewer)} and ${later} and ${matching}
    order by shortcut_key, id limit ${inlineLimit(limit + 1)})`
  return on.rows(sql`
    select * from (${half('')} union all ${half(viewer.id)}) as found
    order by "shortcutKey", id limit ${inlineLimit(limit + 1)}`)
}

export function findSavedReply(
  on: Queryable,
  viewer: Viewer,
  id: string,
): Promise<SavedReplyRow | undefined> {
  return on.maybe(sql`
    select ${columns} from saved_replies where tenant_id = ${viewer.tenantId} and id = ${id} and ${visibleTo(viewer)}`)
}

export function lockSavedReply(tx: Tx, viewer: Viewer, id: string): Promise<SavedReplyRow | undefined> {
  return tx.maybe(sql`
    select ${columns} from saved_replies where tenant_id = ${viewer.tenantId} and id = ${id} and ${visibleTo(viewer)}
    for update`)
}

/** Counts the private replies of an owner, or the shared ones for an empty id. */
export async function countSavedReplies(tx: Tx, tenantId: string, ownerId: string): Promise<number> {
  return (await tx.value<number>(
    sql`select count(*) from saved_replies where tenant_id = ${tenantId} and owner_id = ${ownerId}`,
  ))!
}

export async function insertSavedReply(
  tx: Tx,
  tenantId: string,
  row: SavedReplyRow & SavedReplyKeys,
): Promise<void> {
  await tx.run(sql`
    insert into saved_replies (tenant_id, id, scope, owner_id, team_ids, shortcut, shortcut_key, text, search_text, media_ids,
      created_by, created_at, updated_at)
    values (${tenantId}, ${row.id}, ${row.scope}, ${row.ownerId}, ${row.teamIds}, ${row.shortcut}, ${row.shortcutKey},
      ${row.text}, ${row.searchText}, ${row.mediaIds}, ${row.createdBy}, ${tx.now}, ${tx.now})`)
}

export async function updateSavedReplyRow(
  tx: Tx,
  tenantId: string,
  row: SavedReplyRow & SavedReplyKeys,
): Promise<void> {
  await tx.run(sql`
    update saved_replies set scope = ${row.scope}, owner_id = ${row.ownerId}, team_ids = ${row.teamIds},
      shortcut = ${row.shortcut}, shortcut_key = ${row.shortcutKey}, text = ${row.text}, search_text = ${row.searchText},
      media_ids = ${row.mediaIds}, revision = ${row.revision}, updated_at = ${tx.now}
    where tenant_id = ${tenantId} and id = ${row.id}`)
}

export async function deleteSavedReplyRow(tx: Tx, tenantId: string, id: string): Promise<void> {
  await tx.run(sql`delete from saved_replies where tenant_id = ${tenantId} and id = ${id}`)
}
