/** The filters of the list, in words. */
import { getSignedIn } from '../../api/session.ts'
import { t } from '../../i18n/i18n.ts'
import {
  AssignIcon,
  ClockIcon,
  FlagIcon,
  type Icon,
  InboxIcon,
  MessageIcon,
  TagIcon,
  TeamIcon,
  UnreadIcon,
} from '../../ui/controls/icons.tsx'
import { channelNames } from '../channels.ts'
import { labels } from '../state/labels.ts'
import { type FilterParameter, filterParameters, toMember, toValues } from '../state/lists/filter-search.ts'
import { type Filter, isBuiltIn, toFilter } from '../state/views.ts'

export const filterIcons: Record<FilterParameter, Icon> = {
  owner: AssignIcon,
  team: TeamIcon,
  inbox: InboxIcon,
  channel: MessageIcon,
  label: TagIcon,
  priority: FlagIcon,
  unread: UnreadIcon,
  waiting: ClockIcon,
}

const named = (items: Iterable<{ id: string; name: string }>): [string, string][] =>
  Array.from(items, ({ id, name }) => [id, name])

/** Returns the values of a parameter with their names. */
export function listValues(parameter: FilterParameter): [value: string, name: string][] {
  const { me, users, teams, inboxes } = getSignedIn()
  switch (parameter) {
    case 'owner': {
      const others = [...users.values()].filter(({ id, disabled }) => id !== me.id && !disabled)
      return [['me', t.me], ['none', t.nobody], ...named(others), ...named(teams.values())]
    }
    case 'team':
      return [['me', t.viewTeam], ...named(teams.values()), ['none', t.noTeam]]
    case 'inbox':
      return named(inboxes.values())
    case 'channel':
      return Object.entries(channelNames)
    case 'label':
      return named(labels.get().values())
    case 'priority':
      return [...Object.entries(t.priorities), ['none', t.noPriority]]
    case 'unread':
    case 'waiting':
      return Object.entries(t.filterFlags[parameter])
  }
}

export const isMultiple = (parameter: FilterParameter) => ['channel', 'label', 'priority'].includes(parameter)

/** Returns the parameters that the view leaves open: the name of a built-in view says the rest. */
export function listParameters(view: string): FilterParameter[] {
  const fixed: Filter = isBuiltIn(view) ? toFilter(view) : {}
  return filterParameters.filter(parameter => fixed[toMember(parameter)] === undefined)
}

/** Describes what the filter requires, such as "Owner: Ana Lima"; undefined if nothing. */
export function describeFilter(filter: Filter, parameter: FilterParameter): string | undefined {
  const values = toValues(filter, parameter)
  if (values.length === 0) return undefined
  const names = new Map(listValues(parameter))
  const { me, users } = getSignedIn()
  const toName = (value: string) =>
    names.get(value) ?? (value === me.id ? t.me : users.get(value)?.name) ?? t.unknownValue
  const text = values.map(toName).join(', ')
  return parameter === 'unread' || parameter === 'waiting' ? text : `${t.filters[parameter]}: ${text}`
}
