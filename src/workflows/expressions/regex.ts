/** Regular expressions that users write. RE2 matches in time linear in the text, so none of them can explode. */
import { LRUCache } from 'lru-cache'
import { RE2JS } from 're2js'

export const maxPatternLength = 500
/** Of a text that is matched; what is beyond is not looked at. */
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

/** What is wrong with a pattern, in words. */
export function findPatternError(pattern: string): string | undefined {
  if (pattern.length > maxPatternLength) return `must have at most ${maxPatternLength} characters`
  try {
    compile(pattern)
    return undefined
  } catch (error) {
    return `is not a regular expression: ${(error as Error).message}`
  }
}

/** Whether it is found anywhere in the text; a pattern that cannot be read is not. */
export function matchesPattern(pattern: string, text: string): boolean {
  if (findPatternError(pattern) !== undefined) return false
  return compile(pattern).matcher(text.slice(0, maxTextLength)).find()
}
