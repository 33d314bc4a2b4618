import { type ReactNode, useState } from 'react'
import { api, call, type Schemas } from '../../../api/client.ts'
import { TextField } from '../../../ui/controls/field.tsx'
import { Form } from '../../common/form.tsx'
import { findViolation, useIntent } from '../../common/tasks.ts'
import { texts as common } from '../../texts.ts'
import { texts as connectTexts } from '../connect/texts.ts'
import { OriginsField, splitOrigins } from './origins-field.tsx'
import { texts } from './texts.ts'

interface NewWebchatProps {
  /** The choice of the channel, above the form. */
  choice: ReactNode
  onConnected: (inboxes: readonly Schemas['Inbox'][]) => void
  onCancel: () => void
}

/** Creates a web chat: it needs no provider, only the sites on which it is shown. */
export function NewWebchat({ choice, onConnected, onCancel }: NewWebchatProps) {
  const intent = useIntent()
  const [name, setName] = useState('')
  const [origins, setOrigins] = useState('')
  const submit = async () => {
    const body = { webchat: { name, allowedOrigins: splitOrigins(origins) } }
    onConnected((await call(api.POST('/inboxes', { body, params: intent(body) }))).inboxes)
  }
  return (
    <Form
      onSubmit={submit}
      fields={['webchat.name', 'webchat.allowedOrigins']}
      submitLabel={connectTexts().connectNow}
      onCancel={onCancel}
    >
      {problem => (
        <>
          {choice}
          <TextField
            label={common().name}
            hint={texts().nameHint}
            required
            maxLength={200}
            autoComplete="off"
            value={name}
            error={findViolation(problem, 'webchat.name')}
            onChange={event => setName(event.target.value)}
          />
          <OriginsField
            value={origins}
            error={findViolation(problem, 'webchat.allowedOrigins')}
            onChange={setOrigins}
          />
        </>
      )}
    </Form>
  )
}
