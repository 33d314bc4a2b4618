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
  /** A change of this tab that is not saved yet replaces those of others. */
  let state: 'saved' | 'unsaved' | 'stale' = 'saved'
  let edits = 0
  let reads = 0
  let isApplying = false
  const adopt = () => {
    if (typeof all.console !== 'object' || all.console === null) return
    isApplying = true
    apply(all.console)
    isApplying = false
  }
  const follow = async () => {
    const [edit, read] = [edits, ++reads]
    const found = await call(api.GET(path)).catch(() => undefined)
    // An older response must not replace a newer one.
    if (!found || read !== reads) return
    all = found
    if (state !== 'saved') state = 'stale'
    else if (edit === edits) adopt()
  }
  const save = async () => {
    timer = undefined
    const saved = edits
    // Other clients keep members of their own there.
    const isTemporary = await call(api.PUT(path, { body: { ...all, console: collect() } })).then(
      () => false,
      error => ApiError.from(error).isTemporary,
    )
    if (saved !== edits || isTemporary) return
    const wasStale = state === 'stale'
    state = 'saved'
    if (wasStale) void follow()
  }
  const stopFrames = onFrames(frames => {
    if (state !== 'saved' && timer === undefined && frames.some(({ type }) => type === 'hello')) void save()
    if (frames.some(isAffected)) void follow()
  })
  const scheduleSave = () => {
    if (isApplying) return
    edits++
    state = 'unsaved'
    clearTimeout(timer)
    timer = setTimeout(save, saveDelayMs)
  }
  adopt()
  const stops = [stopFrames, preferences.subscribe(scheduleSave), shortcutPreferences.subscribe(scheduleSave)]
  return () => {
    for (const stop of stops) stop()
    if (timer !== undefined) void save()
  }
}
