/**
 * The contacts that match a filter, page by page, with their number. Events change the rows, and are followed by a request,
 * because only the service knows which contacts match now.
 */
import { useCallback, useEffect, useRef, useState } from 'react'
import { api, call, type Schemas } from '../api/client.ts'
import { ApiError } from '../api/errors.ts'
import { type Frame, onFrames } from '../api/realtime.ts'
import { getSignedIn } from '../api/session.ts'
import type { Filter } from '../segments/filter/conditions.ts'
import { throttle } from '../segments/throttle.ts'
import { describeRefusal } from '../ui/layout/state-view.tsx'
import { showToast } from '../ui/overlays/toasts.ts'

export type ContactRow = Schemas['ContactSummary']
export type Sort = {
  field: 'createdAt' | 'updatedAt' | 'name' | 'lastInteractionAt'
  direction: 'asc' | 'desc'
}

interface ListState {
  rows: readonly ContactRow[]
  nextCursor: string | null
  count: number | undefined
  isLoaded: boolean
  isLoading: boolean
  error: unknown
}

const initial: ListState = {
  rows: [],
  nextCursor: null,
  count: undefined,
  isLoaded: false,
  isLoading: true,
  error: undefined,
}
const pageSize = 100
const maxPageSize = 200
const refreshIntervalMs = 1_000
const include: ('customFields' | 'lastInteractionAt')[] = ['customFields', 'lastInteractionAt']

const search = (filter: Filter, sort: Sort, limit: number, cursor: string | null = null) =>
  call(api.POST('/contacts/search', { body: { filter, sort, limit, cursor, include } }))

/** Shows the values immediately, and takes them back if the service refuses the request. */
export type ChangeRow = (
  row: ContactRow,
  values: Partial<ContactRow>,
  request: () => Promise<unknown>,
) => void

export function useContactList(filter: Filter, sort: Sort) {
  const key = JSON.stringify([filter, sort])
  const [state, setState] = useState(initial)
  const version = useRef(0)
  const latest = useRef(state)
  latest.current = state
  const set = useCallback((values: Partial<ListState>) => setState(before => ({ ...before, ...values })), [])

  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for filter and sort
  const load = useCallback(
    async (isRefresh: boolean) => {
      const current = ++version.current
      const wanted = Math.min(maxPageSize, Math.max(pageSize, isRefresh ? latest.current.rows.length : 0))
      if (!isRefresh) set({ isLoading: true, error: undefined })
      try {
        const [page, { totalSize }] = await Promise.all([
          search(filter, sort, wanted),
          call(api.POST('/contacts/search/count', { body: { filter } })),
        ])
        if (current !== version.current) return
        setState(before => ({
          ...initial,
          ...merge(before, page, isRefresh),
          count: totalSize,
          isLoaded: true,
          isLoading: false,
        }))
      } catch (error) {
        if (current === version.current && !isRefresh) set({ error, isLoading: false })
      }
    },
    [key, set],
  )
  useEffect(() => {
    void load(false)
  }, [load])
  useLiveRows(setState, load)

  const loadMore = async () => {
    const { nextCursor, isLoading } = latest.current
    if (!nextCursor || isLoading) return
    const current = version.current
    set({ isLoading: true, error: undefined })
    try {
      const page = await search(filter, sort, pageSize, nextCursor)
      if (current !== version.current) return set({ isLoading: false })
      setState(before => {
        const known = new Set(before.rows.map(({ id }) => id))
        const added = page.items.filter(({ id }) => !known.has(id))
        return { ...before, rows: [...before.rows, ...added], nextCursor: page.nextCursor, isLoading: false }
      })
    } catch (error) {
      set({ error, isLoading: false })
    }
  }
  const change: ChangeRow = (row, values, request) => {
    patch(setState, row.id, values)
    request().catch(cause => {
      patch(setState, row.id, row)
      const problem = ApiError.from(cause)
      showToast({ text: describeRefusal(problem), tone: 'danger' })
    })
  }
  return { ...state, loadMore, change, reload: () => void load(false) }
}

type SetState = (change: (before: ListState) => ListState) => void

/** A refresh reads the first rows again; rows of later pages stay. */
function merge(
  before: ListState,
  page: { items: ContactRow[]; nextCursor: string | null },
  isRefresh: boolean,
): Pick<ListState, 'rows' | 'nextCursor'> {
  if (!isRefresh || before.rows.length <= page.items.length || page.nextCursor === null)
    return { rows: page.items, nextCursor: page.nextCursor }
  const fresh = new Set(page.items.map(({ id }) => id))
  const rest = before.rows.slice(maxPageSize).filter(({ id }) => !fresh.has(id))
  return rest.length === 0
    ? { rows: page.items, nextCursor: page.nextCursor }
    : { rows: [...page.items, ...rest], nextCursor: before.nextCursor }
}

const patch = (setState: SetState, id: string, values: Partial<ContactRow>) =>
  setState(before => ({
    ...before,
    rows: before.rows.map(row => (row.id === id ? { ...row, ...values } : row)),
  }))

/** Applies events to the rows, and reads the list again after them, at most once a second. */
function useLiveRows(setState: SetState, load: (isRefresh: boolean) => Promise<void>): void {
  useEffect(() => {
    const refresh = throttle(() => void load(true), refreshIntervalMs)
    const stop = onFrames(frames => {
      const events = frames.filter(({ type }) => type.startsWith('contact.'))
      if (events.length === 0 && !frames.some(({ type }) => type === 'resync')) return
      for (const event of events) applyEvent(setState, event)
      refresh.call()
    })
    return () => {
      refresh.stop()
      stop()
    }
  }, [setState, load])
}

function applyEvent(setState: SetState, { data: { contact } }: Frame): void {
  if (contact.deletedAt) {
    setState(before => ({ ...before, rows: before.rows.filter(({ id }) => id !== contact.id) }))
    return
  }
  const { tags } = getSignedIn()
  const known = (contact.tagIds as string[]).flatMap(id => tags.get(id) ?? [])
  patch(setState, contact.id, {
    name: contact.name,
    email: contact.customFields.cf_email ?? null,
    customFields: contact.customFields,
    tags: known.map(({ id, name }) => ({ id, name })),
    archivedAt: contact.archivedAt,
    updatedAt: contact.updatedAt,
  })
}
