/** Segments that journeys track, and their last known members. */

import type { Queryable, Tx } from '../../platform/db/db.ts'
import { notMoving } from '../../platform/db/moving.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'

export interface TrackedSegment {
  segmentId: string
  /** Revision of the segment when its members were stored. */
  revision: number | null
}

export function findTrackedSegment(
  on: Queryable,
  tenantId: string,
  segmentId: string,
): Promise<TrackedSegment | undefined> {
  return on.maybe<TrackedSegment>(sql`
    select segment_id as "segmentId", revision from tracked_segments
    where tenant_id = ${tenantId} and segment_id = ${segmentId}`)
}

/** Inserts the row if there is none. Transactions that replace the members hold this lock. */
export async function lockTrackedSegment(
  tx: Tx,
  tenantId: string,
  segmentId: string,
): Promise<TrackedSegment> {
  await tx.run(sql`
    insert into tracked_segments (tenant_id, segment_id, revision)
    values (${tenantId}, ${segmentId}, null) on conflict do nothing`)
  return tx.one<TrackedSegment>(sql`
    select segment_id as "segmentId", revision from tracked_segments
    where tenant_id = ${tenantId} and segment_id = ${segmentId} for update`)
}

/** Replaces all members. Unprepared, because filters are planned for their values. */
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
    update tracked_segments set revision = ${segment.revision}
    where tenant_id = ${tenantId} and segment_id = ${segment.id}`)
}

/** Returns the contacts that were not members before. */
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

/** Replaces the members with those of the select and returns the added ones. */
export async function syncMembers(
  tx: Tx,
  tenantId: string,
  segmentId: string,
  select: Sql,
): Promise<string[]> {
  const rows = await tx.unprepared<{ id: string }>(sql`
    with wanted as materialized (${select}), removed as (
      delete from segment_memberships m where m.tenant_id = ${tenantId} and m.segment_id = ${segmentId}
        and not exists (select from wanted w where w.contact_id = m.contact_id)
    )
    insert into segment_memberships (tenant_id, segment_id, contact_id)
    select ${tenantId}, ${segmentId}, w.contact_id from wanted w on conflict do nothing returning contact_id as id`)
  return rows.map(row => row.id)
}

/** Deletes segments that no active journey tracks. */
export async function deleteUnusedTrackedSegments(
  tx: Tx,
  used: readonly { tenantId: string; segmentId: string }[],
): Promise<void> {
  await tx.run(sql`
    delete from tracked_segments s where ${notMoving('s.tenant_id')} and not exists (
      select from unnest(${used.map(row => row.tenantId)}::text[], ${used.map(row => row.segmentId)}::text[])
        as u (tenant_id, segment_id)
      where u.tenant_id = s.tenant_id and u.segment_id = s.segment_id)`)
}
