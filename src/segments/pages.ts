/** One page of found contacts, in the two styles of the contract. */

import { loadSummaries } from '../contacts/contact-views.ts'
import { type ContactSummary } from '../contacts/schemas.ts'
import type { Viewer } from '../contacts/visibility.ts'
import type { Db } from '../platform/db/db.ts'
import type { Page } from '../platform/http/page.ts'
import { findContacts } from './contact-search.ts'
import { type AppliedFilter, compileFilters } from './search.ts'
import type { Cursor, SearchQuery, Sort, SortField } from './store/search.ts'

/** The ids of a page, and the token of the next. */
export async function listPage(
  db: Db,
  question: SearchQuery,
  page: Page,
): Promise<{ ids: string[]; next: string | undefined }> {
  const after = page.after as Cursor | undefined
  const found = await findContacts(db, question, after, page.limit + 1)
  const { rows, next } = page.toPage(found, place => place)
  return { ids: rows.map(([, id]) => id), next }
}

export interface SearchResult {
  items: ContactSummary[]
  nextCursor: string | null
  hasMore: boolean
}

export async function searchPage(
  db: Db,
  viewer: Viewer,
  uses: readonly AppliedFilter[],
  sort: { field: SortField; direction?: Sort['direction'] } | undefined,
  page: Page,
  now: Date,
): Promise<SearchResult> {
  const conjuncts = await compileFilters(db, viewer, uses, now)
  const order: Sort = { field: sort?.field ?? 'createdAt', direction: sort?.direction ?? 'desc' }
  const { ids, next } = await listPage(db, { tenantId: viewer.tenantId, conjuncts, sort: order }, page)
  const items = await loadSummaries(db, viewer.tenantId, ids)
  return { items, nextCursor: next ?? null, hasMore: next !== undefined }
}
