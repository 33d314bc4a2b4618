/** Chooses an approved template, asks for its values, and shows what the customer will see. */
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { api, call } from '../api/client.ts'
import type { Violation } from '../api/errors.ts'
import { t } from '../i18n/i18n.ts'
import { FormError } from '../sign-in/card.tsx'
import { Button } from '../ui/controls/button.tsx'
import { TextField } from '../ui/controls/field.tsx'
import { Empty, Failure, Loading } from '../ui/layout/state-view.tsx'
import { Dialog } from '../ui/overlays/dialog.tsx'
import {
  type FilledField,
  getText,
  isFilled,
  listFields,
  placeReasons,
  readFields,
  type Template,
  type TemplateContent,
  toContent,
} from './fields.ts'
import { TemplateInputs, type TextInputProps } from './template-inputs.tsx'
import { TemplatePreview } from './template-preview.tsx'
import styles from './templates.module.css'
import { texts } from './texts.ts'

/** Why a message was refused: as a sentence, and at its fields. */
export interface Refusal {
  reason: string
  violations: readonly Violation[]
}

interface PickerProps {
  inboxId: string
  /** A message to change, such as one that the service refused. */
  initial?: TemplateContent | undefined
  refusal?: Refusal | undefined
  isBusy?: boolean
  onClose: () => void
  onSend: (content: TemplateContent) => void
}

export function TemplatePicker({ inboxId, initial, refusal, isBusy, onClose, onSend }: PickerProps) {
  const [templates, setTemplates] = useState<Template[]>()
  const [error, setError] = useState<unknown>()
  const [chosen, setChosen] = useState<Template>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the message to change is that of the opening
  useEffect(() => {
    const params = { path: { id: inboxId } }
    call(api.GET('/inboxes/{id}/chatapp/templates', { params })).then(page => {
      const approved = page.templates.filter(({ status }) => status.toUpperCase() === 'APPROVED')
      setTemplates(approved)
      const isInitial = ({ name, language }: Template) =>
        name === initial?.template.name && language === initial.template.language
      setChosen(approved.find(isInitial))
    }, setError)
  }, [inboxId])
  return (
    <Dialog title={chosen ? chosen.name : t.templates} open onClose={onClose}>
      {chosen ? (
        <TemplateForm
          template={chosen}
          known={initial && readFields(initial.template)}
          refusal={refusal}
          isBusy={isBusy ?? false}
          onBack={() => setChosen(undefined)}
          onSend={onSend}
        />
      ) : error ? (
        <Failure error={error} />
      ) : !templates ? (
        <Loading rows={3} />
      ) : templates.length === 0 ? (
        <Empty title={texts().noTemplates} />
      ) : (
        <ul className={styles.list}>
          {templates.map(template => (
            <li key={template.id}>
              <button type="button" className={styles.template} onClick={() => setChosen(template)}>
                <strong>{template.name}</strong>
                <span className={styles.muted}>
                  {template.language} · {template.category.toLowerCase()}
                </span>
                <span>{getText(template, 'body')}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  )
}

const Text = ({ onChange, ...props }: TextInputProps) => (
  <TextField {...props} autoComplete="off" onChange={event => onChange(event.target.value)} />
)

interface FormProps {
  template: Template
  known: readonly FilledField[] | undefined
  refusal: Refusal | undefined
  isBusy: boolean
  onBack: () => void
  onSend: (content: TemplateContent) => void
}

function TemplateForm({ template, known, refusal, isBusy, onBack, onSend }: FormProps) {
  const [fields, setFields] = useState<readonly FilledField[]>(() => listFields(template, known))
  const reasons = refusal?.violations ?? []
  const errors = placeReasons(
    fields,
    reasons.map(violation => ({ path: violation.field, reason: t.describeReason(violation) })),
  )
  const isComplete = fields.every(isFilled)
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    // The list was scrolled to the template.
    form.current?.closest('[role=dialog]')?.scrollTo({ top: 0 })
    const find = (selector: string) => form.current?.querySelector<HTMLElement>(selector)
    const first = find('[aria-invalid]') ?? find('input:not([type=file]), button')
    first?.focus()
  }, [])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isComplete && !isBusy) onSend(toContent(template, fields))
  }
  return (
    <form ref={form} className={styles.form} onSubmit={submit}>
      <TemplateInputs template={template} fields={fields} errors={errors} Text={Text} onChange={setFields} />
      <TemplatePreview template={template} fields={fields} />
      {refusal && errors.size === 0 && <FormError>{refusal.reason}</FormError>}
      <div className={styles.actions}>
        <Button look="plain" onClick={onBack}>
          {t.back}
        </Button>
        <Button look="primary" type="submit" busy={isBusy} disabled={!isComplete}>
          {t.send}
        </Button>
      </div>
    </form>
  )
}
