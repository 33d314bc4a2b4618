/** Names the groups of a report, and adds the days and hours without figures. */
import type { Frame } from '../api/realtime.ts'
import { getSignedIn } from '../api/session.ts'
import { formatShortDate } from '../i18n/format.ts'
import type { Kind } from './figure.tsx'
import { listDates, type Range } from './range.ts'
import { texts } from './texts.ts'

export const groupings = ['day', 'hourOfDay', 'inbox', 'team', 'user'] as const
export type Grouping = (typeof groupings)[number]

/** Days are points of a line; people, teams and inboxes have names, which need a table. */
export const toKind = (groupBy: Grouping): Kind =>
  groupBy === 'day' ? 'line' : groupBy === 'hourOfDay' ? 'bar' : 'table'

/** Figures change with conversations and replies. */
export const isReportFrame = ({ type }: Frame) =>
  type.startsWith('conversation.') || type === 'message.created'

/** Names on the screen, and in files, where a day has its year and the same form in every language. */
export interface Names {
  name: string
  nameInFile: string
}

/** Days and hours without figures have those of `nothing`. */
export function nameGroups<F extends object>(
  groups: readonly (F & { key: string | null })[],
  nothing: F,
  { groupBy, range }: { groupBy: Grouping; range: Range },
): (F & Names)[] {
  const known = new Map(groups.map(group => [group.key, group]))
  const fill = (keys: readonly string[], toName: (key: string) => string, toFile = toName) =>
    keys.map(key => ({ ...nothing, ...known.get(key), name: toName(key), nameInFile: toFile(key) }))
  if (groupBy === 'day')
    return fill(
      listDates(range),
      date => formatShortDate(`${date}T12:00:00`),
      date => date,
    )
  if (groupBy === 'hourOfDay')
    return fill(
      Array.from({ length: 24 }, (_, hour) => String(hour)),
      texts().hour,
    )
  return groups.map(group => {
    const name = toName(groupBy, group.key)
    return { ...group, name, nameInFile: name }
  })
}

function toName(groupBy: 'inbox' | 'team' | 'user', key: string | null): string {
  if (key === null) return texts().none
  const { inboxes, teams, users } = getSignedIn()
  const found = { inbox: inboxes, team: teams, user: users }[groupBy].get(key)
  return found?.name ?? key
}
