/** The field of one parameter of a template: a text, or a choice of what exists with the offer to create a new one. */
import { Select, TextArea, TextField } from '../ui/controls/field.tsx'
import { texts } from './texts.ts'
import type { Choices } from './use-choices.ts'
import type { TemplateParameter } from './workflow-api.ts'

export interface Value {
  /** The id of what exists, `new`, or empty; unused for texts. */
  choice: string
  /** The text, or the name of the new one. */
  text: string
}

const isText = ({ type }: TemplateParameter) => type === 'text'
/** Longer texts are written in several lines. */
const shortText = 120

/** Proposes what exists under the suggested name, otherwise to create it. */
export function toInitial(parameter: TemplateParameter, { items, canCreate }: Choices): Value {
  const { suggestedName = '', default: text = '' } = parameter
  if (isText(parameter)) return { choice: '', text }
  if (text !== '') return { choice: text, text: '' }
  const same = items.find(({ name }) => name.toLowerCase() === suggestedName.toLowerCase())
  return { choice: same?.id ?? (canCreate && suggestedName ? 'new' : ''), text: suggestedName }
}

export function isComplete(parameter: TemplateParameter, { choice, text }: Value): boolean {
  if (isText(parameter) || choice === 'new') return text.trim() !== ''
  return choice !== '' || !parameter.required
}

/** Returns the value for the service; undefined if it was left out. */
export function toParameter({ choice, text }: Value): string | { create: string } | undefined {
  if (choice === 'new') return { create: text.trim() }
  return choice || text || undefined
}

interface ParameterFieldProps {
  parameter: TemplateParameter
  choices: Choices
  value: Value
  error: string | undefined
  onChange: (value: Value) => void
}

export function ParameterField({ parameter, choices, value, error, onChange }: ParameterFieldProps) {
  const { label, hint, required, maxLength = 100, suggestedName = '' } = parameter
  if (isText(parameter)) {
    const shared = { label, hint, error, maxLength, required: true, value: value.text }
    return maxLength > shortText ? (
      <TextArea {...shared} rows={2} onChange={event => onChange({ choice: '', text: event.target.value })} />
    ) : (
      <TextField {...shared} onChange={event => onChange({ choice: '', text: event.target.value })} />
    )
  }
  const isNew = value.choice === 'new'
  return (
    <>
      <Select
        label={label}
        hint={hint}
        error={isNew ? undefined : error}
        required={required}
        value={value.choice}
        onChange={event => onChange({ choice: event.target.value, text: value.text || suggestedName })}
      >
        {(!required || value.choice === '') && parameter.type !== 'channel' && (
          <option value="">{required ? texts().choose : texts().none}</option>
        )}
        {choices.canCreate && <option value="new">{texts().newOne}</option>}
        {choices.items.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Select>
      {isNew && (
        <TextField
          label={texts().newName[parameter.type] ?? label}
          value={value.text}
          required
          maxLength={maxLength}
          autoComplete="off"
          error={error}
          onChange={event => onChange({ choice: 'new', text: event.target.value })}
        />
      )}
    </>
  )
}
