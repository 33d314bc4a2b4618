import type { Static } from 'typebox'
import type { Db, Tx } from '../../platform/db/db.ts'
import { and, type Sql, sql } from '../../platform/db/sql.ts'
import type { SortKey } from '../../platform/http/page.ts'
import { parseTimestamp } from '../../platform/http/schemas.ts'
import { type AuditEntry, AuditEntryId } from '../schemas.ts'

export type AuditRow = Static<typeof AuditEntry>

export async function insertAudit(tx: Tx, tenantId: string, row: AuditRow): Promise<void> {
  await tx.run(sql`
    insert into audit_log (tenant_id, id, at, actor_type, actor_id, action, target_type, target_id, details)
    values (${tenantId}, ${row.id}, ${row.at}, ${row.actorType}, ${row.actorId}, ${row.action}, ${row.targetType},
      ${row.targetId}, ${JSON.stringify(row.details)}::jsonb)`)
}

export interface AuditFilter {
  action?: string
  actorId?: string
  targetId?: string
  /** Entries from `after` on, and before `before`. */
  after?: string
  before?: string
}

const dayMs = 86_400_000

/**
 * Every index ends with the id, which begins with the time, so that a range reads only its entries. Ids written by
 * earlier versions have the time of the process instead of the database's: the bounds are a day wider than the range.
 */
const inRange = ({ after, before }: AuditFilter): Sql[] => [
  ...(after
    ? [
        sql`at >= ${after}`,
        sql`id >= ${AuditEntryId.firstAt(new Date(parseTimestamp(after).getTime() - dayMs))}`,
      ]
    : []),
  ...(before
    ? [
        sql`at < ${before}`,
        sql`id < ${AuditEntryId.firstAt(new Date(parseTimestamp(before).getTime() + dayMs))}`,
      ]
    : []),
]

export function listAudit(
  db: Db,
  tenantId: string,
  filter: AuditFilter,
  page: { limit: number; after?: SortKey },
): Promise<AuditRow[]> {
  const where = [
    sql`tenant_id = ${tenantId}`,
    ...(filter.action ? [sql`action = ${filter.action}`] : []),
    ...(filter.actorId ? [sql`actor_id = ${filter.actorId}`] : []),
    ...(filter.targetId ? [sql`target_id = ${filter.targetId}`] : []),
    ...inRange(filter),
    ...(page.after ? [sql`id < ${page.after[0]}`] : []),
  ]
  return db.rows<AuditRow>(sql`
    select id, at, actor_type as "actorType", actor_id as "actorId", action, target_type as "targetType",
      target_id as "targetId", details
    from audit_log where ${and(where)} order by id desc limit ${page.limit + 1}`)
}
