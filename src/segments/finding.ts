/**
 * Finding a page of contacts among millions, whatever is asked. It goes in legs until the page is full: first along the
 * list, or along a condition that has its matches in the order of the list, which finds what is common; then, if some
 * condition or the text index gives only a few, through those; then through what a condition gives when that is sorted;
 * then further along; and at last by collecting all there is. Each leg begins where the one before ended.
 */
import type { Db } from '../platform/db/db.ts'
import { join, type Sql, sql } from '../platform/db/sql.ts'
import {
  expectedRows,
  gather,
  idsByText,
  isBelow,
  listFew,
  measure,
  type Place,
  pickFrom,
  type Question,
  walkIds,
  walkList,
} from './store/search.ts'

/** How many rows each leg of a search may look at, times the size of the page for the first two. */
export interface Effort {
  glance: number
  look: number
  /** As many as it seems to need, by what was found so far, if not more than this. */
  foreseen: number
  few: number
  walk: number
  sorted: number
}

const effort: Effort = { glance: 1.25, look: 8, foreseen: 6_000, few: 1_000, walk: 2_000, sorted: 800 }

/** One leg: what it found behind a place, how far it got, and whether there is nothing beyond. */
interface Leg {
  found: Place[]
  walked: number
  last: Place | undefined
  complete: boolean
}

/** `sparsity`: how many rows there were so far for each one found. */
type Go = (after: Place | undefined, missing: number, sparsity: number) => Promise<Leg>

/** Up to `limit` contacts behind a place. The effort changes how it is done, never what is found. */
export async function findContacts(
  db: Db,
  question: Question,
  after: Place | undefined,
  limit: number,
  spend: Effort = effort,
): Promise<Place[]> {
  // By id: one that moves while we look is not shown twice.
  const found = new Map<string, Place>()
  let place = after
  let walked = 0
  for (const go of await legsOf(db, question, limit, spend)) {
    const leg = await go(place, limit - found.size, walked / found.size)
    walked += leg.walked
    for (const one of leg.found) if (!found.has(one[1])) found.set(one[1], one)
    if (found.size >= limit || leg.complete) break
    place = leg.last ?? place
  }
  return [...found.values()].slice(0, limit)
}

async function legsOf(db: Db, question: Question, limit: number, spend: Effort): Promise<Go[]> {
  const streams = await streamsOf(db, question)
  const along = (size: number): Go[] =>
    size > 0 ? [after => goAlong(db, question, streams, after, size)] : []
  /** By what was found so far; again, as matches are not spread evenly. */
  const foreseen: Go = (after, missing, sparsity) => {
    const size = Math.ceil(1.5 * missing * sparsity)
    return size <= spend.foreseen ? goAlong(db, question, streams, after, size) : Promise.resolve(nothing)
  }
  const sorted = question.sort.field === 'createdAt' && spend.sorted > 0 ? setsOf(question, 'unordered') : []
  const few = (choice: readonly Sql[], isWorth = async (_: Sql) => true): Go[] =>
    choice.length > 0
      ? [
          async (after, missing) =>
            (await isWorth(choice[0]!))
              ? goThroughFew(db, question, choice, after, missing, spend.few)
              : nothing,
        ]
      : []
  return [
    ...along(Math.ceil(limit * spend.glance)),
    ...along(Math.ceil(limit * spend.look)),
    foreseen,
    foreseen,
    foreseen,
    ...few(setsOf(question)),
    ...few(idsByText(question), set => seemsShort(db, set, spend)),
    ...sorted.map(
      (set): Go =>
        after =>
          goSorted(db, question, set, after, spend.sorted),
    ),
    ...along(streams ? spend.sorted : spend.walk),
    ...narrowed(question).map(
      (stream): Go =>
        after =>
          goAlong(db, question, [stream], after, 2 * limit),
    ),
    async (after, missing) => complete(await gather(db, question, after, missing)),
  ]
}

/** The text index looks at all before it gives its first row: it is asked where the planner does not expect many. */
async function seemsShort(db: Db, set: Sql, { foreseen }: Effort): Promise<boolean> {
  return (await expectedRows(db, set)) <= 3 * foreseen
}

/** In the order of the list, and no more than those that match: what lies between matches is passed over quickly. */
function narrowed({ conjuncts, sort }: Question): Sql[] {
  if (sort.field !== 'createdAt') return []
  return conjuncts.flatMap(({ activity, streams, ids }) =>
    activity && streams && ids && !streams.includes(ids) ? [ids] : [],
  )
}

/** Sorting more than this costs more than collecting does. */
const sortable = 120_000

/** Through what a condition gives, sorted; the fence keeps the planner from walking along all contacts instead. */
async function goSorted(
  db: Db,
  question: Question,
  set: Sql,
  after: Place | undefined,
  size: number,
): Promise<Leg> {
  if (!(await isBelow(db, set, sortable))) return nothing
  return goAlong(db, question, [sql`select contact_id from (${set} offset 0) fenced`], after, size)
}

const nothing: Leg = { found: [], walked: 0, last: undefined, complete: false }

function complete(found: Place[]): Leg {
  return { found, walked: 0, last: undefined, complete: true }
}

/** The selects of ids that small indexes answer: each gives all that match, and maybe more. */
function setsOf({ conjuncts }: Question, which: 'all' | 'unordered' = 'all'): Sql[] {
  const wanted = which === 'all' ? conjuncts : conjuncts.filter(one => !one.streams)
  return wanted.flatMap(one => one.sets ?? (one.ids && !one.text ? [one.ids] : []))
}

async function goAlong(
  db: Db,
  question: Question,
  streams: readonly Sql[] | undefined,
  after: Place | undefined,
  size: number,
): Promise<Leg> {
  const walked = streams
    ? await walkIds(db, question, streams, after, size)
    : await walkList(db, question, after, size)
  return { ...walked, complete: walked.walked < size }
}

async function goThroughFew(
  db: Db,
  question: Question,
  sets: readonly Sql[],
  after: Place | undefined,
  missing: number,
  most: number,
): Promise<Leg> {
  const given = (await listFew(db, sets, most)).flatMap(ids => (ids ? [ids] : []))
  if (given.length === 0) return nothing
  const fewest = given.reduce((least, ids) => (ids.length < least.length ? ids : least))
  return complete(await pickFrom(db, question, fewest, after, missing))
}

/** The shortest condition that has its matches in the order of the list. */
async function streamsOf(db: Db, { conjuncts, sort }: Question): Promise<readonly Sql[] | undefined> {
  if (sort.field !== 'createdAt') return undefined
  const streaming = conjuncts.flatMap(one => (one.streams && one.streams.length > 0 ? [one] : []))
  if (streaming.length < 2) return streaming[0]?.streams
  const given = streaming.map(one => join(one.streams!, ' union all '))
  const counts = await measure(db, given, effort.few)
  const least = streaming.filter((_, i) => counts[i] === Math.min(...counts))
  // Where all are long, the archived are the fewest of all contacts.
  return (least.find(one => one.narrow) ?? least[0]!).streams
}
