/**
 * Finds messages and notes by their words, newest first. Reads the newest rows of the workspace first, which is fast for
 * common words. If these have too few matches, the words are rare enough for the index: it is read for one month, then for
 * twice as many months each time, so that a search does not read all matches of years to return the newest.
 */
import type { Db } from '../../platform/db/db.ts'
import { invalid, violation } from '../../platform/errors.ts'
import type { Caller } from '../../platform/http/caller.ts'
import type { Page } from '../../platform/http/page.ts'
import { parseTimestamp } from '../../platform/http/schemas.ts'
import {
  type FoundRow,
  findByWords,
  findOldest,
  findPlaceAfter,
  loadFound,
  type Place,
  type SearchScope,
  scanNewest,
} from '../store/messages/message-search.ts'
import { toSearchableText } from './message-text.ts'
import type { MessageSearchQuery, MessageSearchResult, SearchedType } from './schemas.ts'
import { buildSnippet } from './snippet.ts'
import { parseTerms, toMonth, toTsquery } from './words.ts'

/** Rows that are read before the index of words. */
const scanSize = 2_000
/** Sorts after every id. */
const maxId = '~'

type Terms = ReturnType<typeof parseTerms>

export async function searchMessages(
  db: Db,
  caller: Caller,
  query: MessageSearchQuery,
  page: Pick<Page, 'limit' | 'after' | 'toPage'>,
): Promise<{ results: MessageSearchResult[]; next: string | undefined }> {
  const terms = parseTerms(query.q)
  if (terms.length === 0) invalid(violation('q', 'no_words', 'must have a letter or a digit'))
  const { type = 'message', inboxId, senderType } = query
  const after = query.after && parseTimestamp(query.after).toISOString()
  const start = query.before
    ? { at: parseTimestamp(query.before).toISOString(), id: '' }
    : { at: 'infinity', id: maxId }
  const from = page.after ? { at: String(page.after[0]), id: String(page.after[1]) } : start
  const scope: SearchScope = { viewer: caller, type, inboxId, senderType, after, from }
  const found = await findPlaces(db, scope, terms, page.limit + 1)
  const { rows, next } = page.toPage(found, place => [place.at, place.id])
  const loaded = await loadFound(
    db,
    scope,
    rows.map(({ id }) => id),
  )
  return { results: loaded.map(row => toResult(type, row, terms)), next }
}

async function findPlaces(db: Db, scope: SearchScope, terms: Terms, limit: number): Promise<Place[]> {
  const oldest = await findOldest(db, scope)
  if (!oldest) return []
  const { tenantId } = scope.viewer
  const now = db.clock.now().toISOString()
  const isBounded = scope.from.at !== 'infinity' && scope.from.at < now
  // A month more: clocks differ.
  const lastMonth = isBounded ? toMonth(scope.from.at) : toMonth(now) + 1
  const firstMonth = toMonth(scope.after && scope.after > oldest ? scope.after : oldest)
  const months = Array.from({ length: Math.max(0, lastMonth - firstMonth + 1) }, (_, i) => firstMonth + i)
  const queries = months.map(month => toTsquery(tenantId, month, terms))
  const [found, last] = await Promise.all([
    scanNewest(db, scope, { queries, firstMonth }, { size: scanSize, limit }),
    findPlaceAfter(db, scope, scanSize),
  ])
  if (found.length >= limit || !last) return found
  const older = queries.slice(0, toMonth(last.at) - firstMonth + 1)
  return [...found, ...(await findOlder(db, { ...scope, from: last }, older, limit - found.length))]
}

async function findOlder(
  db: Db,
  scope: SearchScope,
  queries: readonly string[],
  limit: number,
): Promise<Place[]> {
  const found: Place[] = []
  for (let end = queries.length, count = 1; end > 0 && found.length < limit; end -= count, count *= 2) {
    const months = queries.slice(Math.max(0, end - count), end)
    const query = months.map(each => `(${each})`).join(' | ')
    found.push(...(await findByWords(db, scope, query, limit - found.length)))
  }
  return found
}

function toResult(type: SearchedType, row: FoundRow, terms: Terms): MessageSearchResult {
  const { content, text, ...members } = row
  return { type, ...members, ...buildSnippet(content ? toSearchableText(content) : (text ?? ''), terms) }
}
