/**
 * How many conversations each view has. Changes of known conversations are counted here; the service counts again where a
 * conversation was not known, in one request for all views and at most one at a time.
 */
import { api, call } from '../../api/client.ts'
import { getSignedIn } from '../../api/session.ts'
import { createStore } from '../../app/store.ts'
import { matches } from './filter.ts'
import { type Conversation, type Filter, savedViews, toFilter, type ViewId } from './views.ts'

/** Closed conversations are many and nobody works them off. */
const countedViews = ['mine', 'unassigned', 'all', 'snoozed'] as const satisfies readonly ViewId[]
/** One request counts this many filters; views after them are shown without a count. */
const maxCounted = 20

export interface ViewCount {
  count: number
  /** There are more. */
  approximate: boolean
}

export const viewCounts = createStore<Readonly<Record<string, ViewCount>>>({})

const delayMs = 100
/** While conversations keep arriving. */
const repeatMs = 2_000
let timer: ReturnType<typeof setTimeout> | undefined

/** Counts after a short time; further calls until the response are the same request. */
export function recount(inMs = delayMs): void {
  timer ??= setTimeout(load, inMs)
}

let isStale = false

function listFilters(): [string, Filter][] {
  const builtIn = countedViews.map((view): [string, Filter] => [view, toFilter(view)])
  const saved = savedViews.get().map(({ id, filter }): [string, Filter] => [id, filter])
  return [...builtIn, ...saved].slice(0, maxCounted)
}

async function load(): Promise<void> {
  isStale = false
  const listed = listFilters()
  const filters = listed.map(([, filter]) => filter)
  const found = await call(api.POST('/conversations/counts', { body: { filters } })).catch(() => undefined)
  timer = undefined
  if (found)
    viewCounts.set(Object.fromEntries(listed.map(([view], position) => [view, found.counts[position]!])))
  // The response may be older than a change that arrived meanwhile.
  if (isStale) recount(repeatMs)
}

/** Adjusts the counts by a conversation that changed. Which views an unknown one has left, only the service knows. */
export function noticeChange(before: Conversation | undefined, after: Conversation): void {
  if (!before) {
    isStale = true
    recount()
    return
  }
  const reader = getSignedIn()
  const steps = listFilters().map(([view, filter]) => {
    const is = matches(filter, after, reader)
    const was = matches(filter, before, reader)
    return { view, step: Number(is ?? 0) - Number(was ?? 0), isKnown: is !== undefined && was !== undefined }
  })
  const moved = steps.filter(({ step, isKnown }) => step !== 0 || !isKnown)
  if (moved.length === 0) return
  isStale = true
  if (moved.some(({ isKnown }) => !isKnown)) recount()
  const counts = { ...viewCounts.get() }
  for (const { view, step } of moved) {
    const known = counts[view]
    if (known) counts[view] = { ...known, count: Math.max(0, known.count + step) }
  }
  viewCounts.set(counts)
}

/** Counts again when the saved views change; returns a function that stops. */
export function startCounts(): () => void {
  const stop = savedViews.subscribe(() => {
    isStale = true
    recount()
  })
  return () => {
    stop()
    clearTimeout(timer)
    timer = undefined
    viewCounts.set({})
  }
}
