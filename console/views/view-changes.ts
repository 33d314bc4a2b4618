/** Creates, changes and deletes saved views. Deleting can be undone. */
import { api, call } from '../api/client.ts'
import { ApiError } from '../api/errors.ts'
import { getSignedIn, hasScope } from '../api/session.ts'
import { t } from '../i18n/i18n.ts'
import { describe } from '../ui/layout/state-view.tsx'
import { showToast } from '../ui/overlays/toasts.ts'
import type { AnyView, Views } from './views.ts'

type Content = Pick<AnyView, 'name' | 'filter'> &
  Partial<Pick<AnyView, 'sort' | 'position' | 'columns' | 'scope' | 'teamIds'>>

/** Owners and admins change shared views; everyone their own. */
export function canChangeView({ scope, createdBy }: AnyView): boolean {
  const { me } = getSignedIn()
  if (!hasScope('view:update')) return false
  return scope === 'me' ? createdBy === me.id : me.role !== 'agent'
}

/** Throws an ApiError, which the form shows. */
export async function createView(views: Views, content: Content): Promise<{ id: string }> {
  const view = await call(api.POST('/views', { body: { ...content, kind: views.kind } }))
  await views.reload()
  return view
}

async function attempt(views: Views, change: () => Promise<unknown>): Promise<boolean> {
  try {
    await change()
    return true
  } catch (error) {
    showToast({ text: describe(ApiError.from(error)), tone: 'danger' })
    return false
  } finally {
    await views.reload()
  }
}

const patch = (id: string, body: Partial<Content>) =>
  call(api.PATCH('/views/{id}', { params: { path: { id } }, body }))

export async function renameView(views: Views, { id }: AnyView, name: string): Promise<void> {
  await attempt(views, () => patch(id, { name }))
}

export async function saveChanges(
  views: Views,
  { id, name }: AnyView,
  content: Pick<Content, 'filter' | 'sort' | 'columns'>,
): Promise<boolean> {
  const isSaved = await attempt(views, () => patch(id, content))
  if (isSaved) showToast({ text: t.viewSaved(name) })
  return isSaved
}

export async function deleteView(views: Views, view: AnyView): Promise<void> {
  const { id, name, filter, sort, position, columns, scope, teamIds } = view
  const isDeleted = await attempt(views, () => call(api.DELETE('/views/{id}', { params: { path: { id } } })))
  if (!isDeleted) return
  const again = { name, filter, sort, position, columns, scope, ...(scope === 'team' ? { teamIds } : {}) }
  const undo = () => void attempt(views, () => createView(views, again))
  showToast({ text: t.viewDeleted(name), action: { label: t.undo, run: undo } })
}

/** Moves a view by one place, for this user. */
export async function moveView(views: Views, { id }: AnyView, step: 1 | -1): Promise<void> {
  const ids = views.store.get().map(view => view.id)
  const from = ids.indexOf(id)
  ids.splice(from, 1)
  ids.splice(Math.max(0, from + step), 0, id)
  await attempt(views, () => views.arrange(ids))
}
