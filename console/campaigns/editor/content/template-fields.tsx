/** Chooses an approved template of the inbox and fills in its placeholders, which may contain values of the recipient. */
import { api, call } from '../../../api/client.ts'
import { getSignedIn } from '../../../api/session.ts'
import { useResource } from '../../../app/use-resource.ts'
import { t } from '../../../i18n/i18n.ts'
import { findPlaceholders } from '../../../inbox/composer/template-fields.ts'
import { Select } from '../../../ui/field.tsx'
import { Failure, Loading } from '../../../ui/state-view.tsx'
import styles from '../../campaigns.module.css'
import { texts } from '../texts.ts'
import type { ContentDraft, Template, TemplateField } from './content-draft.ts'
import { PlaceholderField } from './placeholder-field.tsx'

type TemplateDraft = ContentDraft['template']

interface TemplateFieldsProps {
  inboxId: string | null
  template: TemplateDraft
  onChange: (template: TemplateDraft) => void
}

export function TemplateFields(props: TemplateFieldsProps) {
  const { inboxId } = props
  const hasTemplates = inboxId !== null && getSignedIn().inboxes.get(inboxId)?.channel === 'chatapp'
  if (!hasTemplates) return <p className={styles.muted}>{texts().templatesNeedInbox}</p>
  return <Chooser {...props} inboxId={inboxId} />
}

const toId = ({ name, language }: Pick<Template, 'name' | 'language'>) => `${name} ${language}`

function Chooser({ inboxId, template, onChange }: TemplateFieldsProps & { inboxId: string }) {
  const params = { path: { id: inboxId } }
  const { data, error, reload } = useResource(inboxId, () =>
    call(api.GET('/inboxes/{id}/chatapp/templates', { params })),
  )
  if (error !== undefined) return <Failure error={error} onRetry={reload} />
  if (!data) return <Loading rows={1} />
  const approved = data.templates.filter(({ status }) => status.toUpperCase() === 'APPROVED')
  const chosen = approved.find(item => toId(item) === toId(template))
  const choose = (id: string) => {
    const found = approved.find(item => toId(item) === id)
    if (found) onChange({ name: found.name, language: found.language, fields: listFields(found, []) })
  }
  const fields = chosen ? listFields(chosen, template.fields) : template.fields
  const setValue = (changed: TemplateField, value: string) =>
    onChange({ ...template, fields: fields.map(field => (field === changed ? { ...field, value } : field)) })
  return (
    <>
      <Select
        label={texts().template}
        value={template.name === '' ? '' : toId(template)}
        hint={chosen && getText(chosen, 'BODY')}
        onChange={event => choose(event.target.value)}
      >
        <option value="">{texts().chooseTemplate}</option>
        {template.name !== '' && !chosen && <option value={toId(template)}>{template.name}</option>}
        {approved.map(item => (
          <option key={item.id} value={toId(item)}>
            {item.name} · {item.language}
          </option>
        ))}
      </Select>
      {fields.map(field => (
        <PlaceholderField
          key={`${field.part} ${field.name}`}
          label={toLabel(field)}
          maxLength={1_024}
          value={field.value}
          onChange={value => setValue(field, value)}
        />
      ))}
    </>
  )
}

function toLabel({ part, name }: TemplateField): string {
  if (part === 'button') return texts().buttonUrl(Number(name) + 1)
  return part === 'header' ? `${texts().header}: ${t.parameter(name)}` : t.parameter(name)
}

function getText({ components }: Template, part: string): string {
  return components.find(({ type }) => type.toUpperCase() === part)?.text ?? ''
}

/** Lists the placeholders of the template, with the values that are known. */
function listFields(template: Template, known: readonly TemplateField[]): TemplateField[] {
  const buttons = template.components.find(({ type }) => type.toUpperCase() === 'BUTTONS')?.buttons
  const urls = Array.isArray(buttons) ? buttons.map(({ url }: { url?: string }) => url ?? '') : []
  const named = (part: 'header' | 'body') =>
    findPlaceholders(getText(template, part.toUpperCase())).map(name => ({ part, name }))
  const fields = [
    ...named('header'),
    ...named('body'),
    ...urls.flatMap((url, position) =>
      findPlaceholders(url).length > 0 ? [{ part: 'button' as const, name: String(position) }] : [],
    ),
  ]
  return fields.map(field => ({
    ...field,
    value: known.find(({ part, name }) => part === field.part && name === field.name)?.value ?? '',
  }))
}
