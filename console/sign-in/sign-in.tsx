/** Signs in with a password, then asks for the workspace or the code of the second factor where the login needs them. */
import { type FormEvent, useRef, useState } from 'react'
import { api, call } from '../api/client.ts'
import { ApiError } from '../api/errors.ts'
import { completeSignIn, getSignedIn, startAnew } from '../api/session.ts'
import { t } from '../i18n/i18n.ts'
import { useOutbox } from '../inbox/state/outbox.ts'
import { Button } from '../ui/controls/button.tsx'
import { TextField } from '../ui/controls/field.tsx'
import { describe } from '../ui/layout/state-view.tsx'
import { Card, FormError, Notice } from './card.tsx'
import { PasswordField } from './password-field.tsx'
import { SecondFactor } from './second-factor.tsx'
import styles from './sign-in.module.css'
import { texts } from './texts.ts'
import { describeWait, useAttempt } from './use-attempt.ts'

interface Workspace {
  id: string
  name: string
}

const hasOidcLogin = document.querySelector('meta[name="parley-oidc"]') !== null

/** Takes the reason why a login through the identity provider failed from the address. */
function takeOidcFailure(): string | undefined {
  const reason = /^#login=(\w+)$/.exec(location.hash)?.[1]
  if (reason) history.replaceState(history.state, '', location.pathname + location.search)
  return reason && (texts().oidcFailures as Record<string, string>)[reason]
}

const oidcFailure = takeOidcFailure()

/** The session that goes on until the one in another workspace has begun. */
interface Present {
  userId: string
  email: string
  workspace: Workspace
  /** Its messages are still being sent, which only its session can do. */
  isSending: boolean
  onClose: () => void
}

export function OtherWorkspace({ onClose }: { onClose: () => void }) {
  const [{ me, workspace }] = useState(getSignedIn)
  const isSending = useOutbox().some(({ error }) => !error)
  return <SignIn present={{ userId: me.id, email: me.email, workspace, isSending, onClose }} />
}

async function enter(present: Present | undefined): Promise<void> {
  if (!present) {
    await completeSignIn()
    if (location.pathname === '/sign-in') location.replace('/')
    return
  }
  const { id } = await call(api.GET('/users/me'))
  if (id === present.userId) throw new ApiError(409, { code: 'same_workspace' })
  startAnew()
}

interface SignInProps {
  reason?: 'ended' | undefined
  present?: Present
}

export function SignIn({ reason, present }: SignInProps) {
  const [credentials, setCredentials] = useState({ email: present?.email ?? '', password: '' })
  const [workspaces, setWorkspaces] = useState<Workspace[]>()
  const [challenge, setChallenge] = useState<string>()
  const passwordRef = useRef<HTMLInputElement>(null)
  const { isBusy, error, waitSeconds, attempt, setError } = useAttempt()

  const submit = async (tenantId?: string): Promise<void> => {
    const body = { ...credentials, ...(tenantId ? { tenantId } : {}) }
    const problem = await attempt(async () => {
      await call(api.POST('/auth/sessions', { body }))
      await enter(present)
    })
    if (problem?.code === 'auth_tenant_required') {
      const tenants = problem.members.tenants as Workspace[]
      const others = tenants.filter(({ id }) => id !== present?.workspace.id)
      if (others.length === 1) return submit(others[0]!.id)
      setWorkspaces(others)
    } else if (problem?.code === 'auth_second_factor_code_required')
      setChallenge(String(problem.members.challenge))
    else if (problem) passwordRef.current?.focus()
  }
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (!isBusy && waitSeconds === 0 && !present?.isSending) void submit()
  }
  const restart = () => {
    setWorkspaces(undefined)
    setChallenge(undefined)
    setError(undefined)
  }
  if (challenge)
    return <SecondFactor challenge={challenge} onEnter={() => enter(present)} onCancel={restart} />
  if (workspaces) return <WorkspaceChoice workspaces={workspaces} onChoose={submit} onCancel={restart} />
  return (
    <Card title={present ? t.otherWorkspace : t.signIn}>
      {present && <Notice>{texts().staysSignedIn(present.workspace.name)}</Notice>}
      {reason === 'ended' && <Notice>{texts().signedOutNotice}</Notice>}
      {oidcFailure && <FormError>{oidcFailure}</FormError>}
      <form className={styles.form} onSubmit={onSubmit}>
        <TextField
          label={texts().email}
          type="email"
          name="email"
          autoComplete="username"
          required
          autoFocus={!present}
          value={credentials.email}
          onChange={event => setCredentials({ ...credentials, email: event.target.value })}
        />
        <PasswordField
          ref={passwordRef}
          label={texts().password}
          name="password"
          autoComplete="current-password"
          required
          autoFocus={present !== undefined}
          value={credentials.password}
          onChange={event => setCredentials({ ...credentials, password: event.target.value })}
        />
        {error && <FormError>{describeLogin(error, waitSeconds, present)}</FormError>}
        {present?.isSending && <Notice>{texts().stillSending}</Notice>}
        <Button
          look="primary"
          type="submit"
          wide
          busy={isBusy}
          disabled={waitSeconds > 0 || present?.isSending === true}
        >
          {t.signIn}
        </Button>
      </form>
      {hasOidcLogin && <OidcLogin returnTo={present ? '/' : location.pathname + location.search} />}
      {present && (
        <Button look="plain" onClick={present.onClose}>
          {t.back}
        </Button>
      )}
    </Card>
  )
}

function OidcLogin({ returnTo }: { returnTo: string }) {
  const start = () => {
    location.assign(`/v1/auth/oidc/start?returnTo=${encodeURIComponent(returnTo)}`)
  }
  return (
    <>
      <p className={styles.divider}>{texts().or}</p>
      <Button wide onClick={start}>
        {texts().singleSignOn}
      </Button>
    </>
  )
}

/** Never says which of the two was wrong. */
function describeLogin(error: ApiError, waitSeconds: number, present: Present | undefined): string {
  if (error.code === 'same_workspace' && present) return texts().opensOnly(present.workspace.name)
  if (error.status === 429) return describeWait(waitSeconds)
  if (error.code === 'auth_login_failed' || error.status === 401) return texts().wrongCredentials
  return describe(error)
}

function WorkspaceChoice({
  workspaces,
  onChoose,
  onCancel,
}: {
  workspaces: Workspace[]
  onChoose: (id: string) => void
  onCancel: () => void
}) {
  return (
    <Card title={texts().chooseWorkspace}>
      <ul className={styles.choices}>
        {workspaces.map(({ id, name }, position) => (
          <li key={id}>
            <Button wide autoFocus={position === 0} onClick={() => onChoose(id)}>
              {name}
            </Button>
          </li>
        ))}
      </ul>
      <Button look="plain" onClick={onCancel}>
        {t.back}
      </Button>
    </Card>
  )
}
