import { type FormEvent, useState } from 'react'
import { api, call } from '../api/client.ts'
import type { ApiError } from '../api/errors.ts'
import { t } from '../i18n/i18n.ts'
import { Button } from '../ui/controls/button.tsx'
import { TextField } from '../ui/controls/field.tsx'
import { describe } from '../ui/layout/state-view.tsx'
import { Card, FormError } from './card.tsx'
import styles from './sign-in.module.css'
import { texts } from './texts.ts'
import { describeWait, useAttempt } from './use-attempt.ts'

interface SecondFactorProps {
  challenge: string
  /** Begins with the session that the code has completed. */
  onEnter: () => Promise<void>
  onCancel: () => void
}

export function SecondFactor({ challenge, onEnter, onCancel }: SecondFactorProps) {
  const [code, setCode] = useState('')
  const { isBusy, error, waitSeconds, attempt } = useAttempt()
  const onSubmit = async (event: FormEvent) => {
    event.preventDefault()
    if (isBusy || waitSeconds > 0) return
    await attempt(async () => {
      await call(api.POST('/auth/sessions/second-factor', { body: { challenge, code: code.trim() } }))
      await onEnter()
    })
  }
  return (
    <Card title={texts().enterCode}>
      <form className={styles.form} onSubmit={onSubmit}>
        <TextField
          label={texts().code}
          hint={texts().codeHint}
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          required
          autoFocus
          value={code}
          onChange={event => setCode(event.target.value)}
        />
        {error && <FormError>{describeCode(error, waitSeconds)}</FormError>}
        <Button look="primary" type="submit" wide busy={isBusy} disabled={waitSeconds > 0}>
          {t.signIn}
        </Button>
        <Button look="plain" onClick={onCancel}>
          {t.back}
        </Button>
      </form>
    </Card>
  )
}

function describeCode(error: ApiError, waitSeconds: number): string {
  if (error.status === 429) return describeWait(waitSeconds)
  if (error.code === 'auth_challenge_expired') return texts().loginExpired
  return error.status === 401 ? texts().wrongCode : describe(error)
}
