/** Sort orders of contact searches as SQL: their columns, their cursors and the opposite direction. */
import { and, raw, type Sql, sql } from '../../platform/db/sql.ts'
import type { ConditionSql } from '../filter/condition.ts'

export type SortField = 'createdAt' | 'updatedAt' | 'name' | 'lastInteractionAt'

export interface Sort {
  field: SortField
  direction: 'asc' | 'desc'
}

/** The position of a contact in a list: its sort value as text, and its id. */
export type Cursor = readonly [value: string, id: string]

interface SortOrder {
  column: Sql
  type: Sql
  /** The table whose index has this order. */
  table: 'contacts' | 'contact_activity'
}

export const sortOrders: Record<SortField, SortOrder> = {
  createdAt: { column: raw('c.id'), type: raw('text'), table: 'contacts' },
  name: { column: raw('c.sort_name'), type: raw('text'), table: 'contacts' },
  updatedAt: { column: raw('a.updated_at'), type: raw('timestamptz'), table: 'contact_activity' },
  lastInteractionAt: {
    column: raw('a.last_interaction_at'),
    type: raw('timestamptz'),
    table: 'contact_activity',
  },
}

export const activity = raw(
  'left join contact_activity a on a.tenant_id = c.tenant_id and a.contact_id = c.id',
)

function idColumn({ field }: Sort): Sql {
  return raw(sortOrders[field].table === 'contacts' ? 'c.id' : 'a.contact_id')
}

/** Selects the rows after a cursor, in the order of an index that ends in the id. */
export function afterCursor(sort: Sort, after: Cursor | undefined): Sql {
  if (!after) return raw('true')
  const beyond = raw(sort.direction === 'desc' ? '<' : '>')
  const { column, type } = sortOrders[sort.field]
  if (sort.field === 'createdAt') return sql`c.id ${beyond} ${after[1]}`
  return sql`(${column}, ${idColumn(sort)}) ${beyond} (${after[0]}::${type}, ${after[1]}::text)`
}

export function orderBy(sort: Sort): Sql {
  const direction = raw(sort.direction)
  if (sort.field === 'createdAt') return sql`c.id ${direction}`
  return sql`${sortOrders[sort.field].column} ${direction}, ${idColumn(sort)} ${direction}`
}

export function inIdRange(conjuncts: readonly ConditionSql[], id: Sql): Sql {
  return and([
    ...conjuncts.flatMap(({ fromId }) => (fromId === undefined ? [] : [sql`${id} >= ${fromId}`])),
    ...conjuncts.flatMap(({ toId }) => (toId === undefined ? [] : [sql`${id} < ${toId}`])),
  ])
}

export function opposite({ direction }: Sort): 'asc' | 'desc' {
  return direction === 'asc' ? 'desc' : 'asc'
}
