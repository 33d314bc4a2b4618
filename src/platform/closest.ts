/** Finds the existing name that a misspelt name most likely means. */

/** Returns undefined if no name is similar. */
export function findClosest(given: string, names: Iterable<string>): string | undefined {
  let closest: string | undefined
  let best = maxDistance(given) + 1
  for (const name of names) {
    if (Math.abs(name.length - given.length) >= best) continue
    const distance = getDistance(given.toLowerCase(), name.toLowerCase())
    if (distance >= best) continue
    best = distance
    closest = name
  }
  return closest
}

/** Allows two exchanged characters, or a third of a long name. */
function maxDistance({ length }: string): number {
  return length < 3 ? 1 : Math.max(2, Math.floor(length / 3))
}

/** Returns `; did you mean "name"?`, or an empty text if no name is similar. */
export function suggestClosest(given: string, names: Iterable<string>): string {
  const closest = findClosest(given, names)
  return closest === undefined ? '' : `; did you mean "${closest}"?`
}

/** Returns `is not a trigger; use one of a, b`, and a similar name if there is one. */
export function describeUnknown(kind: string, given: string, names: readonly string[]): string {
  return `is not a ${kind}; use one of ${names.join(', ')}${suggestClosest(given, names)}`
}

/** Levenshtein distance: how many characters must be inserted, deleted or replaced. */
function getDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, row[j]! + 1, next[j - 1]! + 1))
    }
    row = next
  }
  return row.at(-1)!
}
