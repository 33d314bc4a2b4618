/** Signs in with a password, then asks for the workspace or the code of the second factor where the login needs them. */
import { type FormEvent, useRef, useState } from 'react'
import { api, call } from '../api/client.ts'
import type { ApiError } from '../api/errors.ts'
import { completeSignIn } from '../api/session.ts'
import { t } from '../i18n/i18n.ts'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/field.tsx'
import { describe } from '../ui/state-view.tsx'
import { Card, FormError, Notice } from './card.tsx'
import { PasswordField } from './password-field.tsx'
import { SecondFactor } from './second-factor.tsx'
import styles from './sign-in.module.css'
import { useAttempt } from './use-attempt.ts'

interface Workspace {
  id: string
  name: string
}

const hasOidcLogin = document.querySelector('meta[name="parley-oidc"]') !== null

/** Takes the reason why a login through the identity provider failed from the address. */
function takeOidcFailure(): string | undefined {
  const reason = /^#login=(\w+)$/.exec(location.hash)?.[1]
  if (reason) history.replaceState(history.state, '', location.pathname + location.search)
  return reason && t.oidcFailures[reason as keyof typeof t.oidcFailures]
}

const oidcFailure = takeOidcFailure()

export function SignIn({ reason }: { reason?: 'ended' | undefined }) {
  const [credentials, setCredentials] = useState({ email: '', password: '' })
  const [workspaces, setWorkspaces] = useState<Workspace[]>()
  const [challenge, setChallenge] = useState<string>()
  const passwordRef = useRef<HTMLInputElement>(null)
  const { isBusy, error, waitSeconds, attempt, setError } = useAttempt()

  const submit = async (tenantId?: string) => {
    const body = { ...credentials, ...(tenantId ? { tenantId } : {}) }
    const problem = await attempt(async () => {
      await call(api.POST('/auth/sessions', { body }))
      await completeSignIn()
    })
    if (problem?.code === 'auth_tenant_required') setWorkspaces(problem.members.tenants as Workspace[])
    else if (problem?.code === 'auth_second_factor_code_required')
      setChallenge(String(problem.members.challenge))
    else if (problem) passwordRef.current?.focus()
  }
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (!isBusy && waitSeconds === 0) void submit()
  }
  const restart = () => {
    setWorkspaces(undefined)
    setChallenge(undefined)
    setError(undefined)
  }
  if (challenge) return <SecondFactor challenge={challenge} onCancel={restart} />
  if (workspaces) return <WorkspaceChoice workspaces={workspaces} onChoose={submit} onCancel={restart} />
  return (
    <Card title={t.signIn}>
      {reason === 'ended' && <Notice>{t.signedOutNotice}</Notice>}
      {oidcFailure && <FormError>{oidcFailure}</FormError>}
      <form className={styles.form} onSubmit={onSubmit}>
        <TextField
          label={t.email}
          type="email"
          name="email"
          autoComplete="username"
          required
          autoFocus
          value={credentials.email}
          onChange={event => setCredentials({ ...credentials, email: event.target.value })}
        />
        <PasswordField
          ref={passwordRef}
          label={t.password}
          name="password"
          autoComplete="current-password"
          required
          value={credentials.password}
          onChange={event => setCredentials({ ...credentials, password: event.target.value })}
        />
        {error && <FormError>{describeLogin(error, waitSeconds)}</FormError>}
        <Button look="primary" type="submit" wide busy={isBusy} disabled={waitSeconds > 0}>
          {t.signIn}
        </Button>
      </form>
      {hasOidcLogin && <OidcLogin />}
    </Card>
  )
}

function OidcLogin() {
  const start = () => {
    const returnTo = encodeURIComponent(location.pathname + location.search)
    location.assign(`/v1/auth/oidc/start?returnTo=${returnTo}`)
  }
  return (
    <>
      <p className={styles.divider}>{t.or}</p>
      <Button wide onClick={start}>
        {t.singleSignOn}
      </Button>
    </>
  )
}

/** Never says which of the two was wrong. */
export function describeLogin(error: ApiError, waitSeconds: number): string {
  if (error.status === 429) return waitSeconds > 0 ? t.tooManyAttempts(waitSeconds) : t.tryAgainNow
  if (error.code === 'auth_login_failed' || error.status === 401) return t.wrongCredentials
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
    <Card title={t.chooseWorkspace}>
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
