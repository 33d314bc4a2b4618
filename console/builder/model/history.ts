/** Undo and redo. Each state is a whole definition; states share the nodes that did not change. */
import type { Definition } from './definition.ts'

export interface History {
  past: readonly Definition[]
  present: Definition
  future: readonly Definition[]
  /** Identifies the field of the last edit: typing in one field is undone together. */
  field?: string | undefined
}

const maxStates = 200

export const startHistory = (present: Definition): History => ({ past: [], present, future: [] })

/** Adds an edit. One that changes nothing is dropped; one of the same field replaces the last. */
export function pushEdit(history: History, next: Definition, field?: string): History {
  if (next === history.present) return history
  const isSameField = field !== undefined && field === history.field && history.past.length > 0
  const past = isSameField ? history.past : [...history.past, history.present].slice(-maxStates)
  return { past, present: next, future: [], field }
}

export function undo(history: History): History {
  const { past, present, future } = history
  const previous = past.at(-1)
  return previous ? { past: past.slice(0, -1), present: previous, future: [present, ...future] } : history
}

export function redo(history: History): History {
  const { past, present, future } = history
  const [next, ...rest] = future
  return next ? { past: [...past, present], present: next, future: rest } : history
}

/** Applies a change of another editor to every state, so that undoing an own edit does not undo the other's. */
export function rebase(history: History, apply: (state: Definition) => Definition): History {
  const { past, present, future } = history
  return { past: past.map(apply), present: apply(present), future: future.map(apply) }
}
