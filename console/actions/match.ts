/** Compares what the user types with names, without case and accents. */

const toComparable = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

/** Names that begin with the text come first, then those with a word that does, then others that have all its words. */
function rank(name: string, wanted: string): number | undefined {
  if (name.startsWith(wanted)) return 0
  if (name.includes(` ${wanted}`)) return 1
  return wanted.split(/\s+/).every(word => name.includes(word)) ? 2 : undefined
}

/** Returns the items whose name matches the text, best match first. An empty text matches all items. */
export function findByName<T>(items: readonly T[], text: string, toName: (item: T) => string): T[] {
  const wanted = toComparable(text.trim())
  return items
    .map(item => ({ item, rank: rank(toComparable(toName(item)), wanted) }))
    .filter(found => found.rank !== undefined)
    .sort((a, b) => a.rank! - b.rank!)
    .map(({ item }) => item)
}
