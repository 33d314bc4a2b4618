/** The labels of the workspace. A label that another user has created is read when a conversation has it. */
import { api, call, type Schemas } from '../../api/client.ts'
import { hasScope } from '../../api/session.ts'
import { createStore } from '../../app/store.ts'

export type Label = Schemas['Label']

export const labels = createStore<ReadonlyMap<string, Label>>(new Map())
let isLoading = false
/** Ids that the service does not know: they are not looked up again. */
const unknown = new Set<string>()

export function setLabels(list: readonly Label[]): void {
  labels.set(new Map(list.map(label => [label.id, label])))
}

async function loadLabels(wantedIds: readonly string[]): Promise<void> {
  if (isLoading || !hasScope('label:list')) return
  isLoading = true
  try {
    const page = await call(api.GET('/labels'))
    setLabels(page.labels)
    for (const id of wantedIds) if (!labels.get().has(id)) unknown.add(id)
  } catch {
    // Shown without labels until the next attempt.
  } finally {
    isLoading = false
  }
}

/** Loads the labels if one of the ids is not known yet. */
export function ensureLabels(ids: readonly string[]): void {
  const missing = ids.filter(id => !labels.get().has(id) && !unknown.has(id))
  if (missing.length > 0) void loadLabels(missing)
}

export async function createLabel(name: string): Promise<Label> {
  const label = await call(api.POST('/labels', { body: { name } }))
  labels.update(all => new Map([...all, [label.id, label]]))
  return label
}
