/** Accepts an invitation, or sets a new password. The one-time token is in the fragment, which servers never receive. */
import { type FormEvent, useState } from 'react'
import { api, call } from '../api/client.ts'
import { completeSignIn } from '../api/session.ts'
import { t } from '../i18n/i18n.ts'
import { Button } from '../ui/controls/button.tsx'
import { TextField } from '../ui/controls/field.tsx'
import { describe } from '../ui/layout/state-view.tsx'
import { Card, FormError, Notice } from './card.tsx'
import { PasswordField } from './password-field.tsx'
import styles from './sign-in.module.css'
import { texts } from './texts.ts'
import { useAttempt } from './use-attempt.ts'

const readToken = () => decodeURIComponent(location.hash.slice(1))

/** Creates the user, then the session of the browser: the tokens of the response are used once and revoked. */
async function acceptInvitation(token: string, name: string, password: string): Promise<void> {
  const body = { token, name, password }
  const { accessToken, user } = await call(api.POST('/auth/invitations/accept', { body }))
  const headers = { authorization: `Bearer ${accessToken}` }
  const { tenantId } = await call(api.GET('/me', { headers }))
  await call(api.POST('/auth/sessions', { body: { email: user.email, password, tenantId } }))
  await call(api.POST('/auth/logout', { headers })).catch(() => {})
}

export function Invitation({ onDone }: { onDone: () => void }) {
  const [token] = useState(readToken)
  const [values, setValues] = useState({ name: '', password: '' })
  const { isBusy, error, attempt } = useAttempt()
  const onSubmit = async (event: FormEvent) => {
    event.preventDefault()
    const problem = await attempt(async () => {
      await acceptInvitation(token, values.name, values.password)
      await completeSignIn()
    })
    if (!problem) onDone()
  }
  const violation = (field: string) => {
    const found = error?.violations.find(item => item.field.endsWith(field))
    return found && t.describeReason(found)
  }
  return (
    <Card title={texts().acceptInvitation}>
      <form className={styles.form} onSubmit={onSubmit}>
        <TextField
          label={texts().yourName}
          name="name"
          autoComplete="name"
          required
          autoFocus
          error={violation('name')}
          value={values.name}
          onChange={event => setValues({ ...values, name: event.target.value })}
        />
        <PasswordField
          label={t.newPassword}
          hint={t.passwordHint}
          autoComplete="new-password"
          required
          error={violation('password')}
          value={values.password}
          onChange={event => setValues({ ...values, password: event.target.value })}
        />
        {error && error.violations.length === 0 && (
          <FormError>
            {error.code === 'auth_invitation_invalid' ? texts().invitationInvalid : describe(error)}
          </FormError>
        )}
        <Button look="primary" type="submit" wide busy={isBusy}>
          {texts().join}
        </Button>
      </form>
    </Card>
  )
}

export function ResetPassword({ onDone }: { onDone: () => void }) {
  const [token] = useState(readToken)
  const [password, setPassword] = useState('')
  const [isDone, setDone] = useState(false)
  const { isBusy, error, attempt } = useAttempt()
  const onSubmit = async (event: FormEvent) => {
    event.preventDefault()
    const problem = await attempt(() => call(api.POST('/auth/password-reset', { body: { token, password } })))
    if (!problem) setDone(true)
  }
  if (isDone)
    return (
      <Card title={texts().passwordChanged}>
        <Notice>{texts().passwordChangedNotice}</Notice>
        <Button look="primary" wide autoFocus onClick={onDone}>
          {t.signIn}
        </Button>
      </Card>
    )
  return (
    <Card title={texts().choosePassword}>
      <form className={styles.form} onSubmit={onSubmit}>
        <PasswordField
          label={t.newPassword}
          hint={t.passwordHint}
          autoComplete="new-password"
          required
          autoFocus
          error={error?.violations[0] && t.describeReason(error.violations[0])}
          value={password}
          onChange={event => setPassword(event.target.value)}
        />
        {error && error.violations.length === 0 && (
          <FormError>
            {error.code === 'auth_password_reset_invalid' ? texts().resetInvalid : describe(error)}
          </FormError>
        )}
        <Button look="primary" type="submit" wide busy={isBusy}>
          {texts().savePassword}
        </Button>
      </form>
    </Card>
  )
}
