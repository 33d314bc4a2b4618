/** The view of the contacts in the address: search, filter, order and columns. An address restores the whole view. */
import type { Filter } from '../segments/filter/conditions.ts'
import type { Sort } from './use-contact-list.ts'

const emptyFilter: Filter = { match: 'all', conditions: [] }
export const sortFields = ['name', 'lastInteractionAt', 'createdAt', 'updatedAt'] as const

export interface ContactsSearch {
  q?: string | undefined
  filter?: Filter | undefined
  /** A field, with `-` for descending order. */
  sort?: string | undefined
  /** The id of a saved view, which the other parameters change. */
  view?: string | undefined
  /** The columns beside the name; those of the view or of the user if absent. */
  columns?: readonly string[] | undefined
}

function isFilter(value: unknown): value is Filter {
  const { match, conditions } = (value ?? {}) as Partial<Filter>
  return (match === 'all' || match === 'any') && Array.isArray(conditions)
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every(item => typeof item === 'string')

export function validateContacts(search: Record<string, unknown>): ContactsSearch {
  const { q, filter, sort, view, columns } = search
  const field = typeof sort === 'string' ? sort.replace(/^-/, '') : ''
  return {
    ...(typeof q === 'string' || typeof q === 'number' ? { q: String(q) } : {}),
    ...(isFilter(filter) ? { filter } : {}),
    ...((sortFields as readonly string[]).includes(field) ? { sort: String(sort) } : {}),
    ...(typeof view === 'string' ? { view } : {}),
    ...(isTexts(columns) ? { columns } : {}),
  }
}

export function toSort(sort = '-createdAt'): Sort {
  const field = sort.replace(/^-/, '') as Sort['field']
  return { field, direction: sort.startsWith('-') ? 'desc' : 'asc' }
}

/** The filter that the service gets: the conditions and the searched text. */
export function toRequestFilter({ q = '', filter = emptyFilter }: ContactsSearch): Filter {
  const text = q.trim().slice(0, 200)
  if (text === '') return filter
  const condition = { type: 'searchText' as const, text }
  if (filter.match === 'all' || filter.conditions.length === 0)
    return { match: 'all', conditions: [...filter.conditions, condition] }
  return { match: 'all', conditions: [filter as Filter['conditions'][number], condition] }
}
