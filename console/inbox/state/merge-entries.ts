/** Joins the entries of a thread with those of a response or of realtime frames. */
import type { Schemas } from '../../api/client.ts'

export type Entry = Schemas['TimelineItem']

/** Joins entries by id, the newer version of each. Both lists are in the order of the service. */
export function merge(known: readonly Entry[], more: readonly Entry[]): readonly Entry[] {
  if (more.length === 0) return known
  const positions = new Map(known.map(({ id }, position) => [id, position]))
  const result = [...known]
  // A batch may contain several versions of a new entry, such as those of a message that was sent meanwhile.
  const newest = new Map<string, Entry>()
  for (const entry of more) {
    const position = positions.get(entry.id)
    const before = position === undefined ? newest.get(entry.id) : result[position]
    if (before && toVersion(before) > toVersion(entry)) continue
    if (position === undefined) newest.set(entry.id, entry)
    else result[position] = entry
  }
  const added = [...newest.values()]
  const [first] = added
  if (!first) return result
  // A stable sort keeps the order of entries of the same moment: an older page comes first, a new entry last.
  const isOlder = result[0] !== undefined && first.at <= result[0].at
  return (isOlder ? [...added, ...result] : [...result, ...added]).sort(compareEntries)
}

function toVersion(entry: Entry): string {
  if (entry.type === 'message') return entry.message.updatedAt
  return entry.type === 'note' ? entry.note.updatedAt : entry.at
}

/** The one order of entries. */
function compareEntries(a: Entry, b: Entry): number {
  return a.at === b.at ? 0 : a.at < b.at ? -1 : 1
}
