/** The satisfaction survey of an inbox: off, or a question that is sent after a conversation was closed. */
import { useState } from 'react'
import { api, call } from '../../api/client.ts'
import { Checkbox, Select, TextArea } from '../../ui/controls/field.tsx'
import { showToast } from '../../ui/overlays/toasts.ts'
import { Form } from '../common/form.tsx'
import { findViolation } from '../common/tasks.ts'
import { Section } from '../section.tsx'
import styles from '../settings.module.css'
import { texts as common } from '../texts.ts'
import type { Inbox } from './inbox-health.tsx'
import { texts } from './texts.ts'

const maxText = 1_000
const delays = [0, 5, 30, 60, 240, 1_440]

export function InboxSurvey({ inbox, onSaved }: { inbox: Inbox; onSaved: () => Promise<void> }) {
  const [isOn, setOn] = useState(inbox.csat !== null)
  const [values, setValues] = useState(() => ({
    question: inbox.csat?.question ?? texts().surveyQuestionDefault,
    delayMinutes: inbox.csat?.delayMinutes ?? 0,
    commentQuestion: inbox.csat?.commentQuestion ?? '',
  }))
  const set = (changed: Partial<typeof values>) => setValues(before => ({ ...before, ...changed }))
  const submit = async () => {
    const { question, delayMinutes, commentQuestion } = values
    const csat = isOn ? { question, delayMinutes, commentQuestion: commentQuestion.trim() || null } : null
    await call(api.PATCH('/inboxes/{id}', { params: { path: { id: inbox.id } }, body: { csat } }))
    await onSaved()
    showToast({ text: common().saved })
  }
  // A delay that was set over the API is offered too.
  const offered = [...new Set([...delays, values.delayMinutes])].sort((a, b) => a - b)
  return (
    <Section title={texts().survey}>
      <p className={styles.muted}>{texts().surveyHint}</p>
      <Form onSubmit={submit} fields={['csat.question', 'csat.commentQuestion']}>
        {problem => (
          <>
            <Checkbox
              label={texts().surveyOn}
              checked={isOn}
              onChange={event => setOn(event.target.checked)}
            />
            {isOn && (
              <>
                <TextArea
                  label={texts().surveyQuestion}
                  hint={texts().surveyQuestionHint}
                  required
                  rows={2}
                  maxLength={maxText}
                  value={values.question}
                  error={findViolation(problem, 'csat.question')}
                  onChange={event => set({ question: event.target.value })}
                />
                <Select
                  label={texts().surveyDelay}
                  value={values.delayMinutes}
                  onChange={event => set({ delayMinutes: Number(event.target.value) })}
                >
                  {offered.map(minutes => (
                    <option key={minutes} value={minutes}>
                      {texts().surveyDelayOf(minutes)}
                    </option>
                  ))}
                </Select>
                <TextArea
                  label={texts().commentQuestion}
                  hint={texts().commentQuestionHint}
                  rows={2}
                  maxLength={maxText}
                  value={values.commentQuestion}
                  error={findViolation(problem, 'csat.commentQuestion')}
                  onChange={event => set({ commentQuestion: event.target.value })}
                />
              </>
            )}
          </>
        )}
      </Form>
    </Section>
  )
}
