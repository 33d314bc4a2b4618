/** Fields for values of a simple type: text, number, choice, list, pairs and JSON. */
import { useState } from 'react'
import { PlaceholderField } from '../../campaigns/editor/content/placeholder-field.tsx'
import { Button, IconButton } from '../../ui/controls/button.tsx'
import { Checkbox, Select, TextArea, TextField } from '../../ui/controls/field.tsx'
import { CloseIcon, PlusIcon } from '../../ui/controls/icons.tsx'
import styles from './fields.module.css'
import { type FieldProps, findMessage } from './schema.ts'
import { fieldTexts, labelProperty, nameValue } from './texts.ts'

const toText = (value: unknown) => (typeof value === 'string' ? value : '')
/** An empty text removes an optional property. */
const fromText = (text: string, isRequired: boolean) => (text === '' && !isRequired ? undefined : text)

export function TextInput({ name, path, schema, value, isRequired, problems, onChange }: FieldProps) {
  return (
    <TextField
      label={labelProperty(name)}
      value={toText(value)}
      maxLength={schema.maxLength}
      error={findMessage(problems, path)}
      autoComplete="off"
      onChange={event => onChange(fromText(event.target.value, isRequired))}
    />
  )
}

export function TimeInput({ name, path, value, isRequired, problems, onChange }: FieldProps) {
  return (
    <TextField
      label={labelProperty(name)}
      type="time"
      value={toText(value)}
      error={findMessage(problems, path)}
      onChange={event => onChange(fromText(event.target.value, isRequired))}
    />
  )
}

/** A text that may contain placeholders. */
export function TemplateInput({ name, path, schema, value, isRequired, problems, onChange }: FieldProps) {
  return (
    <PlaceholderField
      label={labelProperty(name)}
      rows={name === 'text' ? 3 : 1}
      maxLength={schema.maxLength ?? 4_096}
      value={toText(value)}
      hint={fieldTexts().placeholderHint}
      error={findMessage(problems, path)}
      onChange={text => onChange(fromText(text, isRequired))}
    />
  )
}

export function NumberInput({ name, path, schema, value, problems, onChange }: FieldProps) {
  return (
    <TextField
      label={labelProperty(name)}
      type="number"
      min={schema.minimum}
      max={schema.maximum}
      value={typeof value === 'number' ? value : ''}
      error={findMessage(problems, path)}
      onChange={event => onChange(event.target.value === '' ? undefined : Number(event.target.value))}
    />
  )
}

export function BooleanInput({ name, value, isRequired, onChange }: FieldProps) {
  return (
    <Checkbox
      label={labelProperty(name)}
      checked={value === true}
      onChange={event => onChange(event.target.checked || (isRequired ? false : undefined))}
    />
  )
}

export function ChoiceInput({ name, path, schema, value, isRequired, problems, onChange }: FieldProps) {
  return (
    <Select
      label={labelProperty(name)}
      value={toText(value)}
      error={findMessage(problems, path)}
      onChange={event => onChange(event.target.value || undefined)}
    >
      {(!isRequired || toText(value) === '') && <option value="">{fieldTexts().none}</option>}
      {schema.enum?.map(item => (
        <option key={String(item)} value={String(item)}>
          {nameValue(String(item))}
        </option>
      ))}
    </Select>
  )
}

/** Several of a few values, such as days. */
export function ChoicesInput({ name, schema, value, onChange }: FieldProps) {
  const chosen = Array.isArray(value) ? value : []
  const all = schema.items?.enum ?? []
  return (
    <fieldset className={styles.group}>
      <legend>{labelProperty(name)}</legend>
      <div className={styles.row}>
        {all.map(item => (
          <Checkbox
            key={String(item)}
            label={nameValue(String(item))}
            checked={chosen.includes(item)}
            onChange={event => {
              const next = all.filter(one => (one === item ? event.target.checked : chosen.includes(one)))
              onChange(next.length > 0 ? next : undefined)
            }}
          />
        ))}
      </div>
    </fieldset>
  )
}

/** Texts, one per line. */
export function LinesInput({ name, path, value, problems, onChange }: FieldProps) {
  const lines = Array.isArray(value) ? value.map(String) : []
  const [text, setText] = useState(lines.join('\n'))
  const toLines = (typed: string) =>
    typed
      .split('\n')
      .map(line => line.trim())
      .filter(Boolean)
  // The value may change elsewhere, by undo for example.
  const isCurrent = toLines(text).join('\n') === lines.join('\n')
  return (
    <TextArea
      label={labelProperty(name)}
      rows={3}
      hint={fieldTexts().onePerLine}
      value={isCurrent ? text : lines.join('\n')}
      error={findMessage(problems, path, true)}
      onChange={event => {
        setText(event.target.value)
        const next = toLines(event.target.value)
        onChange(next.length > 0 ? next : undefined)
      }}
    />
  )
}

/** Names with values, such as headers. */
export function PairsInput({ name, path, value, problems, onChange }: FieldProps) {
  const entries = Object.entries((value as Record<string, string> | undefined) ?? {})
  const set = (next: [string, string][]) => onChange(next.length > 0 ? Object.fromEntries(next) : undefined)
  const replace = (position: number, entry: [string, string]) => set(entries.with(position, entry))
  const error = findMessage(problems, path, true)
  return (
    <fieldset className={styles.group}>
      <legend>{labelProperty(name)}</legend>
      {entries.map(([key, text], position) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the name is edited
        <div key={position} className={styles.pair}>
          <TextField
            label={fieldTexts().keyName}
            value={key}
            onChange={event => replace(position, [event.target.value, text])}
          />
          <TextField
            label={fieldTexts().keyValue}
            value={text}
            onChange={event => replace(position, [key, event.target.value])}
          />
          <IconButton
            icon={CloseIcon}
            label={fieldTexts().removeItem(position + 1)}
            onClick={() => set(entries.toSpliced(position, 1))}
          />
        </div>
      ))}
      {error && <p className={styles.error}>{error}</p>}
      <Button look="plain" icon={PlusIcon} onClick={() => set([...entries, ['', '']])}>
        {fieldTexts().addItem}
      </Button>
    </fieldset>
  )
}

/** Edits a JSON value. Where the schema allows a string, input that is not JSON becomes a string. */
export function JsonInput({
  name,
  path,
  value,
  problems,
  onChange,
  isText,
}: FieldProps & { isText: boolean }) {
  const written = toJsonText(value, isText)
  const [typed, setTyped] = useState<string>()
  const parsed = typed === undefined ? undefined : parse(typed, isText)
  const isStale = parsed !== undefined && 'value' in parsed && toJsonText(parsed.value, isText) !== written
  const isInvalid = parsed !== undefined && !('value' in parsed)
  return (
    <TextArea
      label={labelProperty(name)}
      rows={4}
      className={styles.code}
      hint={isText ? fieldTexts().jsonHint : fieldTexts().jsonObjectHint}
      value={typed === undefined || isStale ? written : typed}
      error={isInvalid ? fieldTexts().invalidJson : findMessage(problems, path, true)}
      onChange={event => {
        setTyped(event.target.value)
        const next = parse(event.target.value, isText)
        if ('value' in next) onChange(next.value)
      }}
    />
  )
}

function toJsonText(value: unknown, isText: boolean): string {
  if (value === undefined) return ''
  return isText && typeof value === 'string' ? value : JSON.stringify(value, null, 2)
}

function parse(text: string, isText: boolean): { value: unknown } | { error: true } {
  if (text.trim() === '') return { value: undefined }
  try {
    const value: unknown = JSON.parse(text)
    return isText || (typeof value === 'object' && value !== null) ? { value } : { error: true }
  } catch {
    return isText ? { value: text } : { error: true }
  }
}
