/** The responses to the HTTP requests of the run. The user changes them, and the run is played again. */
import { type FormEvent, useState } from 'react'
import { Button } from '../../ui/controls/button.tsx'
import { Checkbox, TextArea, TextField } from '../../ui/controls/field.tsx'
import { type Definition, findNode } from '../model/definition.ts'
import { describeNode } from '../state/names.ts'
import type { Simulation } from './cases.ts'
import { type HttpAnswer, parseJson } from './session.ts'
import styles from './simulate.module.css'
import { texts } from './texts.ts'

interface HttpAnswersProps {
  definition: Definition
  simulation: Simulation
  http: Readonly<Record<string, HttpAnswer>>
  onChange: (nodeId: string, answer: HttpAnswer) => void
}

export function HttpAnswers({ definition, simulation, http, onChange }: HttpAnswersProps) {
  const nodeIds = simulation.path.filter(({ outcome }) => outcome === 'http').map(({ nodeId }) => nodeId)
  return [...new Set(nodeIds)].map(nodeId => {
    const node = findNode(definition, nodeId)
    const name = node ? describeNode(node) : nodeId
    return (
      <HttpForm key={nodeId} nodeId={nodeId} name={name} answer={http[nodeId] ?? {}} onChange={onChange} />
    )
  })
}

interface HttpFormProps {
  nodeId: string
  name: string
  answer: HttpAnswer
  onChange: HttpAnswersProps['onChange']
}

function HttpForm({ nodeId, name, answer, onChange }: HttpFormProps) {
  const [status, setStatus] = useState(String(answer.status ?? 200))
  const [body, setBody] = useState(answer.body === undefined ? '{}' : JSON.stringify(answer.body))
  const [isTimeout, setTimeout] = useState(answer.timeout === true)
  const value = parseJson(body)
  const code = Number(status)
  const isCode = Number.isInteger(code) && code >= 100 && code <= 599
  const isValid = isTimeout || (isCode && value !== undefined)
  const apply = (event: FormEvent) => {
    event.preventDefault()
    if (isValid) onChange(nodeId, isTimeout ? { timeout: true } : { status: code, body: value })
  }
  return (
    <form className={styles.box} onSubmit={apply} aria-label={texts().responseOf(name)}>
      <h3>{texts().responseOf(name)}</h3>
      <Checkbox
        label={texts().noResponse}
        checked={isTimeout}
        onChange={event => setTimeout(event.target.checked)}
      />
      {!isTimeout && (
        <>
          <TextField
            label={texts().status}
            inputMode="numeric"
            value={status}
            error={isCode ? undefined : texts().notAStatus}
            onChange={event => setStatus(event.target.value)}
          />
          <TextArea
            label={texts().body}
            rows={3}
            value={body}
            error={value === undefined ? texts().notJson : undefined}
            onChange={event => setBody(event.target.value)}
          />
        </>
      )}
      <div>
        <Button type="submit" disabled={!isValid}>
          {texts().apply}
        </Button>
      </div>
    </form>
  )
}
