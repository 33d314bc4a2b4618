/** The list of conversations: views, filter, rows, and the keys that move through them. */
import { Link, useNavigate } from '@tanstack/react-router'
import {
  type Dispatch,
  type RefObject,
  type SetStateAction,
  useCallback,
  useEffect,
  useRef,
  useState,
} from 'react'
import { VList, type VListHandle } from 'virtua'
import { useActions } from '../../actions/registry.ts'
import { useStore } from '../../app/store.ts'
import { t } from '../../i18n/i18n.ts'
import { Button } from '../../ui/controls/button.tsx'
import { lazyPart } from '../../ui/layout/lazy-part.tsx'
import { StaleNotice } from '../../ui/layout/stale-notice.tsx'
import { Empty, Failure, Loading } from '../../ui/layout/state-view.tsx'
import type { BulkBarProps } from '../bulk/bulk-bar.tsx'
import { clearSelection, isSelecting, selection, selectRange, toggleSelected } from '../bulk/selection.ts'
import inbox from '../inbox.module.css'
import { type ConversationList as List, loadMore, useList } from '../state/conversations.ts'
import { noFilter } from '../state/lists/filter-search.ts'
import { isBuiltIn, type ListKey, toFilter, toKey, type ViewId } from '../state/views.ts'
import { ConversationRow } from './conversation-row.tsx'
import styles from './list.module.css'
import { ListHeader } from './list-header.tsx'
import type { RowMenuProps } from './row-menu.tsx'
import { useHeldOrder } from './use-held-order.ts'
import { useListActions } from './use-list-actions.ts'

const EmptyInbox = lazyPart<object>(async () => (await import('../later.ts')).EmptyInbox)
const FirstRunCard = lazyPart<object>(async () => (await import('../later.ts')).FirstRunCard)
const BulkBar = lazyPart<BulkBarProps>(async () => (await import('../later.ts')).BulkBar)
const RowMenu = lazyPart<RowMenuProps>(async () => (await import('../later.ts')).RowMenu)

/** Rows are loaded before the user reaches the end. */
const prefetchRows = 100
/** Rows are rendered two frames after a scroll: at 20,000 px/s the user is that far ahead. */
const bufferSize = 750
/** More than a screen has. */
const minRows = 30

interface ConversationListProps {
  view: string
  listKey: ListKey
  openId: string | undefined
  /** Shows or hides the list. */
  onShow: Dispatch<SetStateAction<boolean>>
}

export function ConversationList({ view, listKey, openId, onShow }: ConversationListProps) {
  const list = useList(listKey)
  const handle = useRef<VListHandle>(null)
  const order = useHeldOrder(list.ids, toKey(listKey))
  const searchRef = useRef<HTMLInputElement>(null)
  const isMarking = isSelecting(useStore(selection))
  // A change of the language clears the lists.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key has no identity of its own
  useEffect(() => {
    if (!list.isLoaded) void loadMore(listKey)
  }, [toKey(listKey), list.isLoaded])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key has no identity of its own
  useEffect(() => clearSelection, [toKey(listKey)])
  useActions(useListActions({ ids: order.ids, openId, handle, searchRef, onShow }))
  const showTop = () => {
    order.release()
    handle.current?.scrollTo(0)
  }
  return (
    <section className={inbox.list} aria-label={t.conversations}>
      <ListHeader view={view} listKey={listKey} searchRef={searchRef} />
      <StaleNotice />
      <FirstRunCard />
      <BulkBar listKey={listKey} listed={order.ids} hasMore={list.nextCursor !== undefined} />
      <div
        className={styles.rows}
        data-selecting={isMarking}
        onPointerMove={order.onPointerMove}
        onPointerDown={order.onPointerDown}
        onPointerLeave={order.onPointerLeave}
      >
        {order.newCount > 0 && (
          <button type="button" className={inbox.pill} onClick={showTop}>
            {t.newConversations(order.newCount)}
          </button>
        )}
        <Rows
          list={list}
          view={view}
          ids={order.ids}
          openId={openId}
          handle={handle}
          onScrolled={order.setScrolled}
        />
      </div>
    </section>
  )
}

interface RowsProps {
  list: List
  view: string
  ids: readonly string[]
  openId: string | undefined
  handle: RefObject<VListHandle | null>
  onScrolled: (isScrolled: boolean) => void
}

const errorRow = 'error'

function Rows({ list, view, ids, openId, handle, onScrolled }: RowsProps) {
  const { key, isLoaded, isLoading, error } = list
  const listed = useRef(ids)
  listed.current = ids
  const select = useCallback((id: string, isRange: boolean) => {
    if (isRange) selectRange(id, listed.current)
    else toggleSelected(id, listed.current)
  }, [])
  const hasMore = list.nextCursor !== undefined
  const isShort = isLoaded && hasMore && !isLoading && !error && ids.length < minRows
  // Rows may leave the list faster than the user scrolls.
  useEffect(() => {
    if (isShort) void loadMore(key)
  }, [isShort, key])
  const [menu, setMenu] = useState<{ conversationId: string; x: number; y: number }>()
  const openMenu = useCallback(
    (conversationId: string, x: number, y: number) => setMenu({ conversationId, x, y }),
    [],
  )
  const closeMenu = () => {
    setMenu(undefined)
    document.querySelector<HTMLElement>(`[data-conversation="${menu?.conversationId}"]`)?.focus()
  }
  const retry = () => void loadMore(key, !isLoaded)
  if (!isLoaded) return error ? <Failure error={error} onRetry={retry} /> : <Loading rows={8} />
  if (ids.length === 0 && hasMore)
    return error ? <Failure error={error} onRetry={retry} /> : <Loading rows={8} />
  if (ids.length === 0) return <EmptyView view={view} listKey={key} />
  const onScroll = (offset: number) => {
    onScrolled(offset > 8)
    const last = handle.current?.findItemIndex(offset + (handle.current.viewportSize ?? 0)) ?? 0
    if (last + prefetchRows > ids.length && !isLoading && !error) void loadMore(key)
  }
  return (
    <>
      {menu && <RowMenu {...menu} onSelect={() => select(menu.conversationId, false)} onClose={closeMenu} />}
      <VList
        ref={handle}
        className={inbox.scroller}
        onScroll={onScroll}
        bufferSize={bufferSize}
        role="list"
        data={error ? [...ids, errorRow] : ids}
      >
        {id =>
          id === errorRow ? (
            <div key={id} className={inbox.retry} role="listitem">
              {t.moreFailed}
              <Button onClick={retry}>{t.retry}</Button>
            </div>
          ) : (
            <div key={id} role="listitem">
              <ConversationRow id={id} isOpen={id === openId} onSelect={select} onMenu={openMenu} />
            </div>
          )
        }
      </VList>
    </>
  )
}

function EmptyView({ view, listKey }: { view: string; listKey: ListKey }) {
  const navigate = useNavigate()
  if (listKey.filter.search) return <Empty title={t.noResults} />
  const isFiltered =
    !isBuiltIn(view) || Object.keys(listKey.filter).length > Object.keys(toFilter(view)).length
  if (isFiltered) {
    const clear = () => void navigate({ to: '/inbox', search: before => ({ ...before, ...noFilter }) })
    return (
      <Empty title={t.emptyFilter}>
        {isBuiltIn(view) ? <Button onClick={clear}>{t.clearFilter}</Button> : <ShowAll />}
      </Empty>
    )
  }
  if (view === 'all') return <EmptyInbox />
  const titles: Record<ViewId, string> = {
    mine: t.emptyMine,
    unassigned: t.emptyUnassigned,
    mentions: t.emptyMentions,
    team: t.emptyTeam,
    all: t.emptyAll,
    snoozed: t.emptySnoozed,
    closed: t.emptyClosed,
  }
  return (
    <Empty title={titles[view]}>
      <ShowAll />
    </Empty>
  )
}

const ShowAll = () => (
  <Link to="/inbox" search={{ view: 'all' }}>
    {t.showAll}
  </Link>
)
