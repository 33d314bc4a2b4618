/** A value that becomes a field when it is pressed: Enter and leaving save, Escape does not. */
import { type KeyboardEvent, useState } from 'react'
import { t } from '../../i18n/i18n.ts'
import styles from './details.module.css'

interface EditableProps {
  /** Of the value, for screen readers. */
  name: string
  value: string
  type?: 'text' | 'date'
  isReadOnly: boolean
  /** Begins as a field. */
  isOpen?: boolean
  /** Called when the field is left, saved or not. */
  onDone?: () => void
  onSave: (value: string) => void
}

export function Editable({ name, value, type = 'text', isReadOnly, isOpen, onDone, onSave }: EditableProps) {
  const [text, setText] = useState(isOpen ? value : undefined)
  const end = () => {
    setText(undefined)
    onDone?.()
  }
  if (isReadOnly) return value || '–'
  if (text === undefined)
    return (
      <button
        type="button"
        className={styles.editable}
        data-empty={value === ''}
        aria-label={t.editField(name, value)}
        onClick={() => setText(value)}
      >
        {value || '–'}
      </button>
    )
  const save = () => {
    end()
    if (text.trim() !== value) onSave(text.trim())
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter') save()
    if (event.key === 'Escape') {
      event.stopPropagation()
      end()
    }
  }
  return (
    <input
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
