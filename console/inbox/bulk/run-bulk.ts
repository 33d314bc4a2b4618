/** Runs an action on many conversations. The events of the changes move the rows of the lists. */
import { api, call, type Schemas } from '../../api/client.ts'
import { t } from '../../i18n/i18n.ts'
import { showToast } from '../../ui/overlays/toasts.ts'
import { receive } from '../state/conversations.ts'
import type { Filter } from '../state/views.ts'
import { bulkProgress, createKey, runInService, show, split } from './follow-bulk.ts'
import { texts } from './texts.ts'

export { bulkProgress } from './follow-bulk.ts'

export type BulkChange = Exclude<Schemas['ConversationAction'], { type: 'removeLabel' }>
export type BulkTarget = { ids: readonly string[] } | { filter: Filter }

const toParams = (id: string) => ({ params: { path: { id } } })

export function runBulk(target: BulkTarget, action: BulkChange): Promise<void> {
  return runInService({
    kind: 'bulk',
    label: t.bulk[action.type],
    starts: split(target).map(part => {
      const params = { header: { 'Idempotency-Key': createKey() } }
      return () => call(api.POST('/conversations/bulk', { params, body: { ...part, action } }))
    }),
    read: id => call(api.GET('/conversations/bulk/{id}', toParams(id))),
    undo: id => call(api.POST('/conversations/bulk/{id}/undo', toParams(id))),
    toDone: texts().done[action.type],
    toRestored: texts().restored,
  })
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
    showToast({ text: texts().done.markUnread(ids.length) })
  })
}
