/** Which conversations of the list are selected: some by id, so that reordering keeps them, or all that match. */
import { useSyncExternalStore } from 'react'
import { createStore } from '../../app/store.ts'

export interface Selection {
  ids: ReadonlySet<string>
  /** Everything that matches the filter, loaded or not. */
  isAll: boolean
  /** The row that was selected last: a range begins there. */
  anchor: string | undefined
}

const nothing: Selection = { ids: new Set(), isAll: false, anchor: undefined }

export const selection = createStore<Selection>(nothing)

export const isSelecting = ({ ids, isAll }: Selection) => isAll || ids.size > 0

export function useIsSelected(id: string): boolean {
  return useSyncExternalStore(selection.subscribe, () => selection.get().isAll || selection.get().ids.has(id))
}

export const clearSelection = () => selection.set(nothing)

export const selectIds = (ids: Iterable<string>) => selection.set({ ...nothing, ids: new Set(ids) })

export const selectAllMatching = () => selection.set({ ...nothing, isAll: true })

/** Selects or unselects a conversation. Of everything that matches, the loaded rows stay selected. */
export function toggleSelected(id: string, listed: readonly string[]): void {
  selection.update(({ ids, isAll }) => {
    const next = new Set(isAll ? listed : ids)
    if (!next.delete(id)) next.add(id)
    return { ids: next, isAll: false, anchor: id }
  })
}

/** Selects the rows from the last selected one to this one. */
export function selectRange(id: string, listed: readonly string[]): void {
  selection.update(({ ids, anchor }) => {
    const from = listed.indexOf(anchor ?? id)
    const to = listed.indexOf(id)
    const range = listed.slice(Math.min(from, to), Math.max(from, to) + 1)
    return { ids: new Set([...ids, ...range]), isAll: false, anchor: id }
  })
}
