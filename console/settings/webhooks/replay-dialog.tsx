import { useState } from 'react'
import { api, call } from '../../api/client.ts'
import { formatFull } from '../../i18n/format.ts'
import { t } from '../../i18n/i18n.ts'
import { TextField } from '../../ui/controls/field.tsx'
import { showToast } from '../../ui/overlays/toasts.ts'
import { FormDialog } from '../common/form.tsx'
import { findViolation, useIntent } from '../common/tasks.ts'
import { texts } from './texts.ts'

const hourMs = 3_600_000

/** The value of a `datetime-local` field. */
function toLocal(time: Date): string {
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

/** Delivers the events since a time again. */
export function ReplayDialog({ endpointId, onClose }: { endpointId: string; onClose: () => void }) {
  const intent = useIntent()
  const [value, setValue] = useState(() => toLocal(new Date(Date.now() - hourMs)))
  const submit = async () => {
    const body = { since: new Date(value).toISOString(), endpointId }
    await call(api.POST('/webhooks/replay', { body, params: intent(body) }))
    showToast({ text: texts().replayed(formatFull(body.since)) })
  }
  return (
    <FormDialog
      title={texts().replayTitle}
      submitLabel={texts().replay}
      fields={['since']}
      onSubmit={submit}
      onClose={onClose}
    >
      {problem => (
        <TextField
          label={texts().replaySince}
          hint={`${texts().replayHint} ${t.timeZone(Intl.DateTimeFormat().resolvedOptions().timeZone)}`}
          type="datetime-local"
          required
          max={toLocal(new Date())}
          value={value}
          error={findViolation(problem, 'since')}
          onChange={event => setValue(event.target.value)}
        />
      )}
    </FormDialog>
  )
}
