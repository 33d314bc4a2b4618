/** A value that becomes a field when it is pressed: Enter and leaving save, Escape does not. */
import { type KeyboardEvent, useState } from 'react'
import { t } from '../../i18n/i18n.ts'
import { useKeptFocus } from '../../ui/focus/use-kept-focus.ts'
import styles from './details.module.css'

interface EditableProps {
  /** Of the value, for screen readers. */
  name: string
  value: string
  type?: 'text' | 'date'
  /** Shown while there is no value. */
  placeholder?: string | undefined
  isReadOnly: boolean
  /** Begins as a field. */
  isOpen?: boolean
  /** Called when the field is left, saved or not. */
  onDone?: () => void
  onSave: (value: string) => void
}

export function Editable({
  name,
  value,
  type = 'text',
  placeholder = '–',
  isReadOnly,
  isOpen,
  onDone,
  onSave,
}: EditableProps) {
  const [isEditing, setEditing] = useState(isOpen === true)
  if (isReadOnly) return value || placeholder
  if (!isEditing)
    return (
      <button
        type="button"
        className={styles.editable}
        data-empty={value === ''}
        aria-label={t.editField(name, value)}
        onClick={() => setEditing(true)}
      >
        {value || placeholder}
      </button>
    )
  const end = () => {
    setEditing(false)
    onDone?.()
  }
  return <ValueField name={name} value={value} type={type} onEnd={end} onSave={onSave} />
}

type ValueFieldProps = Required<Pick<EditableProps, 'name' | 'value' | 'type' | 'onSave'>> & {
  onEnd: () => void
}

function ValueField({ name, value, type, onEnd, onSave }: ValueFieldProps) {
  const [text, setText] = useState(value)
  const field = useKeptFocus<HTMLInputElement>()
  const save = () => {
    onEnd()
    if (text.trim() !== value) onSave(text.trim())
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter') {
      // The button that follows has the focus before the key is released.
      event.preventDefault()
      save()
    }
    if (event.key === 'Escape') {
      event.stopPropagation()
      onEnd()
    }
  }
  return (
    <input
      ref={field}
      className={styles.input}
      type={type}
      aria-label={name}
      value={text}
      maxLength={200}
      autoFocus
      onChange={event => setText(event.target.value)}
      onBlur={save}
      onKeyDown={onKeyDown}
    />
  )
}
