/** What a search asks, as conditions on rows: filters together with what the caller may see; and how many match. */
import { countContacts } from '../contacts/counting.ts'
import { tagsContaining } from '../contacts/tags.ts'
import { idsOfTheirs, idsVisibleTo, seesAll, type Viewer, visibleTo } from '../contacts/visibility.ts'
import type { Db, Queryable } from '../platform/db/db.ts'
import { and, type Sql, sql } from '../platform/db/sql.ts'
import { type ConditionSql, idsByActivity, type SqlContext } from './filter/condition.ts'
import { type CompileOptions, type ContactFilter, conjunctsOf, searchedTexts } from './filter/filter.ts'
import { countMatches, type Sort, selectMatches } from './store/search.ts'

export const newestFirst: Sort = { field: 'createdAt', direction: 'desc' }

export interface FilterUse {
  filter: ContactFilter
  options?: CompileOptions
}

/** What must hold for contacts in a search: the filters together, and that the viewer may see them. */
export async function compileFilters(
  on: Queryable,
  viewer: Viewer,
  uses: readonly FilterUse[],
  now: Date,
): Promise<ConditionSql[]> {
  const texts = [...new Set(uses.flatMap(use => searchedTexts(use.filter)))]
  const tags = await Promise.all(texts.map(text => tagsContaining(on, viewer.tenantId, text)))
  const context: SqlContext = {
    tenantId: viewer.tenantId,
    now,
    tagsNamed: new Map(texts.map((text, i) => [text, tags[i]!])),
  }
  const conjuncts = uses.flatMap(use => conjunctsOf(use.filter, context, use.options))
  return [...activityAsOne(viewer.tenantId, conjuncts), ...scopeOf(viewer)]
}

/** Conditions on one row, asked one by one, would each give all their own matches; together they give theirs. */
function activityAsOne(tenantId: string, conjuncts: readonly ConditionSql[]): ConditionSql[] {
  const own = conjuncts.filter(one => one.activity !== undefined)
  if (own.length < 2 || own.every(one => one.ids === undefined)) return [...conjuncts]
  const activity = and(own.map(one => one.activity!))
  const streams = own.find(one => one.streams)?.streams
  const together: ConditionSql = {
    check: sql`(${activity})`,
    activity,
    ids: idsByActivity(tenantId, activity),
    ...(streams ? { streams } : {}),
  }
  return [...conjuncts.filter(one => !own.includes(one)), together]
}

export function scopeOf(viewer: Viewer): ConditionSql[] {
  if (seesAll(viewer)) return []
  const gather = sql`(a.conversation_count = 0 or c.id in (${idsOfTheirs(viewer)}))`
  return [{ check: visibleTo(viewer), gather, ids: idsVisibleTo(viewer) }]
}

/** How many match. All of the active or archived ones are counted already. */
export async function countFound(
  db: Db,
  viewer: Viewer,
  uses: readonly FilterUse[],
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
