/** Shows the form while nobody is signed in, at any address: after signing in, the address opens. */
import { Outlet, useLocation, useNavigate } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { startRealtime } from '../api/realtime.ts'
import { loadSession, type SignedIn, session } from '../api/session.ts'
import { startInbox } from '../inbox/state/start-inbox.ts'
import { startNotifications } from '../notifications/notifications.ts'
import { lazyPart } from '../ui/lazy-part.tsx'
import { Failure } from '../ui/state-view.tsx'
import { startPreferences } from './preferences.ts'
import { Shell } from './shell.tsx'
import { useStore } from './store.ts'
import { startUnread } from './unread.ts'

const loadForms = () => import('../sign-in/forms.ts')
const Invitation = lazyPart<{ onDone: () => void }>(async () => (await loadForms()).Invitation)
const ResetPassword = lazyPart<{ onDone: () => void }>(async () => (await loadForms()).ResetPassword)
const SignIn = lazyPart<{ reason?: 'ended' | undefined }>(async () => (await loadForms()).SignIn)

export function Root() {
  const value = useStore(session)
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const goHome = () => void navigate({ to: '/inbox', replace: true })
  if (pathname === '/invitation' && location.hash) return <Invitation onDone={goHome} />
  if (pathname === '/reset-password' && location.hash) return <ResetPassword onDone={goHome} />
  if (pathname === '/console/kit') return <Outlet />
  if (value.status === 'loading') return null
  if (value.status === 'failed') return <Failure error={value.error} onRetry={() => void loadSession()} />
  if (value.status === 'signed-out') return <SignIn reason={value.reason} />
  return (
    <Live key={`${value.workspace.id} ${value.me.id}`} session={value}>
      <Shell session={value} />
    </Live>
  )
}

/** Follows events while the screens of a signed-in user are shown. The connection starts after its listeners. */
function Live({ session: signedIn, children }: { session: SignedIn; children: ReactNode }) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: a session that is read again does not start a second connection
  useEffect(() => {
    const { preferences, unread, seq } = signedIn
    const stops = [
      startPreferences(preferences),
      startUnread(unread),
      startInbox(),
      startNotifications(),
      startRealtime(seq),
    ]
    return () => {
      for (const stop of stops.reverse()) stop()
    }
  }, [])
  return children
}
