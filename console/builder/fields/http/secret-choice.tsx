/** Chooses a secret of the workspace by its name. Values are never shown; users who may create secrets can add one here. */
import { type FormEvent, useState } from 'react'
import { api, call } from '../../../api/client.ts'
import { ApiError } from '../../../api/errors.ts'
import { hasScope } from '../../../api/session.ts'
import { useResource } from '../../../app/use-resource.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { Select, TextField } from '../../../ui/controls/field.tsx'
import { PlusIcon } from '../../../ui/controls/icons.tsx'
import { Dialog } from '../../../ui/overlays/dialog.tsx'
import { describeRefusal } from '../../describe-refusal.ts'
import styles from '../fields.module.css'
import { fieldTexts } from '../texts.ts'
import { httpTexts } from './texts.ts'

interface SecretChoiceProps {
  value: string
  error: string | undefined
  onChange: (name: string) => void
}

export function SecretChoice(props: SecretChoiceProps) {
  // Only those who manage secrets may list them.
  return hasScope('secret:list') ? (
    <SecretSelect {...props} />
  ) : (
    <TextField
      label={httpTexts().secret}
      hint={httpTexts().secretName}
      value={props.value}
      error={props.error}
      maxLength={100}
      autoComplete="off"
      onChange={event => props.onChange(event.target.value.replace(/[^\w-]/g, ''))}
    />
  )
}

function SecretSelect({ value, error, onChange }: SecretChoiceProps) {
  const [isCreating, setCreating] = useState(false)
  const { data, reload } = useResource('secrets', () => call(api.GET('/secrets')))
  const names = data?.secrets.map(({ name }) => name) ?? []
  const isUnknown = value !== '' && !names.includes(value)
  return (
    <>
      <Select
        label={httpTexts().secret}
        value={value}
        error={error}
        onChange={event => onChange(event.target.value)}
      >
        <option value="">{fieldTexts().choose}</option>
        {isUnknown && <option value={value}>{data ? fieldTexts().deleted(value) : value}</option>}
        {names.map(name => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </Select>
      {hasScope('secret:update') && (
        <Button look="plain" icon={PlusIcon} onClick={() => setCreating(true)}>
          {httpTexts().newSecret}
        </Button>
      )}
      {isCreating && (
        <NewSecret
          taken={names}
          onClose={() => setCreating(false)}
          onCreated={name => {
            setCreating(false)
            reload()
            onChange(name)
          }}
        />
      )}
    </>
  )
}

interface NewSecretProps {
  /** An existing secret is not replaced here: other workflows may use it. */
  taken: readonly string[]
  onClose: () => void
  onCreated: (name: string) => void
}

function NewSecret({ taken, onClose, onCreated }: NewSecretProps) {
  const [name, setName] = useState('')
  const [value, setValue] = useState('')
  const [problem, setProblem] = useState<ApiError>()
  const [isBusy, setBusy] = useState(false)
  const isTaken = taken.includes(name)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    // A dialog is inside the form of React's tree, not of the page.
    event.stopPropagation()
    setBusy(true)
    try {
      await call(api.PUT('/secrets/{name}', { params: { path: { name } }, body: { value } }))
      onCreated(name)
    } catch (error) {
      setProblem(ApiError.from(error))
      setBusy(false)
    }
  }
  return (
    <Dialog title={httpTexts().newSecret} open onClose={onClose}>
      <form className={styles.form} onSubmit={event => void submit(event)}>
        <p className={styles.muted}>{httpTexts().newSecretHint}</p>
        <TextField
          label={fieldTexts().keyName}
          value={name}
          maxLength={64}
          autoComplete="off"
          error={isTaken ? httpTexts().secretTaken : undefined}
          onChange={event => setName(event.target.value)}
        />
        <TextField
          label={fieldTexts().keyValue}
          type="password"
          value={value}
          maxLength={4_000}
          autoComplete="off"
          onChange={event => setValue(event.target.value)}
        />
        {problem && (
          <p role="alert" className={styles.error}>
            {describeRefusal(problem)}
          </p>
        )}
        <div>
          <Button
            type="submit"
            look="primary"
            busy={isBusy}
            disabled={name === '' || value === '' || isTaken}
          >
            {httpTexts().createSecret}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
