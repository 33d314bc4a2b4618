/**
 * Runs an action on many conversations in the service, follows its progress and offers to undo it. The events of the
 * changes move the rows of the lists.
 */
import { api, call, type Schemas } from '../../api/client.ts'
import { ApiError } from '../../api/errors.ts'
import { createStore } from '../../app/store.ts'
import { t } from '../../i18n/i18n.ts'
import { describe } from '../../ui/state-view.tsx'
import { showToast } from '../../ui/toasts.ts'
import { receive } from '../state/conversations.ts'
import type { Filter } from '../state/views.ts'

export type BulkChange = Exclude<Schemas['ConversationAction'], { type: 'removeLabel' }>
export type BulkTarget = { ids: readonly string[] } | { filter: Filter }

export interface BulkProgress {
  label: string
  done: number
  /** Unknown before the service has accepted the action. */
  total: number | undefined
}

export const bulkProgress = createStore<BulkProgress | undefined>(undefined)

/** The service takes this many ids in one request. */
const maxIds = 1_000
const pollMs = 300
const retryMs = 2_000
/** Shown longer than other toasts, so that the user can check the result before the undo disappears. */
const toastMs = 30_000

const wait = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

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

function split(target: BulkTarget): ({ ids: string[] } | { filter: Filter })[] {
  if ('filter' in target) return [target]
  const count = Math.ceil(target.ids.length / maxIds)
  return Array.from({ length: count }, (_, part) => ({
    ids: target.ids.slice(part * maxIds, (part + 1) * maxIds),
  }))
}

function start(target: BulkTarget, action: BulkChange): Promise<Schemas['BulkAction'][]> {
  const parts = split(target).map(part => {
    // One key for one intention: a repeated request does not start a second action.
    const params = { header: { 'Idempotency-Key': crypto.getRandomValues(new Uint32Array(4)).join('-') } }
    return persist(() => call(api.POST('/conversations/bulk', { params, body: { ...part, action } })))
  })
  return Promise.all(parts)
}

const sum = (actions: readonly Schemas['BulkAction'][], count: (action: Schemas['BulkAction']) => number) =>
  actions.reduce((total, action) => total + count(action), 0)

/** Reads the progress until all actions are finished. */
async function follow(
  ids: readonly string[],
  label: string,
  isUndo = false,
): Promise<Schemas['BulkAction'][]> {
  for (;;) {
    const actions = await Promise.all(
      ids.map(id => persist(() => call(api.GET('/conversations/bulk/{id}', { params: { path: { id } } })))),
    )
    const done = sum(actions, ({ changed, unchanged, failed, restored, notRestored }) =>
      isUndo ? restored + notRestored : changed + unchanged + failed,
    )
    const total = sum(actions, action => (isUndo ? action.changed : action.total))
    bulkProgress.set({ label, done, total })
    if (actions.every(({ status }) => status === (isUndo ? 'undone' : 'completed') || status === 'undone'))
      return actions
    await wait(pollMs)
  }
}

export async function runBulk(target: BulkTarget, action: BulkChange): Promise<void> {
  const label = t.bulk[action.type]
  await show(label, async () => {
    const started = (await start(target, action)).map(({ id }) => id)
    const actions = await follow(started, label)
    const changed = sum(actions, item => item.changed)
    const text = join([
      t.bulkDone[action.type](changed),
      [sum(actions, item => item.unchanged), t.bulkUnchanged],
      [sum(actions, item => item.failed), t.bulkFailed],
    ])
    const undo = { label: t.undo, run: () => void undoBulk(started) }
    showToast({ text, action: changed > 0 ? undo : undefined }, toastMs)
  })
}

async function undoBulk(ids: readonly string[]): Promise<void> {
  await show(t.undo, async () => {
    const toParams = (id: string) => ({ params: { path: { id } } })
    await Promise.all(
      ids.map(id => persist(() => call(api.POST('/conversations/bulk/{id}/undo', toParams(id))))),
    )
    const actions = await follow(ids, t.undo, true)
    const restored = t.bulkRestored(sum(actions, item => item.restored))
    showToast({ text: join([restored, [sum(actions, item => item.notRestored), t.bulkNotRestored]]) })
  })
}

function join([first, ...counts]: [string, ...[number, (n: number) => string][]]): string {
  return [first, ...counts.filter(([n]) => n > 0).map(([n, toText]) => toText(n))].join(' · ')
}

/** Shows the progress while the work runs, and its error. */
async function show(label: string, work: () => Promise<void>): Promise<void> {
  bulkProgress.set({ label, done: 0, total: undefined })
  try {
    await work()
  } catch (error) {
    showToast({ text: describe(ApiError.from(error)), tone: 'danger' })
  } finally {
    bulkProgress.set(undefined)
  }
}

/** Each needs a request of its own. */
export const maxUnread = 50
const concurrency = 4

export async function markManyUnread(ids: readonly string[]): Promise<void> {
  const label = t.bulk.markUnread
  await show(label, async () => {
    const rest = [...ids]
    const work = async () => {
      for (let id = rest.pop(); id !== undefined; id = rest.pop()) {
        const params = { path: { id } }
        receive([await call(api.DELETE('/conversations/{id}/read', { params }))])
        bulkProgress.set({ label, done: ids.length - rest.length, total: ids.length })
      }
    }
    await Promise.all(Array.from({ length: concurrency }, work))
    showToast({ text: t.bulkDone.markUnread(ids.length) })
  })
}
