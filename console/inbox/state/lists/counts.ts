/**
 * How many conversations each view has. The first counts come with the session; the service sends later ones when they
 * change, for the filters of the last request.
 */
import { sendFrame } from '../../../api/realtime.ts'
import { getSignedIn } from '../../../api/session.ts'
import { createStore } from '../../../app/store.ts'
import { type Filter, savedViews, toFilter, type ViewId } from '../views.ts'

/** Closed conversations are many and are not work to be done. */
const countedViews = [
  'mine',
  'unassigned',
  'mentions',
  'team',
  'all',
  'snoozed',
] as const satisfies readonly ViewId[]
/** The service counts this many filters; views after them are shown without a count. */
const maxCounted = 20

export interface ViewCount {
  count: number
  /** There are more. */
  approximate: boolean
}

export const viewCounts = createStore<Readonly<Record<string, ViewCount>>>({})

/** The views of the last request, by its number: frames of an earlier one name other views. */
let requested: readonly string[] = []
let requestId = 0

/** Asks for the counts of all views, now and whenever they change. A new connection is asked again. */
export function followCounts(): void {
  const builtIn = countedViews.map((view): [string, Filter] => [view, toFilter(view)])
  const saved = savedViews.get().map(({ id, filter }): [string, Filter] => [id, filter])
  const listed = [...builtIn, ...saved].slice(0, maxCounted)
  requested = listed.map(([view]) => view)
  sendFrame('count_views', { id: String(++requestId), filters: listed.map(([, filter]) => filter) })
}

export function receiveCounts({ id, counts }: { id: string; counts: readonly ViewCount[] }): void {
  if (id !== String(requestId)) return
  viewCounts.set(Object.fromEntries(requested.map((view, position) => [view, counts[position]!])))
}

/** Shows the first counts and follows the saved views; returns a function that stops. */
export function startCounts(): () => void {
  const first = getSignedIn().viewCounts
  viewCounts.set(Object.fromEntries(first.map(({ view, ...count }) => [view, count])))
  followCounts()
  const stop = savedViews.subscribe(followCounts)
  return () => {
    stop()
    sendFrame('count_views', { id: String(++requestId), filters: [] })
    viewCounts.set({})
  }
}
