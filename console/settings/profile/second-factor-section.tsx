/** Sets up, renews and disables the second factor of the user. */
import { useState } from 'react'
import { api, call } from '../../api/client.ts'
import { PasswordField } from '../../sign-in/password-field.tsx'
import { Status } from '../../ui/controls/badge.tsx'
import { Button } from '../../ui/controls/button.tsx'
import { showToast } from '../../ui/overlays/toasts.ts'
import { FormDialog } from '../common/form.tsx'
import { newIntent } from '../common/tasks.ts'
import { Loaded, useLoaded } from '../common/use-loaded.tsx'
import { Section } from '../section.tsx'
import styles from '../settings.module.css'
import { RecoveryCodes } from './recovery-codes.tsx'
import { SetUpDialog } from './set-up-dialog.tsx'
import { texts } from './texts.ts'

type Open = 'set-up' | 'codes' | 'disable'

export function SecondFactorSection({ onChanged }: { onChanged: () => void }) {
  const state = useLoaded(() => call(api.GET('/users/me/second-factor')))
  const [open, setOpen] = useState<Open>()
  const [codes, setCodes] = useState<string[]>()
  const close = () => setOpen(undefined)
  const showCodes = async (next: string[]) => {
    setCodes(next)
    await state.reload()
  }
  return (
    <Section title={texts().factor}>
      <p className={styles.muted}>{texts().factorHint}</p>
      <Loaded state={state} rows={1}>
        {({ enabled, recoveryCodesLeft, required }) => (
          <>
            <p className={styles.name}>
              <Status tone={enabled ? 'success' : 'warning'}>
                {enabled ? texts().factorOn : texts().factorOff}
              </Status>
              {enabled && texts().codesLeft(recoveryCodesLeft)}
            </p>
            <div className={styles.name}>
              {!enabled && <Button onClick={() => setOpen('set-up')}>{texts().setUp}</Button>}
              {enabled && <Button onClick={() => setOpen('codes')}>{texts().newCodes}</Button>}
              {enabled && !required && (
                <Button look="danger" onClick={() => setOpen('disable')}>
                  {texts().disable}
                </Button>
              )}
            </div>
            {enabled && required && <p className={styles.muted}>{texts().mandatory}</p>}
          </>
        )}
      </Loaded>
      {open === 'set-up' && (
        <SetUpDialog
          onClose={close}
          onEnabled={async next => {
            await showCodes(next)
            onChanged()
          }}
        />
      )}
      {open === 'codes' && <NewCodesDialog onClose={close} onCodes={showCodes} />}
      {open === 'disable' && <DisableDialog onClose={close} onDisabled={state.reload} />}
      {codes && <RecoveryCodes codes={codes} onClose={() => setCodes(undefined)} />}
    </Section>
  )
}

interface PasswordDialogProps {
  title: string
  danger?: boolean
  onSubmit: (password: string) => Promise<void>
  onClose: () => void
}

function PasswordDialog({ title, danger, onSubmit, onClose }: PasswordDialogProps) {
  const [password, setPassword] = useState('')
  return (
    <FormDialog
      title={title}
      submitLabel={title}
      {...(danger ? { danger } : {})}
      explain={{ auth_password_wrong: texts().wrongPassword }}
      onSubmit={() => onSubmit(password)}
      onClose={onClose}
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
    </FormDialog>
  )
}

function NewCodesDialog({
  onClose,
  onCodes,
}: {
  onClose: () => void
  onCodes: (codes: string[]) => Promise<void>
}) {
  const submit = async (password: string) => {
    const { recoveryCodes } = await call(
      api.POST('/users/me/second-factor/recovery-codes', { body: { password }, params: newIntent() }),
    )
    await onCodes(recoveryCodes ?? [])
  }
  return <PasswordDialog title={texts().newCodes} onSubmit={submit} onClose={onClose} />
}

function DisableDialog({ onClose, onDisabled }: { onClose: () => void; onDisabled: () => Promise<void> }) {
  const submit = async (password: string) => {
    await call(api.POST('/users/me/second-factor/disable', { body: { password }, params: newIntent() }))
    showToast({ text: texts().disabled })
    await onDisabled()
  }
  return <PasswordDialog title={texts().disableTitle} danger onSubmit={submit} onClose={onClose} />
}
