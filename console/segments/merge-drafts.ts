/** Merges two versions of a segment that were made from the same one. */
import { countConditions, type Filter, type Item, maxConditions } from './filter/conditions.ts'
import type { Draft } from './use-segment.ts'

/**
 * Keeps the changes of both. Of a name that both changed, mine stays; conditions that either added are included, those that
 * either removed are not. Undefined if there would be too many conditions.
 */
export function mergeDrafts(base: Draft, theirs: Draft, mine: Draft): Draft | undefined {
  const name = mine.name === base.name ? theirs.name : mine.name
  const filter = mergeFilters(base.filter, theirs.filter, mine.filter)
  const description = mergeTexts(base.description, theirs.description, mine.description)
  return countConditions(filter) > maxConditions ? undefined : { name, description, filter }
}

function mergeTexts(base: string, theirs: string, mine: string): string {
  if (mine === base || mine === theirs) return theirs
  return theirs === base ? mine : [theirs, mine].filter(text => text !== '').join('\n')
}

function mergeFilters(base: Filter, theirs: Filter, mine: Filter): Filter {
  const has = ({ conditions }: Filter, item: Item) =>
    conditions.some(other => JSON.stringify(other) === JSON.stringify(item))
  const kept = theirs.conditions.filter(item => has(mine, item) || !has(base, item))
  const added = mine.conditions.filter(item => !has(base, item) && !has(theirs, item))
  return {
    match: mine.match === base.match ? theirs.match : mine.match,
    conditions: [...kept, ...added],
  }
}
