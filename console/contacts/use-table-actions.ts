/** The keys of the table: move, open, preview, edit and select, as in the inbox. */
import { type RefObject, useRef } from 'react'
import type { VListHandle } from 'virtua'
import { type Action, useActions } from '../actions/registry.ts'
import { hasScope } from '../api/session.ts'
import { t } from '../i18n/i18n.ts'
import {
  selectAllMatching,
  selectIds,
  selection,
  selectRange,
  toggleSelected,
} from '../inbox/bulk/selection.ts'
import { PlusIcon, SelectIcon } from '../ui/controls/icons.tsx'
import { texts } from './texts.ts'
import type { ContactRow } from './use-contact-list.ts'

interface TableActions {
  rows: readonly ContactRow[]
  handle: RefObject<VListHandle | null>
  searchRef: RefObject<HTMLInputElement | null>
  onNew: () => void
  onPeek: (id: string) => void
  onEdit: (id: string) => void
}

const focusedRow = () => document.activeElement?.closest<HTMLElement>('[data-row]')?.dataset.row

/** The row may be outside the page before the table has scrolled. */
function focusRow(id: string, attempts = 10): void {
  const link = document.querySelector<HTMLElement>(`[data-row="${id}"] a`)
  if (link) link.focus({ preventScroll: true })
  else if (attempts > 0) requestAnimationFrame(() => focusRow(id, attempts - 1))
}

export function useTableActions({ rows, handle, searchRef, onNew, onPeek, onEdit }: TableActions): void {
  const last = useRef<string>(undefined)
  const ids = rows.map(({ id }) => id)
  const current = () => focusedRow() ?? last.current ?? ids[0]
  const move = (step: number): string | undefined => {
    const from = focusedRow() ?? last.current
    const next = Math.min(ids.length - 1, Math.max(0, (from ? ids.indexOf(from) : -1) + step))
    const id = ids[next]
    if (!id) return undefined
    last.current = id
    handle.current?.scrollToIndex(next, { align: 'nearest' })
    focusRow(id)
    return id
  }
  const withCurrent = (run: (id: string) => void) => () => {
    const id = current()
    if (id) run(id)
  }
  const extend = (step: number) => {
    const from = current()
    if (from && !selection.get().ids.has(from)) toggleSelected(from, ids)
    const to = move(step)
    if (to) selectRange(to, ids)
  }
  const group = texts().contacts
  const hidden = (id: string, step: number): Action => ({
    id,
    label: step > 0 ? texts().nextContact : texts().previousContact,
    group,
    isHidden: true,
    run: () => void move(step),
  })
  useActions([
    { id: 'next', label: texts().nextContact, group, run: () => void move(1) },
    { id: 'previous', label: texts().previousContact, group, run: () => void move(-1) },
    hidden('next-arrow', 1),
    hidden('previous-arrow', -1),
    { id: 'search', label: texts().search, group, run: () => searchRef.current?.focus() },
    { id: 'peek', label: texts().peek, group, run: withCurrent(onPeek) },
    ...(hasScope('contact:update')
      ? [{ id: 'edit-name', label: texts().editName, group, run: withCurrent(onEdit) }]
      : []),
    ...(hasScope('contact:create')
      ? [{ id: 'new', label: texts().newContact, group, icon: PlusIcon, run: onNew }]
      : []),
    {
      id: 'select',
      label: texts().toggleSelection,
      group: t.selection,
      icon: SelectIcon,
      run: withCurrent(id => toggleSelected(id, ids)),
    },
    { id: 'extend-down', label: t.extendDown, group: t.selection, run: () => extend(1) },
    { id: 'extend-up', label: t.extendUp, group: t.selection, run: () => extend(-1) },
    {
      id: 'select-all',
      label: texts().selectAllLoaded,
      group: t.selection,
      run: () => selectIds(ids),
    },
    {
      id: 'select-matching',
      label: texts().selectMatching,
      group: t.selection,
      run: selectAllMatching,
    },
  ])
}
