/** Searches and counts contacts by filters, limited to the contacts that the viewer may see. */
import {
  type ContactJson,
  canSeeAll,
  countContacts,
  listContactJson,
  listSelectedContactJson,
  loadSummaries,
  type SummaryMember,
  selectAssignedContactIds,
  selectVisibleContactIds,
  type Viewer,
  visibleTo,
} from '../contacts/contact-views.ts'
import { findTagsContaining } from '../contacts/tags-and-fields/tags.ts'
import type { Db, Queryable } from '../platform/db/db.ts'
import { and, type Sql, sql } from '../platform/db/sql.ts'
import { type Page, toCursorList } from '../platform/http/page.ts'
import { findContacts } from './contact-search.ts'
import { type ConditionSql, type SqlContext, selectIdsByActivity } from './filter/condition.ts'
import { type CompileOptions, type ContactFilter, listSearchTexts, toConjuncts } from './filter/filter.ts'
import { countMatches } from './store/count-matches.ts'
import { isPlainList, type SearchQuery, selectMatches, selectPlainList } from './store/search.ts'
import type { Cursor, Sort, SortField } from './store/sort-order.ts'

export const newestFirst: Sort = { field: 'createdAt', direction: 'desc' }

export interface AppliedFilter {
  filter: ContactFilter
  options?: CompileOptions
}

/** Compiles filters and the visibility of the viewer to conditions that must all match. */
export async function compileFilters(
  on: Queryable,
  viewer: Viewer,
  filters: readonly AppliedFilter[],
  now: Date,
): Promise<ConditionSql[]> {
  const texts = [...new Set(filters.flatMap(({ filter }) => listSearchTexts(filter)))]
  const tags = await Promise.all(texts.map(text => findTagsContaining(on, viewer.tenantId, text)))
  const context: SqlContext = {
    tenantId: viewer.tenantId,
    now,
    tagIdsByText: new Map(texts.map((text, i) => [text, tags[i]!])),
  }
  const conjuncts = filters.flatMap(({ filter, options }) => toConjuncts(filter, context, options))
  return [...combineActivity(viewer.tenantId, conjuncts), ...visibilityConjuncts(viewer)]
}

/** Combines the conditions on activity, so that one index lookup returns the contacts that match all of them. */
function combineActivity(tenantId: string, conjuncts: readonly ConditionSql[]): ConditionSql[] {
  const onActivity = conjuncts.filter(conjunct => conjunct.activity !== undefined)
  if (onActivity.length < 2 || onActivity.every(conjunct => conjunct.ids === undefined)) return [...conjuncts]
  const activity = and(onActivity.map(conjunct => conjunct.activity!))
  const orderedIds = onActivity.find(conjunct => conjunct.orderedIds)?.orderedIds
  const combined: ConditionSql = {
    check: sql`(${activity})`,
    activity,
    ids: selectIdsByActivity(tenantId, activity),
    ...(orderedIds ? { orderedIds } : {}),
  }
  return [...conjuncts.filter(conjunct => !onActivity.includes(conjunct)), combined]
}

export function visibilityConjuncts(viewer: Viewer): ConditionSql[] {
  if (canSeeAll(viewer)) return []
  const collectCheck = sql`(a.conversation_count = 0 or c.id in (${selectAssignedContactIds(viewer)}))`
  return [{ check: visibleTo(viewer), collectCheck, ids: selectVisibleContactIds(viewer) }]
}

/** Counts the matches. Filters without conditions use the stored counters. */
export async function countMatching(
  db: Db,
  viewer: Viewer,
  filters: readonly AppliedFilter[],
  now: Date,
): Promise<number> {
  if (filters.every(({ filter }) => filter.conditions.length === 0))
    return countContacts(db, viewer, 'active')
  const conjuncts = await compileFilters(db, viewer, filters, now)
  return countMatches(db, { tenantId: viewer.tenantId, conjuncts, sort: newestFirst })
}

/** Builds a statement that selects the `contact_id` of every match in the workspace. Run it unprepared. */
export async function selectMatching(
  on: Queryable,
  tenantId: string,
  filter: ContactFilter,
  now: Date,
): Promise<Sql> {
  const viewer: Viewer = { tenantId, id: '', role: 'owner', teamIds: [] }
  return selectMatches({ tenantId, conjuncts: await compileFilters(on, viewer, [{ filter }], now) })
}

export async function listPage(
  db: Db,
  query: SearchQuery,
  page: Page,
): Promise<{ ids: string[]; next: string | undefined }> {
  const found = await findContacts(db, query, page.after as Cursor | undefined, page.limit + 1)
  const { rows, next } = page.toPage(found, cursor => cursor)
  return { ids: rows.map(([, id]) => id), next }
}

/** Loads a page in the shape of the contact operations, each contact as JSON: a plain list in one statement. */
export async function loadListPage(
  db: Db,
  query: SearchQuery,
  page: Page,
): Promise<{ contacts: ContactJson[]; next: string | undefined }> {
  if (isPlainList(query)) {
    const select = selectPlainList(query, page.after as Cursor | undefined, page.limit + 1)
    const { rows, next } = page.toPage(await listSelectedContactJson(db, select), ({ id }) => [id, id])
    return { contacts: rows, next }
  }
  const { ids, next } = await listPage(db, query, page)
  return { contacts: await listContactJson(db, query.tenantId, ids), next }
}

export async function searchPage(
  db: Db,
  viewer: Viewer,
  filters: readonly AppliedFilter[],
  sort: { field: SortField; direction?: Sort['direction'] } | undefined,
  page: Page,
  now: Date,
  include: readonly SummaryMember[] = [],
) {
  const { tenantId } = viewer
  const conjuncts = await compileFilters(db, viewer, filters, now)
  const order: Sort = { field: sort?.field ?? 'createdAt', direction: sort?.direction ?? 'desc' }
  const { ids, next } = await listPage(db, { tenantId, conjuncts, sort: order }, page)
  const items = await loadSummaries(db, tenantId, ids, include)
  return toCursorList(items, next)
}
