/** Asks for the tag or value that the selected contacts get, for the journey they start, and whether they shall be deleted. */

import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { api, call } from '../../api/client.ts'
import { ApiError } from '../../api/errors.ts'
import { getSignedIn, hasScope } from '../../api/session.ts'
import { toTitle } from '../../app/field-title.ts'
import { useResource } from '../../app/use-resource.ts'
import { t } from '../../i18n/i18n.ts'
import { createKey } from '../../inbox/bulk/follow-bulk.ts'
import type { Field } from '../../segments/filter/references.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Select, TextField } from '../../ui/controls/field.tsx'
import { JourneyIcon, TagIcon, TrashIcon } from '../../ui/controls/icons.tsx'
import { describe, Failure, Loading } from '../../ui/layout/state-view.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { showToast } from '../../ui/overlays/toasts.ts'
import { Picker } from '../../ui/pickers/picker.tsx'
import styles from '../contacts.module.css'
import { texts } from '../texts.ts'
import { type ContactChange, type ContactTarget, startJourney } from './run-contact-bulk.ts'

interface DialogProps {
  onChoose: (change: ContactChange) => void
  onClose: () => void
}

export function TagPicker({ kind, onChoose, onClose }: DialogProps & { kind: 'addTag' | 'removeTag' }) {
  const choices = [...getSignedIn().tags.values()].map(({ id, name }) => ({
    id,
    label: name,
    icon: TagIcon,
    onSelect: () => onChoose({ type: kind, tagId: id }),
  }))
  const create = async (name: string) => {
    try {
      const params = { header: { 'Idempotency-Key': createKey() } }
      const { id } = await call(api.POST('/tags', { params, body: { name } }))
      onChoose({ type: kind, tagId: id })
    } catch (error) {
      showToast({ text: describe(ApiError.from(error)), tone: 'danger' })
    }
  }
  const canCreate = kind === 'addTag' && hasScope('tag:create')
  return (
    <Picker
      title={texts().bulk[kind]}
      choices={choices}
      onClose={onClose}
      create={canCreate ? { label: texts().createTag, run: name => void create(name) } : undefined}
    />
  )
}

export function FieldDialog({ fields, onChoose, onClose }: DialogProps & { fields: readonly Field[] }) {
  const [fieldId, setFieldId] = useState(fields[0]?.id ?? '')
  const [value, setValue] = useState('')
  const field = fields.find(({ id }) => id === fieldId)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onChoose({ type: 'setField', fieldId, value: value.trim() })
  }
  return (
    <Dialog title={texts().bulk.setField} open onClose={onClose}>
      <form className={styles.form} onSubmit={submit}>
        <Select label={texts().field} value={fieldId} onChange={event => setFieldId(event.target.value)}>
          {fields.map(({ id, name }) => (
            <option key={id} value={id}>
              {toTitle(name)}
            </option>
          ))}
        </Select>
        <TextField
          label={texts().value}
          hint={texts().valueHint}
          type={field?.type === 'date' ? 'date' : 'text'}
          value={value}
          maxLength={1_000}
          onChange={event => setValue(event.target.value)}
        />
        <div className={styles.end}>
          <Button onClick={onClose}>{t.cancel}</Button>
          <Button look="primary" type="submit" disabled={fieldId === ''}>
            {texts().apply}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

/** Offers the active journeys, or says that none is active; the selection is kept until the service has accepted. */
export function JourneyPicker({ target, onClose }: { target: ContactTarget; onClose: () => void }) {
  const query = { status: 'active' as const, pageSize: 100 }
  const { data, error, reload } = useResource('active-journeys', () =>
    call(api.GET('/journeys', { params: { query } })),
  )
  if (!data?.journeys.length)
    return (
      <Dialog title={texts().bulk.startJourney} open onClose={onClose}>
        {data ? (
          <div className={styles.form}>
            <p>{texts().noActiveJourney}</p>
            <Link to="/journeys">{texts().openJourneys}</Link>
          </div>
        ) : error === undefined ? (
          <Loading rows={1} />
        ) : (
          <Failure error={error} onRetry={reload} />
        )}
      </Dialog>
    )
  const choices = data.journeys.map(({ id, name }) => ({
    id,
    label: name,
    icon: JourneyIcon,
    onSelect: () => void startJourney(target, { id, name }),
  }))
  return <Picker title={texts().bulk.startJourney} choices={choices} onClose={onClose} />
}

export function DeleteDialog({ total, onChoose, onClose }: DialogProps & { total: string }) {
  return (
    <Dialog title={texts().deleteQuestion(total)} open onClose={onClose}>
      <p>{texts().deleteHint}</p>
      <div className={styles.end}>
        <Button onClick={onClose}>{t.cancel}</Button>
        <Button look="danger" icon={TrashIcon} onClick={() => onChoose({ type: 'delete' })}>
          {texts().remove}
        </Button>
      </div>
    </Dialog>
  )
}
