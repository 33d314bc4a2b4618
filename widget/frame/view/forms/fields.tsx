/** Fields for the name, the e-mail address and the phone number of the visitor. */
import { useId, useRef, useState } from 'preact/hooks'
import { ApiError } from '../../api.ts'
import type { Texts } from '../../i18n/en.ts'
import type { ClaimKey, PreChatField } from '../../types.ts'
import { useChat } from '../context.ts'

const inputs = {
  name: { type: 'text', autocomplete: 'name' },
  email: { type: 'email', autocomplete: 'email' },
  phone: { type: 'tel', autocomplete: 'tel' },
} as const

export type Values = Partial<Record<ClaimKey, string>>
type Errors = Partial<Record<ClaimKey | 'form', string>>

function findError({ key, isRequired }: PreChatField, value: string, texts: Texts): string | undefined {
  if (!value) return isRequired ? texts.required : undefined
  if (key === 'email' && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value)) return texts.invalidEmail
  if (key === 'phone' && !/^\+[\d\s().-]{6,24}$/.test(value)) return texts.invalidPhone
  return undefined
}

function toErrors(error: unknown, texts: Texts): Errors {
  if (!(error instanceof ApiError)) return { form: texts.failed }
  const has = (key: ClaimKey) => error.violations.some(({ field }) => field.endsWith(key))
  if (has('email')) return { email: texts.invalidEmail }
  if (has('phone')) return { phone: texts.invalidPhone }
  return { form: error.status === 429 ? texts.tooMany : texts.failed }
}

interface ClaimsFormProps {
  fields: PreChatField[]
  initial: Values
  /** The name under which unfinished entries are stored. */
  draftName?: string
  submitText: string
  /** Throws an `ApiError` if a value is refused. */
  onSubmit(values: Values): Promise<void> | void
}

/** The text survives a reload if the field has a name. */
function useValues(initial: Values, draftName: string | undefined) {
  const { storage } = useChat().chat
  const [values, setValues] = useState<Values>(() => {
    const draft = draftName && storage.get(draftName)
    return draft ? { ...initial, ...JSON.parse(draft) } : initial
  })
  const change = (changed: Values) => {
    setValues(changed)
    if (draftName) storage.set(draftName, JSON.stringify(changed))
  }
  const forget = () => draftName && storage.set(draftName, null)
  return { values, change, forget }
}

export function ClaimsForm({ fields, initial, draftName, submitText, onSubmit }: ClaimsFormProps) {
  const { texts } = useChat()
  const { values, change, forget } = useValues(initial, draftName)
  const [errors, setErrors] = useState<Errors>({})
  const [isBusy, setBusy] = useState(false)
  const form = useRef<HTMLFormElement>(null)

  const showErrors = (found: Errors) => {
    setErrors(found)
    const key = fields.find(field => found[field.key])?.key
    if (key) form.current?.querySelector<HTMLInputElement>(`[name=${key}]`)?.focus()
  }
  const submit = async (event: Event) => {
    event.preventDefault()
    const entered = fields.map(field => ({ field, value: values[field.key]?.trim() ?? '' }))
    const found = entered.map(({ field, value }) => [field.key, findError(field, value, texts)] as const)
    const wrong = Object.fromEntries(found.filter(([, error]) => error))
    showErrors(wrong)
    if (Object.keys(wrong).length > 0 || isBusy) return
    setBusy(true)
    try {
      await onSubmit(
        Object.fromEntries(
          entered.filter(({ value }) => value).map(({ field, value }) => [field.key, value]),
        ),
      )
      forget()
    } catch (error) {
      showErrors(toErrors(error, texts))
    }
    setBusy(false)
  }
  return (
    <form ref={form} noValidate onSubmit={submit} class="form">
      {fields.map(field => (
        <Field
          key={field.key}
          field={field}
          value={values[field.key] ?? ''}
          error={errors[field.key]}
          onInput={value => change({ ...values, [field.key]: value })}
        />
      ))}
      {errors.form && (
        <p class="error" role="alert">
          {errors.form}
        </p>
      )}
      <button type="submit" class="primary" aria-disabled={isBusy}>
        {submitText}
      </button>
    </form>
  )
}

interface FieldProps {
  field: PreChatField
  value: string
  error: string | undefined
  onInput(value: string): void
}

function Field({ field: { key, label, isRequired }, value, error, onInput }: FieldProps) {
  const { texts } = useChat()
  const id = useId()
  return (
    <div class="field">
      <label for={id}>
        {label ?? texts[key]}
        {!isRequired && <small>{texts.optional}</small>}
      </label>
      <input
        id={id}
        name={key}
        {...inputs[key]}
        dir={key === 'name' ? 'auto' : 'ltr'}
        value={value}
        maxLength={200}
        required={isRequired}
        aria-invalid={error !== undefined}
        aria-describedby={error ? `${id}-error` : undefined}
        onInput={event => onInput(event.currentTarget.value)}
      />
      {error && (
        <p id={`${id}-error`} class="error">
          {error}
        </p>
      )}
    </div>
  )
}
