/** The inputs for the values of a template. Each place brings its own input for texts, such as one with placeholders. */
import type { ComponentType } from 'react'
import { TextField } from '../ui/controls/field.tsx'
import {
  type FilledField,
  getButtons,
  getFileFormat,
  isWrongCoordinate,
  type Template,
  toKey,
} from './fields.ts'
import { HeaderFile } from './header-file.tsx'
import { texts } from './texts.ts'

export interface TextInputProps {
  label: string
  value: string
  maxLength: number
  error?: string | undefined
  onChange: (value: string) => void
}

interface TemplateInputsProps {
  /** Undefined: the inbox has it no more. */
  template: Template | undefined
  fields: readonly FilledField[]
  /** By the key of the field. */
  errors?: ReadonlyMap<string, string> | undefined
  Text: ComponentType<TextInputProps>
  onChange: (fields: readonly FilledField[]) => void
}

export function TemplateInputs({ template, fields, errors, Text, onChange }: TemplateInputsProps) {
  const change = (values: ReadonlyMap<string, string>) =>
    onChange(fields.map(field => ({ ...field, value: values.get(toKey(field)) ?? field.value })))
  return fields.map(field => {
    const key = toKey(field)
    const error = errors?.get(key)
    const set = (value: string) => change(new Map([[key, value]]))
    if (field.kind === 'file')
      return (
        <HeaderFile
          key={key}
          format={getFileFormat(template)}
          mediaId={field.value}
          error={error}
          onChange={set}
        />
      )
    if (field.kind === 'location')
      return <LocationInput key={key} field={field} error={error} onChange={change} />
    return (
      <Text
        key={key}
        label={getLabel(field, template)}
        maxLength={field.kind === 'coupon' ? 15 : 1_024}
        value={field.value}
        error={error}
        onChange={set}
      />
    )
  })
}

/** Header, body and buttons number their placeholders separately. */
function getLabel({ part, kind, name, index }: FilledField, template: Template | undefined): string {
  if (index === undefined)
    return part === 'header' ? texts().parameterOfHeader(name) : texts().parameter(name)
  const { type, text } = (template && getButtons(template)[index]) ?? {}
  const title = text ?? (kind === 'coupon' ? texts().copyCode : String(index + 1))
  return kind === 'coupon' || type === 'OTP'
    ? texts().codeOfButton(title)
    : texts().parameterOfButton(title, name)
}

interface LocationInputProps {
  field: FilledField
  error: string | undefined
  onChange: (values: ReadonlyMap<string, string>) => void
}

/** Maps copy both coordinates together: pasted into one field they fill both. */
const pair = /^\s*(-?\d+\.\d+)[\s,;]+(-?\d+\.\d+)\s*$/

function LocationInput({ field, error, onChange }: LocationInputProps) {
  const { name, value } = field
  const range = texts().ranges[name]
  const set = (text: string) => onChange(new Map([[toKey(field), text]]))
  return (
    <TextField
      label={texts().location[name] ?? name}
      value={value}
      maxLength={range ? 40 : 1_000}
      autoComplete="off"
      inputMode={range ? 'decimal' : 'text'}
      hint={name === 'latitude' ? texts().locationHint : undefined}
      error={isWrongCoordinate(field) ? range : error}
      onChange={event => set(event.target.value)}
      onPaste={event => {
        const [, latitude, longitude] = (range && pair.exec(event.clipboardData.getData('text'))) || []
        if (!latitude || !longitude) return
        event.preventDefault()
        const keys = ['latitude', 'longitude'].map(member => toKey({ ...field, name: member }))
        onChange(new Map(keys.map((key, i) => [key, i === 0 ? latitude : longitude])))
      }}
    />
  )
}
