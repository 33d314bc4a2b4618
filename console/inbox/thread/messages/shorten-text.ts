/** Shortens texts that would fill the thread, also with blank lines only. */
const maxLength = 2_000
const maxLines = 24
const blankLines = /\n(?:[^\S\n]*\n){2,}/g

/** Returns the beginning of a long text with each run of blank lines as one; undefined if the text is not long. */
export function shortenText(text: string): string | undefined {
  const lines = text.split('\n')
  if (text.length <= maxLength && lines.length <= maxLines) return undefined
  const dense = text.replace(blankLines, '\n\n').trim()
  const start = dense.split('\n').slice(0, maxLines).join('\n')
  return `${start.length > maxLength ? cut(start) : start.trimEnd()} …`
}

/** Cuts at the end of a word if one is near, and never inside a character. */
function cut(text: string): string {
  return text
    .slice(0, maxLength)
    .replace(/[\uD800-\uDBFF]$/, '')
    .replace(/\s+\S{0,40}$/, '')
}
