/** Starts an action on many things in the service, follows its progress and offers to undo it. */
import { ApiError } from '../../api/errors.ts'
import { createStore } from '../../app/store.ts'
import { t } from '../../i18n/i18n.ts'
import { describe } from '../../ui/layout/state-view.tsx'
import { showToast } from '../../ui/overlays/toasts.ts'
import { texts } from './texts.ts'
import { type BulkKind, watchBulk } from './watch-bulk.ts'

interface BulkProgress {
  label: string
  done: number
  /** Unknown before the service has accepted the action. */
  total: number | undefined
}

export const bulkProgress = createStore<BulkProgress | undefined>(undefined)

/** The progress of a bulk action of any kind. */
interface Progress {
  id: string
  status: 'running' | 'completed' | 'failed' | 'undoing' | 'undone'
  total: number
  changed: number
  unchanged: number
  failed: number
  restored: number
  notRestored: number
  undoUntil: string | null
}

interface BulkWork {
  kind: BulkKind
  label: string
  /** One for each part of the target. */
  starts: readonly (() => Promise<Progress>)[]
  read: (id: string) => Promise<Progress>
  undo: (id: string) => Promise<unknown>
  toDone: (n: number) => string
  toRestored: (n: number) => string
}

/** The service takes this many ids in one request. */
const maxIds = 1_000
const retryMs = 2_000
/** Shown longer than other toasts, so that the user can check the result before the undo disappears. */
const toastMs = 30_000

const wait = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

/** One key for one intention: a repeated request does not start a second action. */
export const createKey = () => crypto.getRandomValues(new Uint32Array(4)).join('-')

export function split<F>(
  target: { ids: readonly string[] } | { filter: F },
): ({ ids: string[] } | { filter: F })[] {
  if ('filter' in target) return [target]
  const count = Math.ceil(target.ids.length / maxIds)
  return Array.from({ length: count }, (_, part) => ({
    ids: target.ids.slice(part * maxIds, (part + 1) * maxIds),
  }))
}

/** Repeats a request that a lost connection or a restart has interrupted. */
async function persist<T>(request: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await request()
    } catch (error) {
      if (!ApiError.from(error).isTemporary) throw error
      await wait(retryMs)
    }
  }
}

const sum = (actions: readonly Progress[], count: (action: Progress) => number) =>
  actions.reduce((total, action) => total + count(action), 0)

/** Reads the progress after each frame about it, until all actions are finished. */
async function follow(
  { kind, read }: BulkWork,
  ids: readonly string[],
  label: string,
  isUndo = false,
): Promise<Progress[]> {
  const news = watchBulk(kind, ids)
  try {
    for (;;) {
      const actions = await Promise.all(ids.map(id => persist(() => read(id))))
      const done = sum(actions, ({ changed, unchanged, failed, restored, notRestored }) =>
        isUndo ? restored + notRestored : changed + unchanged + failed,
      )
      const total = sum(actions, action => (isUndo ? action.changed : action.total))
      bulkProgress.set({ label, done, total })
      if (actions.every(isOver)) return actions
      await news.next()
    }
  } finally {
    news.stop()
  }
}

const isOver = ({ status }: Progress) => status !== 'running' && status !== 'undoing'

export async function runInService(work: BulkWork): Promise<void> {
  await show(work.label, async () => {
    const started = await Promise.all(work.starts.map(persist))
    const ids = started.map(({ id }) => id)
    const actions = await follow(work, ids, work.label)
    const changed = sum(actions, item => item.changed)
    const counts = [
      work.toDone(changed),
      [sum(actions, item => item.unchanged), texts().unchanged],
      [sum(actions, item => item.failed), texts().failed],
    ] as const
    const canUndo = changed > 0 && actions.some(({ undoUntil }) => undoUntil !== null)
    const undo = { label: t.undo, run: () => void undoInService(work, ids) }
    showResult(actions, counts, canUndo ? undo : undefined)
  })
}

/** Undoing that failed in the service can be tried again. */
async function undoInService(work: BulkWork, ids: readonly string[]): Promise<void> {
  await show(t.undo, async () => {
    await Promise.all(ids.map(id => persist(() => work.undo(id))))
    const actions = await follow(work, ids, t.undo, true)
    const restored = work.toRestored(sum(actions, item => item.restored))
    const retry = { label: t.retry, run: () => void undoInService(work, ids) }
    const notRestored = [sum(actions, item => item.notRestored), texts().notRestored] as const
    showResult(actions, [restored, notRestored], hasFailed(actions) ? retry : undefined)
  })
}

type Counts = readonly [string, ...(readonly [number, (n: number) => string])[]]

const hasFailed = (actions: readonly Progress[]) => actions.some(({ status }) => status === 'failed')

function showResult(
  actions: readonly Progress[],
  [first, ...counts]: Counts,
  action: { label: string; run: () => void } | undefined,
): void {
  const isFailed = hasFailed(actions)
  const parts = counts.filter(([n]) => n > 0).map(([n, toText]) => toText(n))
  const text = [first, ...parts, ...(isFailed ? [texts().stopped] : [])].join(' · ')
  showToast({ text, action, tone: isFailed ? 'danger' : undefined }, toastMs)
}

/** Shows the progress while the work runs, and its error. */
export async function show(label: string, work: () => Promise<void>): Promise<void> {
  bulkProgress.set({ label, done: 0, total: undefined })
  try {
    await work()
  } catch (error) {
    showToast({ text: describe(ApiError.from(error)), tone: 'danger' })
  } finally {
    bulkProgress.set(undefined)
  }
}
