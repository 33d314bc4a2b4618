/** The saved views of contacts, and what the table shows: the view of the address, changed by its other parameters. */
import { useEffect, useState } from 'react'
import type { Schemas } from '../api/client.ts'
import { onFrames } from '../api/realtime.ts'
import { isChange } from '../app/use-resource.ts'
import { createViews } from '../views/views.ts'
import { type ContactsSearch, toRequestFilter, toSort } from './address.ts'

export type ContactView = Schemas['ContactView']

export const contactViews = createViews<ContactView>('contacts')

/** Reads the views and follows their changes; returns whether they have been read. */
export function useContactViews(): boolean {
  const [isRead, setRead] = useState(false)
  useEffect(() => {
    void contactViews.reload().finally(() => setRead(true))
    const isAffected = isChange('view')
    return onFrames(frames => {
      if (frames.some(frame => frame.type === 'resync' || isAffected(frame))) void contactViews.reload()
    })
  }, [])
  return isRead
}

const toText = (sort: ContactView['sort']) =>
  sort ? `${sort.direction === 'desc' ? '-' : ''}${sort.field}` : undefined

/** Parameters of the address override the filter, the order and the columns of the view. */
export function applyView(search: ContactsSearch, view: ContactView | undefined): ContactsSearch {
  const { filter = view?.filter, sort = toText(view?.sort ?? null), columns = view?.columns } = search
  return {
    ...search,
    filter: filter && filter.conditions.length > 0 ? filter : undefined,
    sort,
    columns: columns && columns.length > 0 ? columns : undefined,
  }
}

/** The state of the table that a view stores. */
export function toContent(shown: ContactsSearch, columns: readonly string[] = shown.columns ?? []) {
  return { filter: toRequestFilter(shown), sort: toSort(shown.sort), columns: [...columns] }
}

/** Whether the address has changed what the view keeps. */
export const isChanged = (shown: ContactsSearch, view: ContactView) =>
  JSON.stringify(toContent(shown)) !== JSON.stringify(toContent(applyView({}, view)))
