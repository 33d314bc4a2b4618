/** The steps of the setup: the password, then the secret and the first code of the app. */
import { useEffect, useState } from 'react'
import { api, call } from '../../api/client.ts'
import { PasswordField } from '../../sign-in/password-field.tsx'
import { TextField } from '../../ui/controls/field.tsx'
import { lazyPart } from '../../ui/layout/lazy-part.tsx'
import { Form } from '../common/form.tsx'
import { newIntent } from '../common/tasks.ts'
import styles from '../settings.module.css'
import type { QrCodeProps } from './qr-code.tsx'
import { texts } from './texts.ts'

/** Without it, the secret and the link are enough. */
const QrCode = lazyPart<QrCodeProps>(() =>
  import('./qr-code.tsx').then(
    module => module.QrCode,
    () => () => null,
  ),
)

interface SetUpFormProps {
  onEnabled: (recoveryCodes: string[]) => Promise<void>
  onCancel: () => void
  cancelLabel?: string
}

interface Secret {
  secret: string
  uri: string
}

export function SetUpForm({ onEnabled, ...cancel }: SetUpFormProps) {
  const [password, setPassword] = useState('')
  const [found, setFound] = useState<Secret>()
  const [code, setCode] = useState('')
  useEffect(QrCode.preload, [])
  const start = async () => {
    const { secret = '', uri = '' } = await call(
      api.POST('/users/me/second-factor', { body: { password }, params: newIntent() }),
    )
    setFound({ secret, uri })
  }
  const confirm = async () => {
    const body = { code: code.trim() }
    const { recoveryCodes } = await call(
      api.POST('/users/me/second-factor/confirm', { body, params: newIntent() }),
    )
    await onEnabled(recoveryCodes ?? [])
  }
  if (!found)
    return (
      <Form
        key="password"
        onSubmit={start}
        explain={{ auth_password_wrong: texts().wrongPassword }}
        submitLabel={texts().next}
        {...cancel}
      >
        {() => (
          <PasswordField
            label={texts().confirmPassword}
            required
            maxLength={200}
            autoComplete="current-password"
            value={password}
            onChange={event => setPassword(event.target.value)}
          />
        )}
      </Form>
    )
  return (
    <Form
      key="code"
      onSubmit={confirm}
      explain={{ auth_second_factor_failed: texts().wrongCode }}
      submitLabel={texts().enable}
      {...cancel}
    >
      {() => (
        <>
          <p>{texts().secretHint}</p>
          <QrCode text={found.uri} label={texts().qrCode} />
          <output className={styles.secret} aria-label={texts().secret}>
            {found.secret}
          </output>
          <a href={found.uri}>{texts().openApp}</a>
          <TextField
            label={texts().code}
            autoFocus
            inputMode="numeric"
            autoComplete="one-time-code"
            required
            maxLength={100}
            value={code}
            onChange={event => setCode(event.target.value)}
          />
        </>
      )}
    </Form>
  )
}
