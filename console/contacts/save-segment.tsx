import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { api, call } from '../api/client.ts'
import { ApiError } from '../api/errors.ts'
import { t } from '../i18n/i18n.ts'
import { createKey } from '../inbox/bulk/follow-bulk.ts'
import type { Filter } from '../segments/filter/conditions.ts'
import { Button } from '../ui/controls/button.tsx'
import { TextField } from '../ui/controls/field.tsx'
import { describeRefusal } from '../ui/layout/state-view.tsx'
import { Dialog } from '../ui/overlays/dialog.tsx'
import { showToast } from '../ui/overlays/toasts.ts'
import styles from './contacts.module.css'
import { texts } from './texts.ts'

export interface SaveSegmentProps {
  filter: Filter
  onClose: () => void
}

export function SaveSegment({ filter, onClose }: SaveSegmentProps) {
  const navigate = useNavigate()
  const [name, setName] = useState('')
  const [key, setKey] = useState(createKey)
  const [problem, setProblem] = useState<ApiError>()
  const [isBusy, setBusy] = useState(false)
  const save = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    try {
      const params = { header: { 'Idempotency-Key': key } }
      const { id } = await call(api.POST('/segments', { params, body: { name: name.trim(), filter } }))
      const open = () => void navigate({ to: '/segments/$segmentId', params: { segmentId: id } })
      showToast({
        text: texts().segmentSaved(name.trim()),
        action: { label: texts().openSegment, run: open },
      })
      onClose()
    } catch (error) {
      const failure = ApiError.from(error)
      if (!failure.isTemporary) setKey(createKey())
      setProblem(failure)
      setBusy(false)
    }
  }
  return (
    <Dialog title={texts().saveAsSegment} open onClose={onClose}>
      <form className={styles.form} onSubmit={event => void save(event)}>
        <TextField
          label={texts().segmentName}
          value={name}
          required
          maxLength={200}
          autoComplete="off"
          error={problem && describeRefusal(problem)}
          onChange={event => {
            setKey(createKey())
            setName(event.target.value)
          }}
        />
        <div className={styles.end}>
          <Button onClick={onClose}>{t.cancel}</Button>
          <Button look="primary" type="submit" busy={isBusy} disabled={name.trim() === ''}>
            {t.save}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
