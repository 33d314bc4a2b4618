/** Chooses an approved template, fills in its parameters, and shows what the customer will see. */
import { useEffect, useState } from 'react'
import { api, call } from '../../api/client.ts'
import { t } from '../../i18n/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Empty, Failure, Loading } from '../../ui/state-view.tsx'
import styles from './composer.module.css'
import {
  getText,
  listFields,
  type Template,
  type TemplateContent,
  type TemplateField,
  toContent,
} from './template-fields.ts'

interface PickerProps {
  inboxId: string
  onClose: () => void
  onSend: (content: TemplateContent) => void
}

export function TemplatePicker({ inboxId, onClose, onSend }: PickerProps) {
  const [templates, setTemplates] = useState<Template[]>()
  const [error, setError] = useState<unknown>()
  const [chosen, setChosen] = useState<Template>()
  useEffect(() => {
    const params = { path: { id: inboxId } }
    call(api.GET('/inboxes/{id}/chatapp/templates', { params })).then(
      page => setTemplates(page.templates.filter(({ status }) => status.toUpperCase() === 'APPROVED')),
      setError,
    )
  }, [inboxId])
  return (
    <Dialog title={chosen ? chosen.name : t.templates} open onClose={onClose}>
      {chosen ? (
        <TemplateForm template={chosen} onBack={() => setChosen(undefined)} onSend={onSend} />
      ) : error ? (
        <Failure error={error} />
      ) : !templates ? (
        <Loading rows={3} />
      ) : templates.length === 0 ? (
        <Empty title={t.noTemplates} />
      ) : (
        <ul className={styles.templates}>
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

const parts = ['header', 'body'] as const

const fill = (text: string, part: (typeof parts)[number], values: Record<string, string>) =>
  text.replace(/\{\{\s*(\w+)\s*\}\}/g, (whole, name: string) => values[`${part} ${name}`] || whole)

/** Header, body and buttons number their placeholders separately. */
function getLabel({ part, name, button }: TemplateField): string {
  if (button) return t.parameterOfButton(button.title, name)
  return part === 'header' ? t.parameterOfHeader(name) : t.parameter(name)
}

interface FormProps {
  template: Template
  onBack: () => void
  onSend: (content: TemplateContent) => void
}

function TemplateForm({ template, onBack, onSend }: FormProps) {
  const [values, setValues] = useState<Record<string, string>>({})
  const fields = listFields(template)
  const isComplete = fields.every(({ key }) => values[key]?.trim())
  const preview = parts.map(part => fill(getText(template, part), part, values)).filter(Boolean)
  return (
    <>
      {fields.map(field => (
        <TextField
          key={field.key}
          label={getLabel(field)}
          value={values[field.key] ?? ''}
          onChange={event => setValues({ ...values, [field.key]: event.target.value })}
        />
      ))}
      <p className={styles.preview}>{preview.join('\n\n')}</p>
      <Button look="primary" disabled={!isComplete} onClick={() => onSend(toContent(template, values))}>
        {t.send}
      </Button>
      <Button look="plain" onClick={onBack}>
        {t.back}
      </Button>
    </>
  )
}
