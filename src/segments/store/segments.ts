import { maxNamed, type NamedResource } from '../../platform/contributions/search.ts'
import type { Queryable, Tx } from '../../platform/db/db.ts'
import { inlineLimit, sql } from '../../platform/db/sql.ts'
import type { SortKey } from '../../platform/http/page.ts'
import type { ContactFilter } from '../filter/filter.ts'
import type { Segment } from '../schemas.ts'

const columns = sql`id, name, description, created_by as "createdBy", updated_by as "updatedBy", filter, revision,
  created_at as "createdAt", updated_at as "updatedAt"`

export function findSegment(on: Queryable, tenantId: string, id: string): Promise<Segment | undefined> {
  return on.maybe<Segment>(sql`
    select ${columns} from segments where tenant_id = ${tenantId} and id = ${id} and deleted_at is null`)
}

export function lockSegment(tx: Tx, tenantId: string, id: string): Promise<Segment | undefined> {
  return tx.maybe<Segment>(sql`
    select ${columns} from segments where tenant_id = ${tenantId} and id = ${id} and deleted_at is null for update`)
}

/** Locks a segment against deletion. Returns whether it exists. */
export async function lockSegmentForShare(tx: Tx, tenantId: string, id: string): Promise<boolean> {
  const row = await tx.maybe(sql`
    select 1 from segments where tenant_id = ${tenantId} and id = ${id} and deleted_at is null for share`)
  return row !== undefined
}

export function listSegments(
  on: Queryable,
  tenantId: string,
  page: { limit: number; after: SortKey | undefined },
): Promise<Segment[]> {
  const before = page.after ? sql`and id < ${page.after[0]}` : sql``
  return on.rows<Segment>(sql`
    select ${columns} from segments where tenant_id = ${tenantId} and deleted_at is null ${before}
    order by id desc limit ${page.limit + 1}`)
}

export function listSegmentNames(on: Queryable, tenantId: string): Promise<NamedResource[]> {
  return on.rows(sql`
    select id, name, description as detail from segments where tenant_id = ${tenantId} and deleted_at is null
    order by id desc limit ${inlineLimit(maxNamed)}`)
}

/** Locks the segments whose filter contains an id, in the order of their ids. */
export function lockSegmentsReferencing(tx: Tx, tenantId: string, id: string): Promise<Segment[]> {
  return tx.rows<Segment>(sql`
    select ${columns} from segments
    where tenant_id = ${tenantId} and deleted_at is null and strpos(filter::text, ${JSON.stringify(id)}) > 0
    order by id for update`)
}

export async function insertSegment(
  tx: Tx,
  tenantId: string,
  segment: { id: string; name: string; description: string | null; filter: ContactFilter; createdBy: string },
): Promise<void> {
  await tx.run(sql`
    insert into segments (tenant_id, id, name, description, filter, created_by, updated_by, created_at, updated_at)
    values (${tenantId}, ${segment.id}, ${segment.name}, ${segment.description}, ${JSON.stringify(segment.filter)}::json,
      ${segment.createdBy}, ${segment.createdBy}, ${tx.now}, ${tx.now})`)
}

export async function updateSegment(
  tx: Tx,
  tenantId: string,
  id: string,
  segment: { name: string; description: string | null; filter: ContactFilter; updatedBy: string },
): Promise<void> {
  await tx.run(sql`
    update segments set name = ${segment.name}, description = ${segment.description},
      filter = ${JSON.stringify(segment.filter)}::json, revision = revision + 1, updated_by = ${segment.updatedBy},
      updated_at = ${tx.now}
    where tenant_id = ${tenantId} and id = ${id}`)
}

export async function markSegmentDeleted(tx: Tx, tenantId: string, id: string): Promise<void> {
  await tx.run(sql`update segments set deleted_at = ${tx.now} where tenant_id = ${tenantId} and id = ${id}`)
}
