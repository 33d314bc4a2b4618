/** Name, team, hours and automatic replies of an inbox. */
import { useState } from 'react'
import { api, call } from '../../api/client.ts'
import { getSignedIn } from '../../api/session.ts'
import { Select, TextArea, TextField } from '../../ui/controls/field.tsx'
import { showToast } from '../../ui/overlays/toasts.ts'
import { Form } from '../common/form.tsx'
import { HoursFields } from '../common/hours-fields.tsx'
import { findViolation } from '../common/tasks.ts'
import { Section } from '../section.tsx'
import { texts as common } from '../texts.ts'
import type { Inbox } from './inbox-health.tsx'
import { texts } from './texts.ts'

type Values = Pick<Inbox, 'name' | 'teamId' | 'businessHours'> & { greeting: string; away: string }

const maxText = 4_096
const pick = ({ name, teamId, businessHours, greeting, away }: Inbox): Values => ({
  name,
  teamId,
  businessHours,
  greeting: greeting ?? '',
  away: away ?? '',
})

async function save(inbox: Inbox, { teamId, greeting, away, ...values }: Values): Promise<void> {
  const params = { path: { id: inbox.id } }
  if (teamId !== inbox.teamId)
    await (teamId
      ? call(api.PUT('/inboxes/{id}/team', { params, body: { teamId } }))
      : call(api.DELETE('/inboxes/{id}/team', { params })))
  const body = { ...values, greeting: greeting.trim() || null, away: away.trim() || null }
  await call(api.PATCH('/inboxes/{id}', { params, body }))
}

export function InboxSettings({ inbox, onSaved }: { inbox: Inbox; onSaved: () => Promise<void> }) {
  const [values, setValues] = useState(() => pick(inbox))
  const set = (changed: Partial<Values>) => setValues(before => ({ ...before, ...changed }))
  const submit = async () => {
    await save(inbox, values)
    await onSaved()
    showToast({ text: common().saved })
  }
  return (
    <Section title={texts().settings}>
      <Form onSubmit={submit} fields={['name', 'businessHours', 'greeting', 'away']}>
        {problem => (
          <>
            <TextField
              label={common().name}
              required
              maxLength={200}
              value={values.name}
              error={findViolation(problem, 'name')}
              onChange={event => set({ name: event.target.value })}
            />
            <Select
              label={texts().team}
              hint={texts().teamHint}
              value={values.teamId ?? ''}
              onChange={event => set({ teamId: event.target.value || null })}
            >
              <option value="">{texts().fallbackTeam}</option>
              {[...getSignedIn().teams.values()].map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </Select>
            <HoursFields
              value={values.businessHours}
              without={texts().workspaceHours}
              problem={problem}
              onChange={businessHours => set({ businessHours })}
            />
            <TextArea
              label={texts().greeting}
              hint={texts().greetingHint}
              rows={3}
              maxLength={maxText}
              value={values.greeting}
              error={findViolation(problem, 'greeting')}
              onChange={event => set({ greeting: event.target.value })}
            />
            <TextArea
              label={texts().away}
              hint={texts().awayHint}
              rows={3}
              maxLength={maxText}
              value={values.away}
              error={findViolation(problem, 'away')}
              onChange={event => set({ away: event.target.value })}
            />
          </>
        )}
      </Form>
    </Section>
  )
}
