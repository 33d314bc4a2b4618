import { type FormEvent, useState } from 'react'
import { api, call } from '../api/client.ts'
import { completeSignIn } from '../api/session.ts'
import { t } from '../i18n/i18n.ts'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/field.tsx'
import { describe } from '../ui/state-view.tsx'
import { Card, FormError } from './card.tsx'
import styles from './sign-in.module.css'
import { useAttempt } from './use-attempt.ts'

export function SecondFactor({ challenge, onCancel }: { challenge: string; onCancel: () => void }) {
  const [code, setCode] = useState('')
  const { isBusy, error, attempt } = useAttempt()
  const onSubmit = async (event: FormEvent) => {
    event.preventDefault()
    await attempt(async () => {
      await call(api.POST('/auth/sessions/second-factor', { body: { challenge, code: code.trim() } }))
      await completeSignIn()
    })
  }
  return (
    <Card title={t.enterCode}>
      <form className={styles.form} onSubmit={onSubmit}>
        <TextField
          label={t.code}
          hint={t.codeHint}
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          required
          autoFocus
          value={code}
          onChange={event => setCode(event.target.value)}
        />
        {error && <FormError>{error.status === 401 ? t.wrongCode : describe(error)}</FormError>}
        <Button look="primary" type="submit" wide busy={isBusy}>
          {t.signIn}
        </Button>
        <Button look="plain" onClick={onCancel}>
          {t.back}
        </Button>
      </form>
    </Card>
  )
}
