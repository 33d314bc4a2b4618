import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { api, call } from '../../api/client.ts'
import { ApiError } from '../../api/errors.ts'
import { t } from '../../i18n/i18n.ts'
import { createKey } from '../../inbox/bulk/follow-bulk.ts'
import { Button } from '../../ui/controls/button.tsx'
import { TextField } from '../../ui/controls/field.tsx'
import { TrashIcon } from '../../ui/controls/icons.tsx'
import { describe } from '../../ui/layout/state-view.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { showToast } from '../../ui/overlays/toasts.ts'
import contacts from '../contacts.module.css'
import { texts } from './texts.ts'

/** Typing the name proves that the user means this contact. */
export function EraseContact({
  contactId,
  name,
  onClose,
}: {
  contactId: string
  name: string
  onClose: () => void
}) {
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  const [problem, setProblem] = useState<ApiError>()
  const [isBusy, setBusy] = useState(false)
  const [key, setKey] = useState(createKey)
  const isConfirmed = typed.trim() === name.trim()
  const erase = async (event: FormEvent) => {
    event.preventDefault()
    if (!isConfirmed || isBusy) return
    setBusy(true)
    try {
      const params = { path: { id: contactId }, header: { 'Idempotency-Key': key } }
      await call(api.POST('/contacts/{id}/erase', { params }))
      showToast({ text: texts().erased })
      void navigate({ to: '/contacts' })
    } catch (error) {
      const failure = ApiError.from(error)
      if (!failure.isTemporary) setKey(createKey())
      setProblem(failure)
      setBusy(false)
    }
  }
  return (
    <Dialog title={texts().eraseTitle(name)} open onClose={onClose}>
      <form className={contacts.form} onSubmit={event => void erase(event)}>
        <p>{texts().eraseHint}</p>
        <TextField
          label={texts().typeToErase(name)}
          value={typed}
          autoComplete="off"
          error={problem && describe(problem)}
          onChange={event => setTyped(event.target.value)}
        />
        <div className={contacts.end}>
          <Button onClick={onClose}>{t.cancel}</Button>
          <Button look="danger" icon={TrashIcon} type="submit" busy={isBusy} disabled={!isConfirmed}>
            {texts().eraseNow}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
