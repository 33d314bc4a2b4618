/** The keys of the list: move, search and select. */
import { useNavigate } from '@tanstack/react-router'
import type { Dispatch, RefObject, SetStateAction } from 'react'
import { flushSync } from 'react-dom'
import type { VListHandle } from 'virtua'
import type { Action } from '../../actions/registry.ts'
import { hasScope } from '../../api/session.ts'
import { t } from '../../i18n/i18n.ts'
import { SelectIcon } from '../../ui/controls/icons.tsx'
import { closeConversation } from '../actions/conversation-actions.ts'
import { selectAllMatching, selectIds, selection, selectRange, toggleSelected } from '../bulk/selection.ts'
import { getConversation } from '../state/conversations.ts'

interface ListActionsContext {
  ids: readonly string[]
  openId: string | undefined
  handle: RefObject<VListHandle | null>
  searchRef: RefObject<HTMLInputElement | null>
  onShow: Dispatch<SetStateAction<boolean>>
}

export function useListActions(context: ListActionsContext): Action[] {
  const { ids, openId, handle, searchRef, onShow } = context
  const navigate = useNavigate()
  const move = (step: number, from = openId): string | undefined => {
    const position = from ? ids.indexOf(from) : -1
    const next = Math.min(ids.length - 1, Math.max(0, position + step))
    const conversationId = ids[next]
    if (conversationId === undefined) return undefined
    handle.current?.scrollToIndex(next, { align: 'nearest' })
    void navigate({ to: '/inbox/$conversationId', params: { conversationId }, search: true })
    return conversationId
  }
  const closeAndNext = () => {
    const conversation = openId ? getConversation(openId) : undefined
    if (!conversation) return
    move(1)
    void closeConversation(conversation)
  }
  const arrow = (id: string, step: number): Action => ({
    id,
    label: step > 0 ? t.nextConversation : t.previousConversation,
    group: t.inbox,
    isHidden: true,
    run: () => void move(step),
  })
  return [
    ...(openId && hasScope('conversation:close')
      ? [{ id: 'close-next', label: t.closeAndNext, group: t.inbox, run: closeAndNext }]
      : []),
    { id: 'next', label: t.nextConversation, group: t.inbox, run: () => void move(1) },
    { id: 'previous', label: t.previousConversation, group: t.inbox, run: () => void move(-1) },
    arrow('next-arrow', 1),
    arrow('previous-arrow', -1),
    {
      id: 'search',
      label: t.searchConversations,
      group: t.inbox,
      run: () => {
        flushSync(() => onShow(true))
        searchRef.current?.focus()
      },
    },
    ...(openId
      ? [
          {
            id: 'list',
            label: t.toggleList,
            group: t.inbox,
            run: () => onShow(isShown => !isShown),
          },
        ]
      : []),
    ...listSelectActions(context, move),
  ]
}

/** The row that the keys act on: the focused one, otherwise the open one, otherwise the first. */
function getCurrent({ ids, openId }: ListActionsContext): string | undefined {
  const focused = document.activeElement?.closest<HTMLElement>('[data-conversation]')?.dataset.conversation
  return focused ?? openId ?? ids[0]
}

function listSelectActions(
  context: ListActionsContext,
  move: (step: number, from?: string) => string | undefined,
): Action[] {
  const { ids } = context
  const toggle = () => {
    const id = getCurrent(context)
    if (id) toggleSelected(id, ids)
  }
  const extend = (step: number) => {
    const from = getCurrent(context)
    if (from && !selection.get().ids.has(from)) toggleSelected(from, ids)
    const to = move(step, from)
    if (to) selectRange(to, ids)
  }
  const group = t.selection
  return [
    { id: 'select', label: t.toggleSelection, group, icon: SelectIcon, run: toggle },
    { id: 'extend-down', label: t.extendDown, group, run: () => extend(1) },
    { id: 'extend-up', label: t.extendUp, group, run: () => extend(-1) },
    { id: 'select-all', label: t.selectAll, group, run: () => selectIds(ids) },
    { id: 'select-matching', label: t.selectMatching, group, run: selectAllMatching },
  ]
}
