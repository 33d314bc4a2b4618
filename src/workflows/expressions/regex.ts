/** Regular expressions written by users. RE2 matches in linear time, so no pattern can block the process. */
import { LRUCache } from 'lru-cache'
import { RE2JS } from 're2js'

export const maxPatternLength = 500
/** Only this many characters of a text are matched. */
const maxTextLength = 10_000

const cache = new LRUCache<string, RE2JS>({ max: 1_000 })

function compile(pattern: string): RE2JS {
  let re = cache.get(pattern)
  if (!re) {
    re = RE2JS.compile(pattern)
    cache.set(pattern, re)
  }
  return re
}

export function findPatternError(pattern: string): string | undefined {
  if (pattern.length > maxPatternLength) return `must have at most ${maxPatternLength} characters`
  try {
    compile(pattern)
    return undefined
  } catch (error) {
    return `is not a regular expression: ${(error as Error).message}`
  }
}

/** Returns whether the pattern matches anywhere in the text; an invalid pattern never matches. */
export function matchesPattern(pattern: string, text: string): boolean {
  if (findPatternError(pattern) !== undefined) return false
  return compile(pattern).matcher(text.slice(0, maxTextLength)).find()
}
