import { api, call, type Schemas } from '../../api/client.ts'
import { createKey, runInService, split } from '../../inbox/bulk/follow-bulk.ts'
import type { Filter } from '../../segments/filter/conditions.ts'
import { texts } from '../texts.ts'

export type ContactChange = Schemas['ContactAction']
export type ContactTarget = { ids: readonly string[] } | { filter: Filter }

const toParams = (id: string) => ({ params: { path: { id } } })

/** Runs an action on many contacts. Events of the changes update the table. */
export function runContactBulk(target: ContactTarget, action: ContactChange): Promise<void> {
  return runInService({
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
