/** Chooses an approved template of the inbox and fills in its placeholders, which may contain values of the recipient. */
import { api, call } from '../../../api/client.ts'
import { getSignedIn } from '../../../api/session.ts'
import { useResource } from '../../../app/use-resource.ts'
import { getText, listFields, type Template } from '../../../templates/fields.ts'
import { TemplateInputs } from '../../../templates/template-inputs.tsx'
import { Select } from '../../../ui/controls/field.tsx'
import { Failure, Loading } from '../../../ui/layout/state-view.tsx'
import styles from '../../campaigns.module.css'
import { texts } from '../texts.ts'
import type { ContentDraft } from './content-draft.ts'
import { PlaceholderField } from './placeholder-field.tsx'

type TemplateDraft = ContentDraft['template']

interface TemplateFieldsProps {
  inboxId: string | null
  template: TemplateDraft
  /** Problems that the service reported, by the key of the field. */
  errors?: ReadonlyMap<string, string>
  onChange: (template: TemplateDraft) => void
}

export function TemplateFields(props: TemplateFieldsProps) {
  const { inboxId } = props
  const hasTemplates = inboxId !== null && getSignedIn().inboxes.get(inboxId)?.channel === 'chatapp'
  if (!hasTemplates) return <p className={styles.muted}>{texts().templatesNeedInbox}</p>
  return <Chooser {...props} inboxId={inboxId} />
}

const toId = ({ name, language }: Pick<Template, 'name' | 'language'>) => `${name} ${language}`

function Chooser({ inboxId, template, errors, onChange }: TemplateFieldsProps & { inboxId: string }) {
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
    if (found) onChange({ name: found.name, language: found.language, fields: listFields(found) })
  }
  const fields = chosen ? listFields(chosen, template.fields) : template.fields
  return (
    <>
      <Select
        label={texts().template}
        value={template.name === '' ? '' : toId(template)}
        hint={chosen && getText(chosen, 'body')}
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
      <TemplateInputs
        key={toId(template)}
        template={chosen}
        fields={fields}
        errors={errors}
        Text={PlaceholderField}
        onChange={changed => onChange({ ...template, fields: changed })}
      />
    </>
  )
}
