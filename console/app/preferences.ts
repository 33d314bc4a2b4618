/** The user's preferences: read before the first screen from this browser, then from the service, which keeps them. */
import { type ShortcutPreferences, shortcutPreferences } from '../actions/shortcuts.ts'
import { api, call } from '../api/client.ts'
import { ApiError } from '../api/errors.ts'
import { type Frame, onFrames } from '../api/realtime.ts'
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
const path = '/users/me/preferences'

const isAffected = ({ type, data }: Frame) =>
  type === 'resync' || (type === 'changed' && data.kind === 'preferences')

/** Takes over what the service has, saves changes there and follows those of other tabs; returns a function that stops. */
export function startPreferences(all: Record<string, unknown> = {}): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isUnsaved = false
  let isApplying = false
  let [edits, reads] = [0, 0]
  const adopt = () => {
    isApplying = true
    if (typeof all.console === 'object' && all.console !== null) apply(all.console)
    isApplying = false
  }
  const save = () => {
    timer = undefined
    isUnsaved = false
    // Other clients keep members of their own there.
    call(api.PUT(path, { body: { ...all, console: collect() } })).catch(error => {
      isUnsaved = ApiError.from(error).isTemporary
    })
  }
  /** A change of this tab that is not saved yet replaces those of others. A save in flight causes another frame. */
  const follow = async () => {
    const [edit, read] = [edits, ++reads]
    const found = await call(api.GET(path)).catch(() => undefined)
    // An older response must not replace a newer one.
    if (!found || read !== reads) return
    all = found
    if (edit === edits && timer === undefined && !isUnsaved) adopt()
  }
  const stopFrames = onFrames(frames => {
    if (isUnsaved && frames.some(({ type }) => type === 'hello')) save()
    if (frames.some(isAffected)) void follow()
  })
  const scheduleSave = () => {
    if (isApplying) return
    edits++
    clearTimeout(timer)
    timer = setTimeout(save, saveDelayMs)
  }
  adopt()
  const stops = [stopFrames, preferences.subscribe(scheduleSave), shortcutPreferences.subscribe(scheduleSave)]
  return () => {
    for (const stop of stops) stop()
    if (timer !== undefined) save()
  }
}
