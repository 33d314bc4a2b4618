/** Asks for the name of a new workflow and for the parameters of its template, and creates it. */
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { language } from '../i18n/i18n.ts'
import { Form } from '../settings/common/form.tsx'
import { findViolation, useIntent } from '../settings/common/tasks.ts'
import { TextField } from '../ui/controls/field.tsx'
import { showToast } from '../ui/overlays/toasts.ts'
import { isComplete, ParameterField, toInitial, toParameter, type Value } from './parameter-field.tsx'
import { texts } from './texts.ts'
import { useChoices } from './use-choices.ts'
import { createEmpty, createFromTemplate, type Kind, type Template, toAddress } from './workflow-api.ts'

interface TemplateFormProps {
  kind: Kind
  /** Undefined: without steps. */
  template: Template | undefined
}

export function TemplateForm({ kind, template }: TemplateFormProps) {
  const navigate = useNavigate()
  const intent = useIntent()
  const parameters = template?.parameters ?? []
  const choices = useChoices(parameters)
  const [name, setName] = useState(template?.name ?? '')
  const [changed, setChanged] = useState<Record<string, Value>>({})
  const getValue = (key: string): Value =>
    changed[key] ?? toInitial(parameters.find(item => item.name === key)!, choices(key))
  const submit = async () => {
    const trimmed = name.trim()
    const given = parameters.flatMap(parameter => {
      const value = toParameter(getValue(parameter.name))
      return value === undefined ? [] : [[parameter.name, value] as const]
    })
    const body = {
      templateId: template?.id ?? '',
      name: trimmed,
      locale: language.get(),
      parameters: Object.fromEntries(given),
    }
    const created = template
      ? await createFromTemplate(kind, body, intent(body))
      : await createEmpty(kind, trimmed, intent(body))
    showToast({ text: texts().duplicated(created.name) })
    await navigate({ to: toAddress(kind, created.id) })
  }
  const isReady =
    name.trim() !== '' && parameters.every(parameter => isComplete(parameter, getValue(parameter.name)))
  const taken = texts().nameTaken
  return (
    <Form
      submitLabel={texts().create}
      fields={['name', ...parameters.map(parameter => parameter.name)]}
      explain={{ tag_name_taken: taken, custom_field_name_taken: taken }}
      isDisabled={!isReady}
      onSubmit={submit}
    >
      {problem => (
        <>
          <TextField
            label={texts().name}
            value={name}
            required
            maxLength={200}
            autoComplete="off"
            error={findViolation(problem, 'name')}
            onChange={event => setName(event.target.value)}
          />
          {parameters.map(parameter => (
            <ParameterField
              key={parameter.name}
              parameter={parameter}
              choices={choices(parameter.name)}
              value={getValue(parameter.name)}
              error={findViolation(problem, parameter.name)}
              onChange={value => setChanged({ ...changed, [parameter.name]: value })}
            />
          ))}
        </>
      )}
    </Form>
  )
}
