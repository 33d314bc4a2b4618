import { api, call, type Schemas } from '../../api/client.ts'
import { ApiError } from '../../api/errors.ts'
import { createKey, runInService, split } from '../../inbox/bulk/follow-bulk.ts'
import { clearSelection } from '../../inbox/bulk/selection.ts'
import type { Filter } from '../../segments/filter/conditions.ts'
import { describe } from '../../ui/layout/state-view.tsx'
import { showToast } from '../../ui/overlays/toasts.ts'
import { texts } from '../texts.ts'

export type ContactChange = Schemas['ContactAction']
export type ContactTarget = { ids: readonly string[] } | { filter: Filter }

const toParams = (id: string) => ({ params: { path: { id } } })

/** Starts runs of a journey for the contacts, in the background. */
export async function startJourney(
  target: ContactTarget,
  { id, name }: { id: string; name: string },
): Promise<void> {
  try {
    for (const part of split(target)) {
      const params = { path: { id }, header: { 'Idempotency-Key': createKey() } }
      const body = 'ids' in part ? { contactIds: part.ids } : part
      await call(api.POST('/journeys/{id}/enroll', { params, body }))
    }
    clearSelection()
    showToast({ text: texts().journeyStarted(name) })
  } catch (error) {
    showToast({ text: describe(ApiError.from(error)), tone: 'danger' })
  }
}

/** Runs an action on many contacts. Events of the changes update the table. */
export function runContactBulk(target: ContactTarget, action: ContactChange): Promise<void> {
  return runInService({
    kind: 'contact_bulk',
    label: texts().bulk[action.type],
    starts: split(target).map(part => {
      const params = { header: { 'Idempotency-Key': createKey() } }
      return () => call(api.POST('/contacts/bulk', { params, body: { ...part, action } }))
    }),
    read: id => call(api.GET('/contacts/bulk/{id}', toParams(id))),
    undo: id => call(api.POST('/contacts/bulk/{id}/undo', toParams(id))),
    toDone: texts().bulkDone[action.type],
    toRestored: texts().restored,
  })
}
