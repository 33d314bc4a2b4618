/**
 * Splits texts into words for full text search. Scripts without spaces between words are split into pairs of neighbouring
 * characters, so that any part of such a text is found. Positions count words and pairs: a term of a query matches where
 * its words follow one another, and the last one may be the beginning of a word.
 */
import { createHash } from 'node:crypto'
import { normalizeText } from '../../contacts/search/search-text.ts'

const scripts = ['Han', 'Hiragana', 'Katakana', 'Bopomofo', 'Thai', 'Lao', 'Khmer', 'Myanmar', 'Tibetan']
const spaceless = `[${scripts.map(script => `\\p{scx=${script}}`).join('')}]`
const runs = new RegExp(
  `(?<run>(?:[[\\p{L}\\p{N}]&&${spaceless}]\\p{M}*)+)|(?:[[\\p{L}\\p{N}]--${spaceless}]\\p{M}*)+`,
  'gv',
)
const characters = /\P{M}\p{M}*/gu

/** Keeps the words of the longest message below the size limit of a tsvector, whatever its script. */
const maxWords = 4_000
const maxWordLength = 40
const maxTerms = 10
/** A tsvector stores no more positions of one word. */
const maxPositions = 255

interface Word {
  key: string
  /** Offsets in the text, in UTF-16 units. */
  start: number
  end: number
  /** End of the first character of a pair. */
  firstEnd: number
  /** The last character of a run, without a neighbour. */
  isLast: boolean
}

export function splitWords(text: string): Word[] {
  const words: Word[] = []
  for (const match of text.matchAll(runs)) {
    if (words.length >= maxWords) break
    if (match.groups!.run === undefined) words.push(toWord(match[0], match.index))
    else words.push(...toPairs(match[0], match.index))
  }
  return words.slice(0, maxWords)
}

function toWord(word: string, start: number): Word {
  const end = start + word.length
  return { key: normalizeText(word).slice(0, maxWordLength), start, end, firstEnd: end, isLast: false }
}

function toPairs(run: string, offset: number): Word[] {
  const found = [...run.slice(0, 2 * maxWords).matchAll(characters)]
  return found.map((match, i) => {
    const next = found[i + 1]
    const start = offset + match.index
    const firstEnd = start + match[0].length
    const key = normalizeText(match[0] + (next?.[0] ?? '')).slice(0, maxWordLength)
    return { key, start, end: firstEnd + (next?.[0].length ?? 0), firstEnd, isLast: !next }
  })
}

/** The words of one term of a query; the last one is a prefix. */
interface Term {
  keys: string[]
  /** The term ends with one character of a script without spaces. */
  endsWithCharacter: boolean
}

/** Returns the terms of a query, none if it has no letter and no digit. */
export function parseTerms(query: string): Term[] {
  return query
    .split(/\s+/)
    .map(toTerm)
    .filter(({ keys }) => keys.length > 0)
    .slice(0, maxTerms)
}

function toTerm(text: string): Term {
  const words = splitWords(text)
  const [beforeLast, last] = words.slice(-2)
  // The pair before it contains the last character of a run.
  if (last?.isLast && beforeLast && beforeLast.end === last.end) words.pop()
  return { keys: words.map(({ key }) => key), endsWithCharacter: words.at(-1)?.isLast ?? false }
}

export interface Range {
  start: number
  end: number
}

/** Returns where the terms occur in the text: in order, without overlaps. */
export function findRanges(text: string, terms: readonly Term[]): Range[] {
  const words = splitWords(text)
  const found = terms.flatMap(({ keys, endsWithCharacter }) =>
    words.flatMap(({ start }, i) => {
      const last = words[i + keys.length - 1]
      if (!last || !keys.every((key, j) => isMatch(words[i + j]!, key, j === keys.length - 1))) return []
      return [{ start, end: endsWithCharacter ? last.firstEnd : last.end }]
    }),
  )
  return mergeRanges(found)
}

function isMatch(word: Word, key: string, isPrefix: boolean): boolean {
  return isPrefix ? word.key.startsWith(key) : word.key === key
}

function mergeRanges(ranges: readonly Range[]): Range[] {
  const merged: Range[] = []
  for (const range of [...ranges].sort((a, b) => a.start - b.start)) {
    const last = merged.at(-1)
    if (last && range.start <= last.end) last.end = Math.max(last.end, range.end)
    else merged.push({ ...range })
  }
  return merged
}

/** Counts the months from the year 0, in UTC. */
export function toMonth(at: string): number {
  const date = new Date(at)
  return date.getUTCFullYear() * 12 + date.getUTCMonth()
}

/** Begins every lexeme of a workspace in a month. Workspaces with the same hash only share index entries. */
function toPrefix(tenantId: string, month: number): string {
  const hash = createHash('sha256').update(tenantId).digest().readUInt32BE() % 36 ** 4
  return month.toString(36).padStart(4, '0') + hash.toString(36).padStart(4, '0')
}

/** Returns the words as a tsvector literal; undefined if there are none. Words have letters, marks and digits only. */
export function toVector(tenantId: string, at: string, text: string): string | undefined {
  const positions = new Map<string, number[]>()
  for (const [i, { key }] of splitWords(text).entries()) {
    const known = positions.get(key)
    if (!known) positions.set(key, [i + 1])
    else if (known.length < maxPositions) known.push(i + 1)
  }
  const prefix = toPrefix(tenantId, toMonth(at))
  const lexemes = [...positions].map(([key, at]) => `'${prefix}${key}':${at.join(',')}`)
  return lexemes.length > 0 ? lexemes.join(' ') : undefined
}

/** Returns a tsquery literal that finds the terms in messages of one month. */
export function toTsquery(tenantId: string, month: number, terms: readonly Term[]): string {
  const prefix = toPrefix(tenantId, month)
  return terms.map(({ keys }) => `(${keys.map(key => `'${prefix}${key}'`).join(' <-> ')}:*)`).join(' & ')
}
