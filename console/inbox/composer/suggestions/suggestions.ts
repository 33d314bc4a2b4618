/**
 * Offers texts while the user types: names after @, saved replies after /, emoji after :, values after {{. The field keeps
 * the focus.
 */
import { type KeyboardEvent, type RefObject, useState } from 'react'

export interface Suggestion {
  id: string
  label: string
  /** Shown beside the label. */
  hint?: string
  /** Name of a person, for their picture. */
  avatar?: string
  /** Replaces the query; a function may fetch it. Undefined: nothing is inserted. */
  insert: string | (() => Promise<string | undefined>)
}

export interface SuggestionSource {
  label: () => string
  /** Opens the list, and is replaced with the query. One character if it is not given. */
  opener?: string
  /** Matches the text before the caret. Its group is the query: the text after the opener. */
  pattern: RegExp
  list: (typed: string) => readonly Suggestion[]
  /** Called when the list is about to be shown. */
  load?: () => void
}

interface Query {
  source: SuggestionSource
  /** Of the opener. */
  start: number
  /** Of the typed text. */
  textStart: number
  typed: string
}

export interface Suggestions {
  label: string
  items: readonly Suggestion[]
  selected: number
  choose: (suggestion: Suggestion) => void
  close: () => void
  onCaret: () => void
  /** Returns true if the key was for the list. */
  onKeyDown: (event: KeyboardEvent) => boolean
}

function findQuery(element: HTMLTextAreaElement, sources: readonly SuggestionSource[]): Query | undefined {
  const before = element.value.slice(0, element.selectionStart)
  for (const source of sources) {
    const typed = source.pattern.exec(before)?.[1]
    if (typed === undefined) continue
    const textStart = before.length - typed.length
    return { source, typed, textStart, start: textStart - (source.opener?.length ?? 1) }
  }
  return undefined
}

export function useSuggestions(
  field: RefObject<HTMLTextAreaElement | null>,
  onText: (text: string) => void,
  sources: readonly SuggestionSource[],
): Suggestions {
  const [query, setQuery] = useState<Query>()
  const [selected, setSelected] = useState(0)
  const items = query ? query.source.list(query.typed) : []
  const close = () => setQuery(undefined)
  const onCaret = () => {
    const element = field.current
    const found = element && element === document.activeElement ? findQuery(element, sources) : undefined
    if (found) found.source.load?.()
    if (found?.start !== query?.start || found?.typed !== query?.typed) setSelected(0)
    setQuery(found)
  }
  const choose = async ({ insert }: Suggestion) => {
    if (!query) return
    close()
    const text = typeof insert === 'string' ? insert : await insert()
    if (text !== undefined && field.current) replace(field.current, query, text, onText)
  }
  const onKeyDown = ({ key, nativeEvent }: KeyboardEvent) => {
    if (items.length === 0 || nativeEvent.isComposing) return false
    if (key === 'ArrowDown') setSelected((selected + 1) % items.length)
    else if (key === 'ArrowUp') setSelected((selected + items.length - 1) % items.length)
    else if (key === 'Enter' || key === 'Tab') void choose(items[selected] ?? items[0]!)
    else if (key === 'Escape') close()
    else return false
    return true
  }
  const label = query?.source.label() ?? ''
  return { label, items, selected, choose: item => void choose(item), close, onCaret, onKeyDown }
}

/** Replaces the query, or inserts at the caret if the query has changed since. */
function replace(
  element: HTMLTextAreaElement,
  { start, textStart, typed }: Query,
  text: string,
  onText: (text: string) => void,
): void {
  const { value, selectionStart } = element
  const end = textStart + typed.length
  const isSame = value.slice(textStart, end) === typed
  const [from, to] = isSame ? [start, end] : [selectionStart, selectionStart]
  onText(value.slice(0, from) + text + value.slice(to))
  const caret = from + text.length
  requestAnimationFrame(() => element.setSelectionRange(caret, caret))
}
