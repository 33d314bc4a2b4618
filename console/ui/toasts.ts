/** Short messages that confirm an action. A reversible action has an undo button; `z` undoes the latest. */
import { createStore } from '../app/store.ts'
import { t } from '../i18n/i18n.ts'

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

/** Runs the action of the latest message that has one. */
export function undoLatest(): void {
  toasts
    .get()
    .findLast(toast => toast.action)
    ?.action?.run()
}
