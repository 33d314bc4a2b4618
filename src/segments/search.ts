/** What a search asks, as conditions on rows: filters together with what the caller may see; and how many match. */
import { countContacts } from '../contacts/counting.ts'
import { findTagsContaining } from '../contacts/tags-and-fields/tags.ts'
import {
  canSeeAll,
  selectAssignedContactIds,
  selectVisibleContactIds,
  type Viewer,
  visibleTo,
} from '../contacts/visibility.ts'
import type { Db, Queryable } from '../platform/db/db.ts'
import { and, type Sql, sql } from '../platform/db/sql.ts'
import { type ConditionSql, type SqlContext, selectIdsByActivity } from './filter/condition.ts'
import { type CompileOptions, type ContactFilter, listSearchTexts, toConjuncts } from './filter/filter.ts'
import { countMatches, type Sort, selectMatches } from './store/search.ts'

export const newestFirst: Sort = { field: 'createdAt', direction: 'desc' }

export interface AppliedFilter {
  filter: ContactFilter
  options?: CompileOptions
}

/** What must hold for contacts in a search: the filters together, and that the viewer may see them. */
export async function compileFilters(
  on: Queryable,
  viewer: Viewer,
  uses: readonly AppliedFilter[],
  now: Date,
): Promise<ConditionSql[]> {
  const texts = [...new Set(uses.flatMap(use => listSearchTexts(use.filter)))]
  const tags = await Promise.all(texts.map(text => findTagsContaining(on, viewer.tenantId, text)))
  const context: SqlContext = {
    tenantId: viewer.tenantId,
    now,
    tagIdsByText: new Map(texts.map((text, i) => [text, tags[i]!])),
  }
  const conjuncts = uses.flatMap(use => toConjuncts(use.filter, context, use.options))
  return [...combineActivity(viewer.tenantId, conjuncts), ...visibilityConjuncts(viewer)]
}

/** Conditions on one row, asked one by one, would each give all their own matches; together they give theirs. */
function combineActivity(tenantId: string, conjuncts: readonly ConditionSql[]): ConditionSql[] {
  const own = conjuncts.filter(one => one.activity !== undefined)
  if (own.length < 2 || own.every(one => one.ids === undefined)) return [...conjuncts]
  const activity = and(own.map(one => one.activity!))
  const streams = own.find(one => one.orderedIds)?.orderedIds
  const together: ConditionSql = {
    check: sql`(${activity})`,
    activity,
    ids: selectIdsByActivity(tenantId, activity),
    ...(streams ? { orderedIds: streams } : {}),
  }
  return [...conjuncts.filter(one => !own.includes(one)), together]
}

export function visibilityConjuncts(viewer: Viewer): ConditionSql[] {
  if (canSeeAll(viewer)) return []
  const gather = sql`(a.conversation_count = 0 or c.id in (${selectAssignedContactIds(viewer)}))`
  return [{ check: visibleTo(viewer), collectCheck: gather, ids: selectVisibleContactIds(viewer) }]
}

/** How many match. All of the active or archived ones are counted already. */
export async function countMatching(
  db: Db,
  viewer: Viewer,
  uses: readonly AppliedFilter[],
  now: Date,
): Promise<number> {
  if (uses.every(use => use.filter.conditions.length === 0)) return countContacts(db, viewer, 'active')
  const conjuncts = await compileFilters(db, viewer, uses, now)
  return countMatches(db, { tenantId: viewer.tenantId, conjuncts, sort: newestFirst })
}

/**
 * A statement that selects the `contact_id` of every contact of the workspace that a filter means, for a campaign's
 * ledger or a sweep. To be planned for its values.
 */
export async function selectMatching(
  on: Queryable,
  tenantId: string,
  filter: ContactFilter,
  now: Date,
): Promise<Sql> {
  const everything: Viewer = { tenantId, id: '', role: 'owner', teamIds: [] }
  return selectMatches({ tenantId, conjuncts: await compileFilters(on, everything, [{ filter }], now) })
}
