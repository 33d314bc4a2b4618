/** Runs actions by keys. Single letters work outside text fields, and can be changed or disabled by the user. */
import { createStore } from '../app/store.ts'
import { keysById } from './default-keys.ts'
import { type Action, actions } from './registry.ts'

export interface ShortcutPreferences {
  /** Whether keys without a modifier work. */
  isEnabled: boolean
  /** Keys by action id; an empty text disables the action's key. */
  keys: Readonly<Record<string, string>>
}

export const shortcutPreferences = createStore<ShortcutPreferences>({ isEnabled: true, keys: {} })

/** The longest time between two keys of a sequence. */
export const sequenceTimeoutMs = 3_000

/** Returns the keys of the action after the user's changes, also where keys without a modifier are off. */
export function getChosenKeys({ id, keys }: Pick<Action, 'id' | 'keys'>): string | undefined {
  return (shortcutPreferences.get().keys[id] ?? keys ?? keysById[id]) || undefined
}

/** Returns the keys that run the action now. */
export function getKeys(action: Pick<Action, 'id' | 'keys'>): string | undefined {
  const keys = getChosenKeys(action)
  return keys && (shortcutPreferences.get().isEnabled || hasModifier(keys)) ? keys : undefined
}

/** Returns the keys that run the action with this id now, for a button or an item of a menu. */
export const keysOf = (id: string) => getKeys({ id })

/** Keys such as F6 are not typed either. */
const isFunctionKey = (keys: string) => /^(shift\+)?f\d+$/.test(keys)
export const hasModifier = (keys: string) => keys.startsWith('mod+') || isFunctionKey(keys)

/** Returns the stroke as text: `mod+k`, `shift+e`, `?`. */
export function toStroke(event: KeyboardEvent): string {
  const key = event.key.toLowerCase()
  const isLetter = /^\p{L}$/u.test(key)
  // The shift of a symbol such as ? is part of the symbol.
  const shift = event.shiftKey && (isLetter || event.key.length > 1) ? 'shift+' : ''
  return `${event.metaKey || event.ctrlKey ? 'mod+' : ''}${event.altKey ? 'alt+' : ''}${shift}${key}`
}

/** A symbol such as ! may have no action where its digit with shift has one. */
export function toDigitStroke({ shiftKey, code }: KeyboardEvent): string {
  return shiftKey && code.startsWith('Digit') ? code.replace('Digit', 'shift+') : ''
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      /^(TEXTAREA|SELECT)$/.test(target.tagName) ||
      (target instanceof HTMLInputElement && target.type !== 'checkbox'))
  )
}

const isModal = () => document.querySelector('[role="dialog"][data-state="open"], [role="menu"]') !== null

/** Keys without a modifier are typed in fields, and belong to the dialog or menu that is open. */
function isOff({ target }: KeyboardEvent, stroke: string, found: Action | undefined): boolean {
  const isPlain = !hasModifier(stroke)
  if (isPlain && !shortcutPreferences.get().isEnabled) return true
  if (isFunctionKey(stroke)) return isModal()
  return (isPlain || found?.isOutsideFields === true) && (isTyping(target) || isModal())
}

/** Listens on the document; returns a function that stops. */
export function startShortcuts(): () => void {
  let pending = ''
  let timer: ReturnType<typeof setTimeout>
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing || event.defaultPrevented || /^(Shift|Control|Meta|Alt)$/.test(event.key)) return
    const stroke = toStroke(event)
    const typed = pending ? `${pending} ${stroke}` : stroke
    const found = find(typed) ?? find(stroke) ?? find(toDigitStroke(event))
    if (isOff(event, stroke, found)) return
    clearTimeout(timer)
    pending = ''
    if (found) {
      event.preventDefault()
      found.run()
    } else if (actions.get().some(action => getKeys(action)?.startsWith(`${typed} `))) {
      pending = typed
      timer = setTimeout(() => {
        pending = ''
      }, sequenceTimeoutMs)
    }
  }
  document.addEventListener('keydown', onKeyDown)
  return () => document.removeEventListener('keydown', onKeyDown)
}

function find(typed: string): Action | undefined {
  const found = actions.get().filter(action => getKeys(action) === typed)
  return found.find(action => action.isFirst) ?? found[0]
}
