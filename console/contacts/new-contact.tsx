/** Creates a contact. The phone number is checked while it is typed; a number in use leads to its contact. */
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { api, call } from '../api/client.ts'
import { ApiError } from '../api/errors.ts'
import { t } from '../i18n/i18n.ts'
import { createKey } from '../inbox/bulk/follow-bulk.ts'
import { Button } from '../ui/controls/button.tsx'
import { TextField } from '../ui/controls/field.tsx'
import { describe } from '../ui/layout/state-view.tsx'
import { Dialog } from '../ui/overlays/dialog.tsx'
import { showToast } from '../ui/overlays/toasts.ts'
import styles from './contacts.module.css'
import { findPhoneError } from './phone.ts'
import { texts } from './texts.ts'

const empty = { name: '', phone: '', email: '' }

function toBody({ name, phone, email }: typeof empty) {
  return {
    ...(name.trim() ? { name: name.trim() } : {}),
    ...(phone.trim() ? { phone: phone.trim() } : {}),
    ...(email.trim() ? { customFields: { cf_email: email.trim() } } : {}),
  }
}

export function NewContact({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate()
  const [values, setValues] = useState(empty)
  const [key, setKey] = useState(createKey)
  const [isTyping, setTyping] = useState(true)
  const [problem, setProblem] = useState<ApiError>()
  const [isBusy, setBusy] = useState(false)
  const set = (changed: Partial<typeof empty>) => {
    setValues(before => ({ ...before, ...changed }))
    setProblem(undefined)
    setKey(createKey())
  }
  const open = (contactId: string) => {
    onClose()
    void navigate({ to: '/contacts/$contactId', params: { contactId } })
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setTyping(false)
    if (isBusy || findPhoneError(values.phone, false)) return
    setBusy(true)
    try {
      const params = { header: { 'Idempotency-Key': key } }
      const { id } = await call(api.POST('/contacts', { params, body: toBody(values) }))
      showToast({ text: texts().created, action: { label: texts().openSegment, run: () => open(id) } })
      onClose()
    } catch (error) {
      setProblem(ApiError.from(error))
      setBusy(false)
    }
  }
  const isTaken = problem?.code === 'contact_phone_taken'
  const takenBy = isTaken ? problem.members.contactId : undefined
  const violation = problem?.violations[0]
  const refused = isTaken ? texts().phoneTaken : violation ? texts().phoneErrors.invalid : undefined
  return (
    <Dialog title={texts().newContact} open onClose={onClose}>
      <form className={styles.form} onSubmit={event => void submit(event)} noValidate>
        <TextField
          label={texts().columnNames.name}
          value={values.name}
          maxLength={200}
          autoComplete="off"
          onChange={event => set({ name: event.target.value })}
        />
        <TextField
          label={texts().columnNames.phone}
          hint={texts().phoneHint}
          type="tel"
          value={values.phone}
          maxLength={60}
          autoComplete="off"
          error={findPhoneError(values.phone, isTyping) ?? refused}
          onFocus={() => setTyping(true)}
          onBlur={() => setTyping(false)}
          onChange={event => set({ phone: event.target.value })}
        />
        {typeof takenBy === 'string' && <Button onClick={() => open(takenBy)}>{texts().openThat}</Button>}
        <TextField
          label={texts().columnNames.email}
          type="email"
          value={values.email}
          maxLength={200}
          autoComplete="off"
          onChange={event => set({ email: event.target.value })}
        />
        {problem && !refused && <p role="alert">{describe(problem)}</p>}
        <div className={styles.end}>
          <Button onClick={onClose}>{t.cancel}</Button>
          <Button look="primary" type="submit" busy={isBusy}>
            {texts().create}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
