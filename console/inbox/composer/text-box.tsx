/** The field of the composer: grows with its text, sends by key, takes files, and offers texts while typing. */
import {
  type ClipboardEvent,
  type DragEvent,
  type KeyboardEvent,
  type RefObject,
  useId,
  useLayoutEffect,
} from 'react'
import { type Preferences, preferences } from '../../app/preferences.ts'
import { useStore } from '../../app/store.ts'
import styles from './composer.module.css'
import { SuggestionList } from './suggestions/suggestion-list.tsx'
import { type SuggestionSource, useSuggestions } from './suggestions/suggestions.ts'

interface TextBoxProps {
  field: RefObject<HTMLTextAreaElement | null>
  label: string
  text: string
  placeholder: string
  isDisabled: boolean
  isInvalid: boolean
  sources: readonly SuggestionSource[]
  onText: (text: string) => void
  /** With Shift and ⌘ or Ctrl, the conversation is closed too. */
  onSubmit: (closes: boolean) => void
  /** A file was pasted or dropped. */
  onFile: (file: File) => void
}

export function TextBox(props: TextBoxProps) {
  const { field, label, text, placeholder, isDisabled, isInvalid, sources, onText, onSubmit, onFile } = props
  const { sendWith } = useStore(preferences)
  const listId = useId()
  const suggestions = useSuggestions(field, onText, sources)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height follows the text
  useLayoutEffect(() => {
    const element = field.current
    if (!element) return
    element.style.height = 'auto'
    element.style.height = `${element.scrollHeight}px`
  }, [text])
  const onKeyDown = (event: KeyboardEvent) => {
    if (suggestions.onKeyDown(event)) return event.preventDefault()
    if (event.key === 'Escape') return field.current?.blur()
    const closes = isCloseKey(event)
    if (!closes && !isSendKey(event, sendWith)) return
    event.preventDefault()
    onSubmit(closes)
  }
  const takeFile = (event: ClipboardEvent | DragEvent, file: File | undefined) => {
    if (!file) return
    event.preventDefault()
    onFile(file)
  }
  const isListed = suggestions.items.length > 0
  return (
    <>
      {isListed && <SuggestionList id={listId} suggestions={suggestions} />}
      <textarea
        ref={field}
        className={styles.text}
        rows={2}
        value={text}
        placeholder={placeholder}
        aria-label={label}
        data-focus="composer"
        aria-invalid={isInvalid || undefined}
        aria-autocomplete="list"
        aria-controls={isListed ? listId : undefined}
        aria-activedescendant={isListed ? `${listId}-${suggestions.selected}` : undefined}
        dir="auto"
        readOnly={isDisabled}
        onChange={event => {
          onText(event.target.value)
          suggestions.onCaret()
        }}
        onSelect={suggestions.onCaret}
        onBlur={suggestions.close}
        onKeyDown={onKeyDown}
        onPaste={event => takeFile(event, event.clipboardData.files[0])}
        onDrop={event => takeFile(event, event.dataTransfer.files[0])}
      />
    </>
  )
}

// Input methods use Enter to accept a word.
const isEnter = ({ key, nativeEvent }: KeyboardEvent) => key === 'Enter' && !nativeEvent.isComposing
const isModified = ({ metaKey, ctrlKey }: KeyboardEvent) => metaKey || ctrlKey
const isCloseKey = (event: KeyboardEvent) => isEnter(event) && isModified(event) && event.shiftKey

function isSendKey(event: KeyboardEvent, sendWith: Preferences['sendWith']): boolean {
  return isEnter(event) && (sendWith === 'enter' ? !event.shiftKey && !event.altKey : isModified(event))
}
