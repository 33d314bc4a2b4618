/** The user who is signed in, and the data of the first screen. Signing out in one tab signs out the others. */
import { createStore } from '../app/store.ts'
import { abortReads, api, call, onFactorMissing, onUnauthorized, type Schemas } from './client.ts'
import { ApiError } from './errors.ts'

export interface SignedIn {
  status: 'signed-in'
  /** Position in the event log: everything that is read afterwards is at least as new. */
  seq: number
  me: Schemas['CurrentUser']
  /** Of all clients of the user. */
  preferences: Record<string, unknown> | undefined
  workspace: { id: string; name: string; timezone: string; logoUrl: string | null }
  users: ReadonlyMap<string, Schemas['User']>
  /** Also deleted ones. */
  serviceAccounts: ReadonlyMap<string, { id: string; name: string }>
  teams: ReadonlyMap<string, Schemas['Team']>
  inboxes: ReadonlyMap<string, Schemas['Inbox']>
  tags: ReadonlyMap<string, Schemas['Tag']>
  labels: readonly Schemas['Label'][]
  customFields: readonly Schemas['CustomField'][]
  views: readonly Schemas['View'][]
  viewCounts: NonNullable<Schemas['Bootstrap']['viewCounts']>
  macros: readonly Schemas['Macro'][]
  unread: Schemas['Bootstrap']['unread']
}

export type Session =
  | { status: 'loading' }
  | { status: 'failed'; error: ApiError }
  | { status: 'signed-out'; reason?: 'ended' | undefined }
  | SignedIn

export const session = createStore<Session>({ status: 'loading' })

const channel = new BroadcastChannel('parley.session')

/** Scripts cannot read the cookie: this key remembers that there is one, so that a new visitor sees the form directly. */
const rememberKey = 'parley.session'

// A login through the identity provider ends at a page with this fragment.
if (location.hash === '#login=complete') {
  localStorage.setItem(rememberKey, 'yes')
  history.replaceState(history.state, '', location.pathname + location.search)
}

/** Reads the session of the cookie. */
export async function loadSession(): Promise<void> {
  const { status } = session.get()
  if (localStorage.getItem(rememberKey) === null) {
    // A session that has ended keeps its reason.
    if (status !== 'signed-out') session.set({ status: 'signed-out' })
    return
  }
  const wasSignedIn = status === 'signed-in'
  try {
    session.set(await fetchSession())
  } catch (error) {
    const problem = ApiError.from(error)
    if (problem.status === 401) end(wasSignedIn ? 'ended' : undefined)
    else if (!wasSignedIn || problem.code === 'auth_second_factor_missing')
      session.set({ status: 'failed', error: problem })
  }
}

function end(reason?: 'ended'): void {
  localStorage.removeItem(rememberKey)
  session.set({ status: 'signed-out', reason })
}

const byId = <T extends { id: string }>(items: readonly T[]) => new Map(items.map(item => [item.id, item]))

/** One request. Parts that the user may not read are left out of the response. */
async function fetchSession(): Promise<SignedIn> {
  const parts = await call(api.GET('/console/bootstrap'))
  const {
    seq,
    me,
    preferences,
    workspace,
    users,
    serviceAccounts,
    teams,
    inboxes,
    tags,
    labels,
    customFields,
    views,
    viewCounts,
    macros,
    unread,
  } = parts
  if (!me) throw new ApiError(403, { code: 'auth_scope_missing', title: 'user:read_self is missing' })
  return {
    status: 'signed-in',
    seq,
    me,
    preferences,
    workspace: workspace ?? { id: '', name: '', timezone: 'UTC', logoUrl: null },
    users: byId(users ?? []),
    serviceAccounts: byId(serviceAccounts ?? []),
    teams: byId(teams ?? []),
    inboxes: byId(inboxes ?? []),
    tags: byId(tags ?? []),
    labels: labels ?? [],
    customFields: customFields ?? [],
    views: views ?? [],
    viewCounts: viewCounts ?? [],
    macros: macros ?? [],
    unread,
  }
}

/** A request in flight fails when the page is left. */
let isLeaving = false
addEventListener('pagehide', () => {
  isLeaving = true
})
addEventListener('pageshow', () => {
  isLeaving = false
})

/** Hides the screens first, so that they send no requests without a session. Completes also if the page is left. */
export async function signOut(): Promise<void> {
  const before = session.get()
  session.set({ status: 'loading' })
  localStorage.removeItem(rememberKey)
  abortReads()
  try {
    await call(api.DELETE('/auth/sessions/current', { keepalive: true }))
  } catch (error) {
    if (!isLeaving && ApiError.from(error).status !== 401) {
      localStorage.setItem(rememberKey, 'yes')
      session.set(before)
      throw error
    }
  }
  channel.postMessage('signed-out')
  end()
}

/** Loads the session after a login, here and in the tabs that show the form. */
export async function completeSignIn(): Promise<void> {
  localStorage.setItem(rememberKey, 'yes')
  await loadSession()
  channel.postMessage('signed-in')
}

/** The browser has the session of another user: all tabs start again. */
export function startAnew(): void {
  channel.postMessage('switched')
  location.assign('/')
}

channel.onmessage = ({ data }) => {
  const { status } = session.get()
  if (data === 'switched') location.assign('/')
  if (data === 'signed-out') session.set({ status: 'signed-out' })
  if (data === 'signed-in' && status === 'signed-out') void loadSession()
}

onUnauthorized(() => {
  if (session.get().status === 'signed-in') end('ended')
})

onFactorMissing(() => {
  if (session.get().status === 'signed-in') void loadSession()
})

/** Returns the session; throws where the screens of signed-in users are not shown. */
export function getSignedIn(): SignedIn {
  const value = session.get()
  if (value.status !== 'signed-in') throw new Error('not signed in')
  return value
}

export function hasScope(scope: string): boolean {
  const value = session.get()
  return value.status === 'signed-in' && value.me.scopes.includes(scope)
}
