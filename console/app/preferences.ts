/** The user's preferences: read before the first screen from this browser, then from the service, which keeps them. */
import { type ShortcutPreferences, shortcutPreferences } from '../actions/shortcuts.ts'
import { api, call } from '../api/client.ts'
import { ApiError } from '../api/errors.ts'
import { onFrames } from '../api/realtime.ts'
import { createStore } from './store.ts'

export interface Preferences {
  sendWith: 'enter' | 'mod+enter'
  /** How long a sent message can be taken back. */
  undoSendSeconds: number
  /** Whether a notification makes a sound, or appears on the desktop. */
  hasSound: boolean
  hasDesktop: boolean
  /** Columns of the table of contacts; undefined: those that everyone has at first. */
  contactColumns?: readonly string[]
}

type Stored = Partial<Preferences> & { shortcuts?: ShortcutPreferences }

const key = 'parley.preferences'
const initial: Preferences = {
  sendWith: 'enter',
  undoSendSeconds: 5,
  hasSound: false,
  hasDesktop: false,
}

function load(): Stored {
  try {
    return JSON.parse(localStorage.getItem(key) ?? '{}')
  } catch {
    return {}
  }
}

export const preferences = createStore<Preferences>(initial)

function apply({ shortcuts, ...values }: Stored): void {
  preferences.set({ ...initial, ...values })
  if (shortcuts) shortcutPreferences.set(shortcuts)
}

const collect = (): Stored => ({ ...preferences.get(), shortcuts: shortcutPreferences.get() })
const saveHere = () => localStorage.setItem(key, JSON.stringify(collect()))

apply(load())
preferences.subscribe(saveHere)
shortcutPreferences.subscribe(saveHere)

const saveDelayMs = 300

/** Takes over what the service has, and saves changes there; returns a function that stops. */
export function startPreferences(all: Record<string, unknown> = {}): () => void {
  if (typeof all.console === 'object' && all.console !== null) apply(all.console)
  let timer: ReturnType<typeof setTimeout> | undefined
  let isUnsaved = false
  const save = () => {
    timer = undefined
    isUnsaved = false
    // Other clients keep members of their own there.
    call(api.PUT('/users/me/preferences', { body: { ...all, console: collect() } })).catch(error => {
      isUnsaved = ApiError.from(error).isTemporary
    })
  }
  const retryWhenBack = onFrames(frames => {
    if (isUnsaved && frames.some(({ type }) => type === 'hello')) save()
  })
  const scheduleSave = () => {
    clearTimeout(timer)
    timer = setTimeout(save, saveDelayMs)
  }
  const stops = [
    retryWhenBack,
    preferences.subscribe(scheduleSave),
    shortcutPreferences.subscribe(scheduleSave),
  ]
  return () => {
    for (const stop of stops) stop()
    if (timer !== undefined) save()
  }
}
