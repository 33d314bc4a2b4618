/** Shortens texts that would fill the thread, also with blank lines only. */
const maxLength = 2_000
const maxLines = 24
const blankLines = /\n(?:[^\S\n]*\n){2,}/g

/** Returns the beginning of a long text with each run of blank lines as one; undefined if the text is not long. */
export function shortenText(text: string): string | undefined {
  if (text.length <= maxLength && text.split('\n').length <= maxLines) return undefined
  const lines = text.replace(blankLines, '\n\n').trim().split('\n', maxLines)
  const start = lines.join('\n').slice(0, maxLength)
  // Not inside a character.
  return `${start.replace(/[\uD800-\uDBFF]$/, '')} …`
}
