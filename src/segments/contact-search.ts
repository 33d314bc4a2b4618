/**
 * Finds a page of contacts among millions. Runs strategies in turn until the page is full, each from where the previous
 * one ended: scan the list, or a condition whose ids have the order of the list (fast for common matches); check the
 * ids of a condition or of the text index if they are few; scan the sorted ids of a condition; scan further; finally
 * collect all matches.
 */
import type { Db } from '../platform/db/db.ts'
import { join, type Sql, sql } from '../platform/db/sql.ts'
import { countUpTo, expectedRows, isBelow, listIfFew } from './store/count-matches.ts'
import { collectAll, idsByText, pickMatches, type SearchQuery, scanIds, scanList } from './store/search.ts'
import type { Cursor } from './store/sort-order.ts'

/** Limits the rows that each strategy scans. The first two are multiples of the page size. */
export interface SearchBudget {
  firstScan: number
  secondScan: number
  /** Upper limit of the scans whose size is estimated from the previous ones. */
  estimatedScan: number
  maxFew: number
  finalScan: number
  sortedScan: number
}

const defaultBudget: SearchBudget = {
  firstScan: 1.25,
  secondScan: 8,
  estimatedScan: 6_000,
  maxFew: 1_000,
  finalScan: 2_000,
  sortedScan: 800,
}

interface StrategyResult {
  found: Cursor[]
  scanned: number
  /** Where the next strategy continues. */
  last: Cursor | undefined
  /** There are no matches beyond `last`. */
  complete: boolean
}

/** `sparsity` is the number of scanned rows per match so far. */
type Strategy = (after: Cursor | undefined, missing: number, sparsity: number) => Promise<StrategyResult>

/** Returns up to `limit` contacts after a cursor. The budget changes the cost, never the result. */
export async function findContacts(
  db: Db,
  query: SearchQuery,
  after: Cursor | undefined,
  limit: number,
  budget: SearchBudget = defaultBudget,
): Promise<Cursor[]> {
  // By id: a contact whose position changes during the search is returned once.
  const found = new Map<string, Cursor>()
  let cursor = after
  let scanned = 0
  for (const strategy of await buildStrategies(db, query, limit, budget)) {
    const result = await strategy(cursor, limit - found.size, scanned / found.size)
    scanned += result.scanned
    for (const match of result.found) if (!found.has(match[1])) found.set(match[1], match)
    if (found.size >= limit || result.complete) break
    cursor = result.last ?? cursor
  }
  return [...found.values()].slice(0, limit)
}

async function buildStrategies(
  db: Db,
  query: SearchQuery,
  limit: number,
  budget: SearchBudget,
): Promise<Strategy[]> {
  const orderedIds = await chooseOrderedIds(db, query)
  const scanNext = (size: number): Strategy[] =>
    size > 0 ? [after => scan(db, query, orderedIds, after, size)] : []
  /** Sized by the matches so far; repeated, because matches are not spread evenly. */
  const estimated: Strategy = (after, missing, sparsity) => {
    const size = Math.ceil(1.5 * missing * sparsity)
    return size <= budget.estimatedScan
      ? scan(db, query, orderedIds, after, size)
      : Promise.resolve(emptyResult)
  }
  const sorted =
    query.sort.field === 'createdAt' && budget.sortedScan > 0 ? listCandidateIds(query, 'unordered') : []
  const ifFew = (sets: readonly Sql[], isWorth = async (_: Sql) => true): Strategy[] =>
    sets.length > 0
      ? [
          async (after, missing) =>
            (await isWorth(sets[0]!))
              ? checkFew(db, query, sets, after, missing, budget.maxFew)
              : emptyResult,
        ]
      : []
  return [
    ...scanNext(Math.ceil(limit * budget.firstScan)),
    ...scanNext(Math.ceil(limit * budget.secondScan)),
    estimated,
    estimated,
    estimated,
    ...ifFew(listCandidateIds(query)),
    ...ifFew(idsByText(query), set => isExpectedShort(db, query, set, budget)),
    ...sorted.map(
      (set): Strategy =>
        after =>
          scanSorted(db, query, set, after, budget.sortedScan),
    ),
    ...scanNext(orderedIds ? budget.sortedScan : budget.finalScan),
    ...listNarrowedIds(query).map(
      (ids): Strategy =>
        after =>
          scan(db, query, [ids], after, 2 * limit),
    ),
    async (after, missing) => completeResult(await collectAll(db, query, after, missing)),
  ]
}

/** The text index reads all matches before it returns the first: it is used only if the planner expects few. */
async function isExpectedShort(
  db: Db,
  { tenantId }: SearchQuery,
  set: Sql,
  { estimatedScan }: SearchBudget,
): Promise<boolean> {
  return (await expectedRows(db, tenantId, set)) <= 3 * estimatedScan
}

/** Lists the conditions on activity whose ids can be read in the order of the list, skipping rows without a match. */
function listNarrowedIds({ conjuncts, sort }: SearchQuery): Sql[] {
  if (sort.field !== 'createdAt') return []
  return conjuncts.flatMap(({ activity, orderedIds, ids }) =>
    activity && orderedIds && ids && !orderedIds.includes(ids) ? [ids] : [],
  )
}

/** Sorting more ids costs more than collecting all matches. */
const maxSortable = 120_000

/** Sorts the ids of a condition and scans them. `offset 0` keeps the planner from scanning all contacts instead. */
async function scanSorted(
  db: Db,
  query: SearchQuery,
  set: Sql,
  after: Cursor | undefined,
  size: number,
): Promise<StrategyResult> {
  if (!(await isBelow(db, query.tenantId, set, maxSortable))) return emptyResult
  return scan(db, query, [sql`select contact_id from (${set} offset 0) fenced`], after, size)
}

const emptyResult: StrategyResult = { found: [], scanned: 0, last: undefined, complete: false }

function completeResult(found: Cursor[]): StrategyResult {
  return { found, scanned: 0, last: undefined, complete: true }
}

/** Lists the selects of ids that small indexes answer. Each returns all matches and possibly more. */
function listCandidateIds({ conjuncts }: SearchQuery, which: 'all' | 'unordered' = 'all'): Sql[] {
  const wanted = which === 'all' ? conjuncts : conjuncts.filter(conjunct => !conjunct.orderedIds)
  return wanted.flatMap(
    conjunct => conjunct.candidateIds ?? (conjunct.ids && !conjunct.textPredicate ? [conjunct.ids] : []),
  )
}

async function scan(
  db: Db,
  query: SearchQuery,
  orderedIds: readonly Sql[] | undefined,
  after: Cursor | undefined,
  size: number,
): Promise<StrategyResult> {
  const result = orderedIds
    ? await scanIds(db, query, orderedIds, after, size)
    : await scanList(db, query, after, size)
  return { ...result, complete: result.scanned < size }
}

async function checkFew(
  db: Db,
  query: SearchQuery,
  sets: readonly Sql[],
  after: Cursor | undefined,
  missing: number,
  max: number,
): Promise<StrategyResult> {
  const lists = (await listIfFew(db, query.tenantId, sets, max)).flatMap(ids => (ids ? [ids] : []))
  if (lists.length === 0) return emptyResult
  const shortest = lists.reduce((least, ids) => (ids.length < least.length ? ids : least))
  return completeResult(await pickMatches(db, query, shortest, after, missing))
}

/** Chooses the condition with the smallest ids among those whose ids have the order of the list. */
async function chooseOrderedIds(
  db: Db,
  { tenantId, conjuncts, sort }: SearchQuery,
): Promise<readonly Sql[] | undefined> {
  if (sort.field !== 'createdAt') return undefined
  const ordered = conjuncts.filter(conjunct => conjunct.orderedIds && conjunct.orderedIds.length > 0)
  if (ordered.length < 2) return ordered[0]?.orderedIds
  const selects = ordered.map(conjunct => join(conjunct.orderedIds!, ' union all '))
  const counts = await countUpTo(db, tenantId, selects, defaultBudget.maxFew)
  const smallest = ordered.filter((_, i) => counts[i] === Math.min(...counts))
  // If all exceed the limit, archived contacts are the smallest set.
  return (smallest.find(conjunct => conjunct.indexPredicate) ?? smallest[0]!).orderedIds
}
