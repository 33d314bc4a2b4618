/** Creates, changes and deletes saved views. Deleting can be undone. */
import { api, call } from '../../api/client.ts'
import { ApiError } from '../../api/errors.ts'
import { getSignedIn, hasScope } from '../../api/session.ts'
import { t } from '../../i18n/i18n.ts'
import { describe } from '../../ui/state-view.tsx'
import { showToast } from '../../ui/toasts.ts'
import { arrangeViews, type Filter, reloadViews, type SavedView, savedViews } from '../state/views.ts'

type NewView = Pick<SavedView, 'name' | 'filter'> &
  Partial<Pick<SavedView, 'sort' | 'position' | 'columns' | 'scope' | 'teamIds'>>

/** Owners and admins change shared views; everyone their own. */
export function canChangeView({ scope, createdBy }: SavedView): boolean {
  const { me } = getSignedIn()
  if (!hasScope('view:update')) return false
  return scope === 'me' ? createdBy === me.id : me.role !== 'agent'
}

/** Throws an ApiError, which the form shows. */
export async function createView(body: NewView): Promise<{ id: string }> {
  const view = await call(api.POST('/views', { body }))
  await reloadViews()
  return view
}

async function attempt(change: () => Promise<unknown>): Promise<boolean> {
  try {
    await change()
    return true
  } catch (error) {
    showToast({ text: describe(ApiError.from(error)), tone: 'danger' })
    return false
  } finally {
    await reloadViews()
  }
}

const patch = (id: string, body: { name: string } | { filter: Filter }) =>
  call(api.PATCH('/views/{id}', { params: { path: { id } }, body }))

export async function renameView({ id }: SavedView, name: string): Promise<void> {
  await attempt(() => patch(id, { name }))
}

export async function saveChanges({ id, name }: SavedView, filter: Filter): Promise<void> {
  if (await attempt(() => patch(id, { filter }))) showToast({ text: t.viewSaved(name) })
}

export async function deleteView(view: SavedView): Promise<void> {
  const { id, name, filter, sort, position, columns, scope, teamIds } = view
  const isDeleted = await attempt(() => call(api.DELETE('/views/{id}', { params: { path: { id } } })))
  if (!isDeleted) return
  const again = { name, filter, sort, position, columns, scope, ...(scope === 'team' ? { teamIds } : {}) }
  const undo = () => void attempt(() => createView(again))
  showToast({ text: t.viewDeleted(name), action: { label: t.undo, run: undo } })
}

/** Moves a view by one place, for this user. */
export async function moveView({ id }: SavedView, step: 1 | -1): Promise<void> {
  const ids = savedViews.get().map(view => view.id)
  const from = ids.indexOf(id)
  ids.splice(from, 1)
  ids.splice(Math.max(0, from + step), 0, id)
  await attempt(() => arrangeViews(ids))
}
