/** Replaces the token of an inbox. The stored one is never shown. */
import { useState } from 'react'
import { api, call } from '../../api/client.ts'
import { TextField } from '../../ui/controls/field.tsx'
import { showToast } from '../../ui/overlays/toasts.ts'
import { Form } from '../common/form.tsx'
import { findViolation } from '../common/tasks.ts'
import { Section } from '../section.tsx'
import type { Inbox } from './inbox-health.tsx'
import { texts } from './texts.ts'

export function InboxToken({ inbox, onSaved }: { inbox: Inbox; onSaved: () => Promise<void> }) {
  const [authToken, setToken] = useState('')
  const submit = async () => {
    const params = { path: { id: inbox.id } }
    await call(api.PUT('/inboxes/{id}/credentials', { params, body: { authToken } }))
    setToken('')
    showToast({ text: texts().tokenSaved })
    await onSaved()
  }
  return (
    <Section title={texts().token}>
      <Form
        onSubmit={submit}
        fields={['authToken']}
        explain={{
          inbox_provider_refused: texts().tokenRefused,
          inbox_provider_unavailable: texts().providerUnavailable,
        }}
        submitLabel={texts().saveToken}
      >
        {problem => (
          <TextField
            label={texts().newToken}
            hint={texts().tokenHint}
            type="password"
            autoComplete="off"
            required
            maxLength={2000}
            value={authToken}
            error={findViolation(problem, 'authToken')}
            onChange={event => setToken(event.target.value)}
          />
        )}
      </Form>
    </Section>
  )
}
