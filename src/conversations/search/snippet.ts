import { findRanges, type parseTerms, type Range } from './words.ts'

const maxLength = 240
const lead = 60

/** Returns the part of a text around its first match, with the matches in it. */
export function buildSnippet(
  text: string,
  terms: ReturnType<typeof parseTerms>,
): { text: string; highlights: Range[] } {
  const ranges = findRanges(text, terms)
  const first = ranges[0]?.start ?? 0
  const start = text.length <= maxLength || first <= lead ? 0 : toBoundary(text, first - lead)
  const end = text.length - start <= maxLength ? text.length : toBoundary(text, start + maxLength)
  const before = start > 0 ? '…' : ''
  const offset = before.length - start
  return {
    text: `${before}${text.slice(start, end)}${end < text.length ? '…' : ''}`,
    highlights: ranges
      .filter(range => range.start < end)
      .map(range => ({ start: range.start + offset, end: Math.min(range.end, end) + offset })),
  }
}

/** Moves an offset that would split a surrogate pair. */
function toBoundary(text: string, offset: number): number {
  const code = text.charCodeAt(offset)
  return code >= 0xdc00 && code <= 0xdfff ? offset + 1 : offset
}
