/** Short messages that confirm an action. A reversible action has an undo button; `z` undoes the latest. */
import { createStore } from '../../app/store.ts'
import { t } from '../../i18n/i18n.ts'

export interface Toast {
  id: number
  text: string
  tone?: 'danger' | undefined
  action?: { label: string; run: () => void } | undefined
}

export const toasts = createStore<readonly Toast[]>([])
let nextId = 1

/** Shows a message for a few seconds; returns a function that removes it. */
export function showToast(toast: Omit<Toast, 'id'>, durationMs = 10_000): () => void {
  const id = nextId++
  const remove = () => toasts.update(all => all.filter(item => item.id !== id))
  const action = toast.action && {
    ...toast.action,
    run: () => {
      remove()
      toast.action?.run()
    },
  }
  toasts.update(all => [...all.slice(-2), { ...toast, action, id }])
  setTimeout(remove, durationMs)
  return remove
}

/** Copies the text and says so; returns whether the browser allowed it. */
export async function copyText(text: string, done: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    showToast({ text: done })
    return true
  } catch {
    showToast({ text: t.copyFailed, tone: 'danger' })
    return false
  }
}

/** The latest action, until its message is shown. */
let inFlight: Promise<boolean> | undefined

/** Follows an action that resolves to whether it succeeded: an undo meanwhile waits for it. */
export async function followAction(action: Promise<boolean>): Promise<void> {
  inFlight = action
  await action
  if (inFlight === action) inFlight = undefined
}

/** Undoes the latest action, also one that is in flight; nothing if that one fails. */
export function undoLatest(): void {
  if (inFlight) void inFlight.then(isDone => isDone && undoShown())
  else undoShown()
}

/** Runs the action of the latest message that has one. */
function undoShown(): void {
  toasts
    .get()
    .findLast(toast => toast.action)
    ?.action?.run()
}
