/**
 * Finding a page of contacts among millions, whatever is asked. It goes in legs until the page is full: first along the
 * list, or along a condition that has its matches in the order of the list, which finds what is common; then, if some
 * condition or the text index gives only a few, through those; then through what a condition gives when that is sorted;
 * then further along; and at last by collecting all there is. Each leg begins where the one before ended.
 */
import type { Db } from '../platform/db/db.ts'
import { join, type Sql, sql } from '../platform/db/sql.ts'
import {
  type Cursor,
  collectAll,
  countUpTo,
  expectedRows,
  idsByText,
  isBelow,
  listIfFew,
  pickMatches,
  type SearchQuery,
  scanIds,
  scanList,
} from './store/search.ts'

/** How many rows each leg of a search may look at, times the size of the page for the first two. */
export interface SearchBudget {
  firstScan: number
  secondScan: number
  /** As many as it seems to need, by what was found so far, if not more than this. */
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

/** One leg: what it found behind a place, how far it got, and whether there is nothing beyond. */
interface StrategyResult {
  found: Cursor[]
  scanned: number
  last: Cursor | undefined
  complete: boolean
}

/** `sparsity`: how many rows there were so far for each one found. */
type Strategy = (after: Cursor | undefined, missing: number, sparsity: number) => Promise<StrategyResult>

/** Up to `limit` contacts behind a place. The effort changes how it is done, never what is found. */
export async function findContacts(
  db: Db,
  question: SearchQuery,
  after: Cursor | undefined,
  limit: number,
  budget: SearchBudget = defaultBudget,
): Promise<Cursor[]> {
  // By id: one that moves while we look is not shown twice.
  const found = new Map<string, Cursor>()
  let place = after
  let walked = 0
  for (const go of await buildStrategies(db, question, limit, budget)) {
    const leg = await go(place, limit - found.size, walked / found.size)
    walked += leg.scanned
    for (const one of leg.found) if (!found.has(one[1])) found.set(one[1], one)
    if (found.size >= limit || leg.complete) break
    place = leg.last ?? place
  }
  return [...found.values()].slice(0, limit)
}

async function buildStrategies(
  db: Db,
  question: SearchQuery,
  limit: number,
  spend: SearchBudget,
): Promise<Strategy[]> {
  const streams = await chooseOrderedIds(db, question)
  const along = (size: number): Strategy[] =>
    size > 0 ? [after => scan(db, question, streams, after, size)] : []
  /** By what was found so far; again, as matches are not spread evenly. */
  const foreseen: Strategy = (after, missing, sparsity) => {
    const size = Math.ceil(1.5 * missing * sparsity)
    return size <= spend.estimatedScan
      ? scan(db, question, streams, after, size)
      : Promise.resolve(emptyResult)
  }
  const sorted =
    question.sort.field === 'createdAt' && spend.sortedScan > 0 ? listCandidateIds(question, 'unordered') : []
  const few = (choice: readonly Sql[], isWorth = async (_: Sql) => true): Strategy[] =>
    choice.length > 0
      ? [
          async (after, missing) =>
            (await isWorth(choice[0]!))
              ? checkFew(db, question, choice, after, missing, spend.maxFew)
              : emptyResult,
        ]
      : []
  return [
    ...along(Math.ceil(limit * spend.firstScan)),
    ...along(Math.ceil(limit * spend.secondScan)),
    foreseen,
    foreseen,
    foreseen,
    ...few(listCandidateIds(question)),
    ...few(idsByText(question), set => isExpectedShort(db, set, spend)),
    ...sorted.map(
      (set): Strategy =>
        after =>
          scanSorted(db, question, set, after, spend.sortedScan),
    ),
    ...along(streams ? spend.sortedScan : spend.finalScan),
    ...listNarrowedIds(question).map(
      (stream): Strategy =>
        after =>
          scan(db, question, [stream], after, 2 * limit),
    ),
    async (after, missing) => completeResult(await collectAll(db, question, after, missing)),
  ]
}

/** The text index looks at all before it gives its first row: it is asked where the planner does not expect many. */
async function isExpectedShort(
  db: Db,
  set: Sql,
  { estimatedScan: foreseen }: SearchBudget,
): Promise<boolean> {
  return (await expectedRows(db, set)) <= 3 * foreseen
}

/** In the order of the list, and no more than those that match: what lies between matches is passed over quickly. */
function listNarrowedIds({ conjuncts, sort }: SearchQuery): Sql[] {
  if (sort.field !== 'createdAt') return []
  return conjuncts.flatMap(({ activity, orderedIds: streams, ids }) =>
    activity && streams && ids && !streams.includes(ids) ? [ids] : [],
  )
}

/** Sorting more than this costs more than collecting does. */
const maxSortable = 120_000

/** Through what a condition gives, sorted; the fence keeps the planner from walking along all contacts instead. */
async function scanSorted(
  db: Db,
  question: SearchQuery,
  set: Sql,
  after: Cursor | undefined,
  size: number,
): Promise<StrategyResult> {
  if (!(await isBelow(db, set, maxSortable))) return emptyResult
  return scan(db, question, [sql`select contact_id from (${set} offset 0) fenced`], after, size)
}

const emptyResult: StrategyResult = { found: [], scanned: 0, last: undefined, complete: false }

function completeResult(found: Cursor[]): StrategyResult {
  return { found, scanned: 0, last: undefined, complete: true }
}

/** The selects of ids that small indexes answer: each gives all that match, and maybe more. */
function listCandidateIds({ conjuncts }: SearchQuery, which: 'all' | 'unordered' = 'all'): Sql[] {
  const wanted = which === 'all' ? conjuncts : conjuncts.filter(one => !one.orderedIds)
  return wanted.flatMap(one => one.sets ?? (one.ids && !one.text ? [one.ids] : []))
}

async function scan(
  db: Db,
  question: SearchQuery,
  streams: readonly Sql[] | undefined,
  after: Cursor | undefined,
  size: number,
): Promise<StrategyResult> {
  const walked = streams
    ? await scanIds(db, question, streams, after, size)
    : await scanList(db, question, after, size)
  return { ...walked, complete: walked.scanned < size }
}

async function checkFew(
  db: Db,
  question: SearchQuery,
  sets: readonly Sql[],
  after: Cursor | undefined,
  missing: number,
  most: number,
): Promise<StrategyResult> {
  const given = (await listIfFew(db, sets, most)).flatMap(ids => (ids ? [ids] : []))
  if (given.length === 0) return emptyResult
  const fewest = given.reduce((least, ids) => (ids.length < least.length ? ids : least))
  return completeResult(await pickMatches(db, question, fewest, after, missing))
}

/** The shortest condition that has its matches in the order of the list. */
async function chooseOrderedIds(
  db: Db,
  { conjuncts, sort }: SearchQuery,
): Promise<readonly Sql[] | undefined> {
  if (sort.field !== 'createdAt') return undefined
  const streaming = conjuncts.flatMap(one => (one.orderedIds && one.orderedIds.length > 0 ? [one] : []))
  if (streaming.length < 2) return streaming[0]?.orderedIds
  const given = streaming.map(one => join(one.orderedIds!, ' union all '))
  const counts = await countUpTo(db, given, defaultBudget.maxFew)
  const least = streaming.filter((_, i) => counts[i] === Math.min(...counts))
  // Where all are long, the archived are the fewest of all contacts.
  return (least.find(one => one.indexPredicate) ?? least[0]!).orderedIds
}
