/** Creates or changes an endpoint. */
import { useState } from 'react'
import { api, call, type Schemas } from '../../api/client.ts'
import { Checkbox, TextField } from '../../ui/controls/field.tsx'
import { FormDialog } from '../common/form.tsx'
import { findViolation, useIntent } from '../common/tasks.ts'
import styles from '../settings.module.css'
import { texts as common } from '../texts.ts'
import { texts } from './texts.ts'

export type Endpoint = Schemas['WebhookEndpoint']
export type EventType = Endpoint['eventTypes'][number]

interface EndpointDialogProps {
  endpoint: Endpoint | undefined
  available: readonly EventType[]
  onSaved: () => Promise<void>
  onClose: () => void
}

/** Delivered only if they are chosen. */
const optional = new Set<EventType>(['inbox.updated', 'journey.updated', 'chatbot.updated'])

export function EndpointDialog({ endpoint, available, onSaved, onClose }: EndpointDialogProps) {
  const intent = useIntent()
  const [values, setValues] = useState({
    url: endpoint?.url ?? '',
    description: endpoint?.description ?? '',
    eventTypes: endpoint?.eventTypes ?? available.filter(type => !optional.has(type)),
    enabled: endpoint?.enabled ?? true,
  })
  const set = (changed: Partial<typeof values>) => setValues(before => ({ ...before, ...changed }))
  const toggle = (type: EventType, isOn: boolean) =>
    set({ eventTypes: available.filter(item => (item === type ? isOn : values.eventTypes.includes(item))) })
  const submit = async () => {
    const body = { ...values, url: values.url.trim(), description: values.description || null }
    if (endpoint)
      await call(api.PATCH('/webhooks/endpoints/{id}', { params: { path: { id: endpoint.id } }, body }))
    else await call(api.POST('/webhooks/endpoints', { body, params: intent(body) }))
    await onSaved()
  }
  return (
    <FormDialog
      title={endpoint ? common().editThing(endpoint.url ?? texts().endpoint) : texts().create}
      fields={['url', 'description']}
      isDisabled={values.eventTypes.length === 0}
      onSubmit={submit}
      onClose={onClose}
    >
      {problem => (
        <>
          <TextField
            label={texts().url}
            hint={texts().urlHint}
            type="url"
            required
            maxLength={8192}
            value={values.url}
            error={findViolation(problem, 'url')}
            onChange={event => set({ url: event.target.value })}
          />
          <TextField
            label={texts().description}
            maxLength={500}
            value={values.description}
            error={findViolation(problem, 'description')}
            onChange={event => set({ description: event.target.value })}
          />
          <Checkbox
            label={texts().enabled}
            checked={values.enabled}
            onChange={event => set({ enabled: event.target.checked })}
          />
          <fieldset className={styles.choices}>
            <legend>{texts().events}</legend>
            {available.map(type => (
              <Checkbox
                key={type}
                label={type}
                checked={values.eventTypes.includes(type)}
                onChange={event => toggle(type, event.target.checked)}
              />
            ))}
          </fieldset>
        </>
      )}
    </FormDialog>
  )
}
