/** Chooses an approved template, fills in its parameters, and shows what the customer will see. */
import { useEffect, useState } from 'react'
import { api, call, type Schemas } from '../../api/client.ts'
import { t } from '../../i18n/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Empty, Failure, Loading } from '../../ui/state-view.tsx'
import styles from './composer.module.css'

type Template = Schemas['ChatappTemplate']
type TemplateContent = Schemas['OutboundMessageContentTemplate']

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
                <span>{getText(template, 'BODY')}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  )
}

const parts = ['HEADER', 'BODY'] as const
type Part = (typeof parts)[number]

function getText({ components }: Template, part: Part): string {
  return components.find(({ type }) => type.toUpperCase() === part)?.text ?? ''
}

/** Returns the names of the placeholders, such as 1 or first_name, in their order. */
export function findPlaceholders(text: string): string[] {
  return [...new Set([...text.matchAll(/\{\{\s*(\w+)\s*\}\}/g)].map(match => match[1]!))]
}

const fill = (text: string, part: Part, values: Record<string, string>) =>
  text.replace(/\{\{\s*(\w+)\s*\}\}/g, (whole, name: string) => values[`${part} ${name}`] || whole)

interface FormProps {
  template: Template
  onBack: () => void
  onSend: (content: TemplateContent) => void
}

function TemplateForm({ template, onBack, onSend }: FormProps) {
  const [values, setValues] = useState<Record<string, string>>({})
  const fields = parts.flatMap(part =>
    findPlaceholders(getText(template, part)).map(name => ({ part, name })),
  )
  const isComplete = fields.every(({ part, name }) => values[`${part} ${name}`]?.trim())
  const preview = parts.map(part => fill(getText(template, part), part, values)).filter(Boolean)
  return (
    <>
      {fields.map(({ part, name }) => (
        <TextField
          key={`${part} ${name}`}
          label={t.parameter(name)}
          value={values[`${part} ${name}`] ?? ''}
          onChange={event => setValues({ ...values, [`${part} ${name}`]: event.target.value })}
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

function toContent(template: Template, values: Record<string, string>): TemplateContent {
  const components = parts.flatMap(part => {
    const names = findPlaceholders(getText(template, part))
    if (names.length === 0) return []
    const parameters = names.map(name => ({
      type: 'text' as const,
      text: values[`${part} ${name}`]!.trim(),
      ...(/^\d+$/.test(name) ? {} : { name }),
    }))
    return [{ type: part === 'HEADER' ? ('header' as const) : ('body' as const), parameters }]
  })
  const { name, language } = template
  return { type: 'template', template: { name, language, ...(components.length > 0 ? { components } : {}) } }
}
