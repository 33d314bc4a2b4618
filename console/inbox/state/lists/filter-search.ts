/**
 * The filter of the list in the address. It changes the filter of the view: a member of the address replaces that of the
 * view, and `any` removes it.
 */
import type { Schemas } from '../../../api/client.ts'
import { channels } from '../../channels.ts'

type Filter = Schemas['ConversationFilter']

const priorities = ['urgent', 'high', 'medium', 'low', 'none'] as const

/** The parameters of the address, and the members of the filter that they set. */
const members = {
  owner: 'ownerId',
  team: 'teamId',
  inbox: 'inboxId',
  channel: 'channel',
  label: 'labelIds',
  priority: 'priority',
  unread: 'unread',
  waiting: 'waiting',
} as const satisfies Record<string, keyof Filter>

export type FilterParameter = keyof typeof members
export const filterParameters = Object.keys(members) as FilterParameter[]
export const toMember = (parameter: FilterParameter) => members[parameter]

/** Lists are separated by commas, so that addresses stay readable. */
export type FilterSearch = { [P in FilterParameter]?: string | undefined } & { q?: string | undefined }

const allowed: Partial<Record<FilterParameter, readonly string[]>> = {
  channel: channels,
  priority: priorities,
  unread: ['true', 'false'],
  waiting: ['true', 'false'],
}
const maxLength = 2_000

/** Returns the filter of an address; values that the service would refuse are left out. */
export function validateFilter(search: Record<string, unknown>): FilterSearch {
  const found: FilterSearch = {}
  for (const parameter of filterParameters) {
    const value = toText(search[parameter])
    const known = allowed[parameter]
    const isValid = value === 'any' || !known || value?.split(',').every(item => known.includes(item))
    if (value && isValid && value.length <= maxLength) found[parameter] = value
  }
  const q = toText(search.q)
  return q ? { ...found, q } : found
}

/** The router reads numbers and booleans of an address as such. */
function toText(value: unknown): string | undefined {
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : undefined
}

export function applyFilter(base: Filter, { q, ...search }: FilterSearch): Filter {
  const filter: Record<string, unknown> = { ...base, ...(q ? { search: q } : {}) }
  for (const parameter of filterParameters) {
    const value = search[parameter]
    if (value === 'any') delete filter[members[parameter]]
    else if (value) filter[members[parameter]] = toValue(parameter, value)
  }
  return filter as Filter
}

function toValue(parameter: FilterParameter, value: string): unknown {
  if (parameter === 'unread' || parameter === 'waiting') return value === 'true'
  return ['channel', 'label', 'priority'].includes(parameter) ? value.split(',') : value
}

/** Returns the values of a parameter in a filter, as texts. */
export function toValues(filter: Filter, parameter: FilterParameter): readonly string[] {
  const value = filter[members[parameter]]
  if (value === undefined) return []
  return Array.isArray(value) ? value : [String(value)]
}

/** Returns the parameter that gives the filter these values; without values, the member is removed. */
export function toParameter(
  base: Filter,
  parameter: FilterParameter,
  values: readonly string[],
): string | undefined {
  const before = toValues(base, parameter)
  if (values.join() === before.join()) return undefined
  return values.length > 0 ? values.join() : 'any'
}

/** The address without any filter of its own. */
export const noFilter: FilterSearch = Object.fromEntries(
  [...filterParameters, 'q'].map(parameter => [parameter, undefined]),
)
