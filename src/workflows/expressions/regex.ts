/**
 * Regular expressions written by users, in RE2 syntax. Matching takes time proportional to the size of the compiled
 * pattern times the length of the text. Both are limited, and `getMatchCost` returns their product before any work.
 */
import { LRUCache } from 'lru-cache'
import { RE2JS } from 're2js'

export const maxPatternLength = 500
/** Instructions of the compiled pattern. */
export const maxPatternSize = 1_000
/** Only this many characters of a text are matched. */
const maxTextLength = 10_000

type Compiled = { re: RE2JS; size: number } | { error: string }

const cache = new LRUCache<string, Compiled>({
  max: 1_000,
  maxSize: 100_000,
  sizeCalculation: compiled => 10 + ('size' in compiled ? compiled.size : 0),
})

const tooComplex = {
  error: `is too complex: its repetitions and classes must expand to at most ${maxPatternSize} steps`,
}

function compile(pattern: string): Compiled {
  if (pattern.length > maxPatternLength) return { error: `must have at most ${maxPatternLength} characters` }
  if (estimateSize(pattern) > maxPatternSize) return tooComplex
  try {
    const re = RE2JS.compile(pattern)
    const size = re.programSize()
    return size > maxPatternSize ? tooComplex : { re, size }
  } catch (error) {
    return { error: `is not a regular expression: ${(error as Error).message}` }
  }
}

function getCompiled(pattern: string): Compiled {
  let compiled = cache.get(pattern)
  if (!compiled) {
    compiled = compile(pattern)
    cache.set(pattern, compiled)
  }
  return compiled
}

const errors = new LRUCache<string, string>({ max: 10_000 })

export function findPatternError(pattern: string): string | undefined {
  let error = errors.get(pattern)
  if (error === undefined) {
    const compiled = getCompiled(pattern)
    error = 'error' in compiled ? compiled.error : ''
    errors.set(pattern, error)
  }
  return error || undefined
}

/** Returns whether the pattern matches anywhere in the text; an invalid pattern never matches. */
export function matchesPattern(pattern: string, text: string): boolean {
  const compiled = getCompiled(pattern)
  return 're' in compiled && compiled.re.matcher(text.slice(0, maxTextLength)).find()
}

/** Compiling costs as much as matching this many characters. */
const compileCost = 20

/** Returns an upper bound for the steps of a match. */
export function getMatchCost(pattern: string, text: string): number {
  return (
    Math.min(estimateSize(pattern), maxPatternSize) * (compileCost + Math.min(text.length, maxTextLength))
  )
}

const token = /\\Q.*?(?:\\E|$)|\\[pP]|\\.|\[\^?\]?(?:\[:\^?\w+:\]|\\.|[^\]\\])*\]?|\{(\d+)(?:,(\d*))?\}|./gsu
/** A class of Unicode compiles to hundreds of ranges. */
const unicodeClassSize = 25

/** Returns an upper bound for the instructions of a pattern without compiling it, which may take seconds. */
export function estimateSize(pattern: string): number {
  const groups = [{ total: 2, last: 0 }]
  for (const [text, min, max] of pattern.matchAll(token)) {
    const group = groups.at(-1)!
    if (text === '(') groups.push({ total: 2, last: 0 })
    else if (text === ')' && groups.length > 1) append(groups.at(-2)!, groups.pop()!.total)
    else if (min !== undefined) repeat(group, Number(min), max)
    else if (text === '*' || text === '+' || text === '?' || text === '|') group.total += 2
    else append(group, sizeOf(text))
  }
  return groups.reduce((sum, { total }) => sum + total, 0)
}

function sizeOf(text: string): number {
  if (text.startsWith('\\Q')) return text.length
  const classes = text.match(/\\[pP]/g)?.length ?? 0
  return 1 + classes * unicodeClassSize
}

function append(group: { total: number; last: number }, size: number): void {
  group.last = size
  group.total += size
}

/** An optional repetition needs one more instruction. */
function repeat(group: { total: number; last: number }, min: number, max: string | undefined): void {
  const times = Math.max(min, Number(max || 0), 1)
  const size = times * (max === undefined ? group.last : group.last + 1) + 1
  group.total += size - group.last
  group.last = size
}
