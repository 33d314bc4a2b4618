/** Segments that journeys watch, and who is in them as far as is known. */
import type { Queryable, Tx } from '../../platform/db/db.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'

export interface TrackedSegment {
  segmentId: string
  /** Of the segment when its members were last gone through. */
  revision: number | null
}

export function listTrackedSegments(
  on: Queryable,
  tenantId: string,
  segmentIds: readonly string[],
): Promise<TrackedSegment[]> {
  return on.rows<TrackedSegment>(sql`
    select segment_id as "segmentId", revision from tracked_segments
    where tenant_id = ${tenantId} and segment_id = any(${segmentIds})`)
}

/** Made when there is none; whoever changes who is in the segment holds it. */
export async function lockTrackedSegment(
  tx: Tx,
  tenantId: string,
  segmentId: string,
): Promise<TrackedSegment> {
  await tx.run(sql`
    insert into tracked_segments (tenant_id, segment_id, revision, swept_at)
    values (${tenantId}, ${segmentId}, null, ${tx.now}) on conflict do nothing`)
  return tx.one<TrackedSegment>(sql`
    select segment_id as "segmentId", revision from tracked_segments
    where tenant_id = ${tenantId} and segment_id = ${segmentId} for update`)
}

/** All that are in it now, and nobody else. Planned for its values, as filters are. */
export async function replaceMembers(
  tx: Tx,
  tenantId: string,
  segment: { id: string; revision: number },
  select: Sql,
): Promise<void> {
  await tx.run(
    sql`delete from segment_memberships where tenant_id = ${tenantId} and segment_id = ${segment.id}`,
  )
  await tx.unprepared(sql`
    insert into segment_memberships (tenant_id, segment_id, contact_id)
    select ${tenantId}, ${segment.id}, s.contact_id from (${select}) s on conflict do nothing`)
  await tx.run(sql`
    update tracked_segments set revision = ${segment.revision}, swept_at = ${tx.now}
    where tenant_id = ${tenantId} and segment_id = ${segment.id}`)
}

/** Those that were not in it before. */
export async function addMembers(
  tx: Tx,
  tenantId: string,
  segmentId: string,
  contactIds: readonly string[],
): Promise<string[]> {
  const rows = await tx.rows<{ id: string }>(sql`
    insert into segment_memberships (tenant_id, segment_id, contact_id)
    select ${tenantId}, ${segmentId}, id from unnest(${contactIds}::text[]) as id order by id
    on conflict do nothing returning contact_id as id`)
  return rows.map(row => row.id)
}

export async function removeMembers(
  tx: Tx,
  tenantId: string,
  segmentId: string,
  contactIds: readonly string[],
): Promise<void> {
  await tx.run(sql`
    delete from segment_memberships
    where tenant_id = ${tenantId} and segment_id = ${segmentId} and contact_id = any(${contactIds})`)
}

/** Makes the members those of the select; gives who came in. */
export async function syncMembers(
  tx: Tx,
  tenantId: string,
  segmentId: string,
  select: Sql,
): Promise<string[]> {
  const rows = await tx.unprepared<{ id: string }>(sql`
    with wanted as materialized (${select}), gone as (
      delete from segment_memberships m where m.tenant_id = ${tenantId} and m.segment_id = ${segmentId}
        and not exists (select from wanted w where w.contact_id = m.contact_id)
    )
    insert into segment_memberships (tenant_id, segment_id, contact_id)
    select ${tenantId}, ${segmentId}, w.contact_id from wanted w on conflict do nothing returning contact_id as id`)
  return rows.map(row => row.id)
}

/** Segments that no active journey watches any more. */
export async function deleteUnusedTrackedSegments(
  tx: Tx,
  watched: readonly { tenantId: string; segmentId: string }[],
) {
  await tx.run(sql`
    delete from tracked_segments s where not exists (
      select from unnest(${watched.map(one => one.tenantId)}::text[], ${watched.map(one => one.segmentId)}::text[])
        as w (tenant_id, segment_id)
      where w.tenant_id = s.tenant_id and w.segment_id = s.segment_id)`)
}
