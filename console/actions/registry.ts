/**
 * The actions that the user can run now. One registry feeds the shortcuts, the command palette, the list of keys and the
 * tooltips. A screen registers its actions while it is shown.
 */
import { useEffect, useRef } from 'react'
import { createStore } from '../app/store.ts'
import type { Icon } from '../ui/controls/icons.tsx'

export interface Action {
  /** Stable: remapped keys are stored by it. */
  id: string
  label: string
  group: string
  /** Keys of an action whose id is not among the default keys, such as a saved view: `6`, `shift+e`, `mod+k`, `g i`. */
  keys?: string
  icon?: Icon | undefined
  /** Left out of the palette, such as moving by one row. */
  isHidden?: boolean
  /** Takes its keys from other actions, as those of a selection do from those of one conversation. */
  isFirst?: boolean
  /** Its keys keep their usual meaning in text fields and dialogs, such as those of undo. */
  isOutsideFields?: boolean
  run: () => void
}

/** Sent to the document with the id of each action that has run; tests listen to it. */
const ranEvent = 'parley.action'

export const actions = createStore<readonly Action[]>([])

/** Registers actions while the component is mounted. The latest functions are called, without registering again. */
export function useActions(list: readonly Action[]): void {
  const latest = useRef(list)
  latest.current = list
  const signature = list.map(({ id, label, keys }) => `${id} ${label} ${keys}`).join('\n')
  // biome-ignore lint/correctness/useExhaustiveDependencies: the signature stands for the list
  useEffect(() => {
    const registered = latest.current.map(action => ({
      ...action,
      run: () => {
        latest.current.find(({ id }) => id === action.id)?.run()
        document.dispatchEvent(new CustomEvent(ranEvent, { detail: action.id }))
      },
    }))
    const ids = new Set(registered.map(({ id }) => id))
    actions.update(all => [...registered, ...all.filter(({ id }) => !ids.has(id))])
    return () => actions.update(all => all.filter(action => !registered.includes(action)))
  }, [signature])
}
