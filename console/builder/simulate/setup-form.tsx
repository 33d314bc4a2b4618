/** How a simulation starts: who, with what, when and where. */
import { type FormEvent, useState } from 'react'
import { hasScope } from '../../api/session.ts'
import { useFoundContacts } from '../../segments/find-contacts.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Select, TextArea, TextField } from '../../ui/controls/field.tsx'
import { CloseIcon, PlayIcon } from '../../ui/controls/icons.tsx'
import { type Definition, type DefinitionNode, findNode, type WorkflowKind } from '../model/definition.ts'
import { useContactNames } from '../runs/run-api.ts'
import { describeNode } from '../state/names.ts'
import { nameNode } from '../texts.ts'
import { findInvalid, type Setup } from './session.ts'
import styles from './simulate.module.css'
import { texts } from './texts.ts'

interface SetupFormProps {
  kind: WorkflowKind
  definition: Definition
  setup: Setup
  isBusy: boolean
  onChange: (setup: Setup) => void
  onStart: () => void
}

export function SetupForm(props: SetupFormProps) {
  const { kind, setup, isBusy, onChange, onStart } = props
  const invalid = findInvalid(setup)
  const set = (change: Partial<Setup>) => onChange({ ...setup, ...change })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (invalid.length === 0) onStart()
  }
  return (
    <form className={styles.stack} onSubmit={submit} aria-label={texts().setup}>
      <ContactFields setup={setup} set={set} />
      <StartNode {...props} set={set} />
      <Select
        label={texts().begins}
        value={setup.start}
        onChange={event => set({ start: event.target.value as Setup['start'] })}
      >
        <option value="trigger">{texts().beginsBy.trigger}</option>
        <option value="message">{texts().beginsBy.message}</option>
        {kind === 'journey' && <option value="event">{texts().beginsBy.event}</option>}
      </Select>
      {setup.start === 'message' && (
        <TextField
          label={texts().firstMessage}
          value={setup.message}
          maxLength={4096}
          autoComplete="off"
          onChange={event => set({ message: event.target.value })}
        />
      )}
      {setup.start === 'event' && <EventFields setup={setup} set={set} invalid={invalid} />}
      <details className={styles.details}>
        <summary>{texts().more}</summary>
        <MoreFields {...props} set={set} invalid={invalid} />
      </details>
      <div>
        <Button type="submit" look="primary" icon={PlayIcon} busy={isBusy} disabled={invalid.length > 0}>
          {texts().start}
        </Button>
      </div>
    </form>
  )
}

/** Returns the kind of the node with the beginning of its summary. */
export const nameStep = (node: DefinitionNode) =>
  [nameNode(node.type), describeNode(node).slice(0, 40)].filter(Boolean).join(': ')

/** Says that the run does not start at the trigger. */
function StartNode({ definition, setup, set }: FieldsProps & Pick<SetupFormProps, 'definition'>) {
  const node = findNode(definition, setup.startNodeId)
  if (!node) return null
  return (
    <p className={styles.row}>
      <span className={styles.wrapped}>{texts().startsAt(nameStep(node))}</span>
      <Button look="plain" icon={CloseIcon} onClick={() => set({ startNodeId: '' })}>
        {texts().atTrigger}
      </Button>
    </p>
  )
}

interface FieldsProps {
  setup: Setup
  set: (change: Partial<Setup>) => void
}

const canSearch = () => hasScope('contact:list') && hasScope('contact:read')

function ContactFields({ setup, set }: FieldsProps) {
  const [text, setText] = useState('')
  const found = useFoundContacts(canSearch() ? text : '')
  if (setup.contactId !== '') return <ChosenContact setup={setup} set={set} />
  return (
    <>
      {canSearch() && (
        <TextField
          label={texts().contact}
          hint={texts().contactHint}
          type="search"
          value={text}
          maxLength={200}
          autoComplete="off"
          onChange={event => setText(event.target.value)}
        />
      )}
      {found.length > 0 && (
        <ul className={styles.list} aria-label={texts().found}>
          {found.map(({ id, name, phone, email }) => {
            const shown = name ?? phone ?? email ?? id
            return (
              <li key={id}>
                <Button
                  look="plain"
                  onClick={() => {
                    setText('')
                    set({ contactId: id })
                  }}
                >
                  {shown} {name && phone}
                </Button>
              </li>
            )
          })}
        </ul>
      )}
      {text === '' && (
        <TextField
          label={texts().name}
          placeholder={texts().madeUpName}
          value={setup.name}
          maxLength={100}
          autoComplete="off"
          onChange={event => set({ name: event.target.value })}
        />
      )}
    </>
  )
}

function ChosenContact({ setup: { contactId }, set }: FieldsProps) {
  const nameOf = useContactNames([{ contactId }])
  return (
    <p className={styles.row}>
      <span>{texts().asContact(nameOf(contactId))}</span>
      <Button look="plain" icon={CloseIcon} onClick={() => set({ contactId: '' })}>
        {texts().madeUp}
      </Button>
    </p>
  )
}

type CheckedProps = FieldsProps & { invalid: readonly string[] }

function EventFields({ setup, set, invalid }: CheckedProps) {
  return (
    <>
      <TextField
        label={texts().eventName}
        value={setup.eventName}
        maxLength={100}
        autoComplete="off"
        onChange={event => set({ eventName: event.target.value })}
      />
      <TextField
        label={texts().eventKey}
        value={setup.eventKey}
        maxLength={200}
        autoComplete="off"
        onChange={event => set({ eventKey: event.target.value })}
      />
      <TextArea
        label={texts().eventData}
        rows={3}
        value={setup.eventData}
        error={invalid.includes('eventData') ? texts().notAnObject : undefined}
        onChange={event => set({ eventData: event.target.value })}
      />
    </>
  )
}

function MoreFields({ setup, set, invalid, definition }: CheckedProps & Pick<SetupFormProps, 'definition'>) {
  return (
    <div className={styles.stack}>
      {setup.contactId === '' && (
        <TextField
          label={texts().phone}
          hint={texts().phoneHint}
          type="tel"
          value={setup.phone}
          maxLength={60}
          autoComplete="off"
          onChange={event => set({ phone: event.target.value })}
        />
      )}
      <TextField
        label={texts().clock}
        hint={texts().clockHint}
        type="datetime-local"
        value={setup.clock}
        onChange={event => set({ clock: event.target.value })}
      />
      <Select
        label={texts().window}
        value={setup.window}
        onChange={event => set({ window: event.target.value as Setup['window'] })}
      >
        <option value="real">{texts().windows.real}</option>
        <option value="open">{texts().windows.open}</option>
        <option value="closed">{texts().windows.closed}</option>
      </Select>
      <Select
        label={texts().startAt}
        value={setup.startNodeId}
        onChange={event => set({ startNodeId: event.target.value })}
      >
        <option value="">{texts().atTrigger}</option>
        {definition.nodes
          .filter(({ type }) => type !== 'start')
          .map(node => (
            <option key={node.id} value={node.id}>
              {nameStep(node)}
            </option>
          ))}
      </Select>
      {setup.startNodeId !== '' && (
        <TextArea
          label={texts().variablesAtStart}
          rows={2}
          value={setup.variables}
          error={invalid.includes('variables') ? texts().notAnObject : undefined}
          onChange={event => set({ variables: event.target.value })}
        />
      )}
    </div>
  )
}
