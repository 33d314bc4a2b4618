/** The saved views of one kind that the user sees, in the user's order. */
import { api, call, type Schemas } from '../api/client.ts'
import { hasScope } from '../api/session.ts'
import { createStore, type Store } from '../app/store.ts'

export type AnyView = Schemas['View'] | Schemas['ContactView']

export interface Views<V extends AnyView = AnyView> {
  kind: V['kind']
  store: Store<readonly V[]>
  /** Reads the views again after one was changed, here or by a colleague. */
  reload(): Promise<void>
  /** Shows the order immediately; the service keeps it for this user only. */
  arrange(viewIds: readonly string[]): Promise<void>
}

export function createViews<V extends AnyView>(kind: V['kind']): Views<V> {
  const store = createStore<readonly V[]>([])
  let isLoading = false
  let isStale = false
  const reload = async () => {
    isStale = true
    if (isLoading || !hasScope('view:list')) return
    isLoading = true
    while (isStale) {
      isStale = false
      await call(api.GET('/views', { params: { query: { kind } } })).then(
        ({ views }) => store.set(views as V[]),
        () => {},
      )
    }
    isLoading = false
  }
  const arrange = async (viewIds: readonly string[]) => {
    store.update(all => viewIds.flatMap(id => all.find(view => view.id === id) ?? []))
    await call(api.PUT('/users/me/view-order', { body: { viewIds: [...viewIds] } }))
  }
  return { kind, store, reload, arrange }
}
