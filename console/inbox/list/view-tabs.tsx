/** The views of the list with their counts: the built-in ones first, then the saved ones in the user's order. */
import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { type Action, useActions } from '../../actions/registry.ts'
import { useStore } from '../../app/store.ts'
import { t } from '../../i18n/i18n.ts'
import { IconButton } from '../../ui/controls/button.tsx'
import { BookmarkIcon, ChevronDownIcon, SettingsIcon } from '../../ui/controls/icons.tsx'
import { Menu, type MenuItem } from '../../ui/overlays/menu.tsx'
import { ManageViews, SaveView } from '../../views/lazy-dialogs.ts'
import inbox from '../inbox.module.css'
import { type ViewCount as Count, viewCounts } from '../state/lists/counts.ts'
import { type FilterSearch, noFilter } from '../state/lists/filter-search.ts'
import {
  conversationViews,
  getViewLabel,
  isBuiltIn,
  type ListKey,
  savedViews,
  viewIds,
} from '../state/views.ts'
import styles from './list.module.css'

interface ListedView {
  id: string
  label: string
}

function useViews(): ListedView[] {
  const saved = useStore(savedViews)
  const builtIn = viewIds.map(id => ({ id, label: getViewLabel(id) }))
  return [...builtIn, ...saved.map(({ id, name }) => ({ id, label: name }))]
}

/** The width at the ends of the views in which they fade. */
const fadePx = 24

/** Scrolls no further than needed: the first views stay in sight. */
function showWithin(nav: HTMLElement, { offsetLeft, offsetWidth }: HTMLElement): void {
  const first = offsetLeft + offsetWidth + fadePx - nav.clientWidth
  const last = offsetLeft - fadePx
  nav.scrollLeft = Math.min(last, Math.max(first, nav.scrollLeft))
}

type Search = FilterSearch & { view?: string | undefined }

/** A filter stays between built-in views; a saved view is a filter of its own. */
function toSearch(before: Search, view: string): Search {
  const keepsFilter = isBuiltIn(view) && isBuiltIn(before.view ?? 'all')
  return { ...before, ...(keepsFilter ? {} : noFilter), view }
}

interface ViewTabsProps {
  view: string
  listKey: ListKey
}

export function ViewTabs({ view: current, listKey }: ViewTabsProps) {
  const views = useViews()
  const counts = useStore(viewCounts)
  const nav = useRef<HTMLElement>(null)
  const navigate = useNavigate()
  const [dialog, setDialog] = useState<'save' | 'manage'>()
  useActions(useViewActions(views, setDialog))
  const hasCounts = counts[current] !== undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: the chosen view comes into sight, as wide as it is then
  useEffect(() => {
    const chosen = nav.current?.querySelector<HTMLElement>('[aria-current]')
    if (chosen && nav.current) showWithin(nav.current, chosen)
  }, [current, views.length, hasCounts])
  const close = () => setDialog(undefined)
  return (
    <div className={styles.viewBar}>
      <nav className={inbox.views} aria-label={t.views} ref={nav}>
        {views.map(({ id, label }) => (
          <Link
            key={id}
            to="/inbox"
            search={before => toSearch(before, id)}
            className={inbox.view}
            aria-current={id === current ? 'page' : undefined}
          >
            {label}
            <ViewCount count={counts[id]} />
          </Link>
        ))}
      </nav>
      <ViewMenu views={views} current={current} onOpen={setDialog} />
      {dialog === 'save' && (
        <SaveView
          views={conversationViews}
          content={listKey}
          onSaved={id => void navigate({ to: '/inbox', search: { view: id } })}
          onClose={close}
        />
      )}
      {dialog === 'manage' && <ManageViews views={conversationViews} onClose={close} />}
    </div>
  )
}

interface ViewMenuProps {
  views: readonly ListedView[]
  current: string
  onOpen: (dialog: 'save' | 'manage') => void
}

function ViewMenu({ views, current, onOpen }: ViewMenuProps) {
  const navigate = useNavigate()
  const items: MenuItem[] = views.map(({ id, label }, position) => ({
    id,
    label,
    checked: id === current,
    keys: position < 9 ? String(position + 1) : undefined,
    ...(position === viewIds.length ? { group: t.savedViews } : {}),
    onSelect: () => void navigate({ to: '/inbox', search: before => toSearch(before, id) }),
  }))
  items.push(
    { id: 'save', label: t.saveView, icon: BookmarkIcon, group: true, onSelect: () => onOpen('save') },
    { id: 'manage', label: t.manageViews, icon: SettingsIcon, onSelect: () => onOpen('manage') },
  )
  return (
    <Menu items={items} align="end" label={t.allViews}>
      <IconButton icon={ChevronDownIcon} label={t.allViews} />
    </Menu>
  )
}

function ViewCount({ count }: { count: Count | undefined }) {
  if (!count || count.count === 0) return null
  return (
    <span className={inbox.viewCount}>
      {count.count}
      {count.approximate && '+'}
    </span>
  )
}

/** The keys 1 to 9 show the first views. */
function useViewActions(views: readonly ListedView[], onOpen: (dialog: 'save' | 'manage') => void): Action[] {
  const navigate = useNavigate()
  return [
    ...views.map(({ id, label }, position) => ({
      id: `view-${id}`,
      label: t.showView(label),
      group: t.views,
      ...(position < 9 ? { keys: String(position + 1) } : {}),
      run: () => void navigate({ to: '/inbox', search: (before: Search) => toSearch(before, id) }),
    })),
    { id: 'save-view', label: t.saveView, group: t.views, icon: BookmarkIcon, run: () => onOpen('save') },
    {
      id: 'manage-views',
      label: t.manageViews,
      group: t.views,
      icon: SettingsIcon,
      run: () => onOpen('manage'),
    },
  ]
}
