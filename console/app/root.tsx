/** Shows the form while nobody is signed in, at any address: after signing in, the address opens. */
import { Outlet, useLocation, useNavigate } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useEffect } from 'react'
import type { ApiError } from '../api/errors.ts'
import { startRealtime } from '../api/realtime.ts'
import { loadSession, type SignedIn, session } from '../api/session.ts'
import { startSessionSync } from '../api/session-sync.ts'
import { t } from '../i18n/i18n.ts'
import { startInbox } from '../inbox/state/start-inbox.ts'
import { startNotifications } from '../notifications/notifications.ts'
import { Card } from '../sign-in/card.tsx'
import { lazyPart } from '../ui/layout/lazy-part.tsx'
import { Failure } from '../ui/layout/state-view.tsx'
import { startPreferences } from './preferences.ts'
import { Shell } from './shell.tsx'
import { useStore } from './store.ts'
import { startUnread } from './unread.ts'

const loadForms = () => import('../sign-in/forms.ts')
const Invitation = lazyPart<{ onDone: () => void }>(async () => (await loadForms()).Invitation)
const ResetPassword = lazyPart<{ onDone: () => void }>(async () => (await loadForms()).ResetPassword)
const SignIn = lazyPart<{ reason?: 'ended' | undefined }>(async () => (await loadForms()).SignIn)
/** Not preloaded: users who are signed in do not need it. */
const RequiredSecondFactor = lazy(async () => ({
  default: (await import('../settings/profile/required-second-factor.tsx')).RequiredSecondFactor,
}))
const OtherWorkspace = lazyPart<{ onClose: () => void }>(async () => (await loadForms()).OtherWorkspace)

export function Root() {
  const value = useStore(session)
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const goHome = () => void navigate({ to: '/inbox', replace: true })
  if (pathname === '/invitation' && location.hash) return <Invitation onDone={goHome} />
  if (pathname === '/reset-password' && location.hash) return <ResetPassword onDone={goHome} />
  if (pathname === '/console/kit') return <Outlet />
  if (value.status === 'loading') return null
  if (value.status === 'failed' && value.error.code === 'auth_second_factor_missing')
    return (
      <Suspense fallback={null}>
        <RequiredSecondFactor />
      </Suspense>
    )
  if (value.status === 'failed') return <StartFailure error={value.error} />
  if (value.status === 'signed-out') return <SignIn reason={value.reason} />
  return (
    <Live key={`${value.workspace.id} ${value.me.id}`} session={value}>
      {pathname === '/sign-in' ? <OtherWorkspace onClose={goHome} /> : <Shell session={value} />}
    </Live>
  )
}

const retryMs = 3_000

/** The first request failed: it is repeated while the service may come back. */
function StartFailure({ error }: { error: ApiError }) {
  useEffect(() => {
    if (!error.isTemporary) return
    const timer = setTimeout(loadSession, retryMs)
    return () => clearTimeout(timer)
  }, [error])
  return (
    <Card title={t.startFailed}>
      <Failure error={error} onRetry={() => void loadSession()} />
    </Card>
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
      startSessionSync(),
      startRealtime(seq),
    ]
    return () => {
      for (const stop of stops.reverse()) stop()
    }
  }, [])
  return children
}
