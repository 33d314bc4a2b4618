/** The head of the list: search, filter and views. */
import { Link, useNavigate } from '@tanstack/react-router'
import { type RefObject, useEffect, useState } from 'react'
import { useActions } from '../../actions/registry.ts'
import { keysOf } from '../../actions/shortcuts.ts'
import { hasScope } from '../../api/session.ts'
import { t } from '../../i18n/i18n.ts'
import { IconButton } from '../../ui/controls/button.tsx'
import { FilterIcon, PlusIcon } from '../../ui/controls/icons.tsx'
import inbox from '../inbox.module.css'
import type { ListKey } from '../state/views.ts'
import { FilterBar, FilterPicker } from './filter-bar.tsx'
import { NewConversation } from './lazy-dialogs.ts'
import styles from './list.module.css'
import { ViewTabs } from './view-tabs.tsx'

interface ListHeaderProps {
  view: string
  listKey: ListKey
  searchRef: RefObject<HTMLInputElement | null>
}

export function ListHeader({ view, listKey, searchRef }: ListHeaderProps) {
  const [dialog, setDialog] = useState<'filter' | 'new'>()
  const open = () => setDialog('filter')
  const create = () => setDialog('new')
  const close = () => setDialog(undefined)
  const canCreate = hasScope('message:create')
  useActions([
    { id: 'filter', label: t.filterBy, group: t.inbox, icon: FilterIcon, run: open },
    ...(canCreate
      ? [{ id: 'new', label: t.newConversation, group: t.inbox, icon: PlusIcon, run: create }]
      : []),
  ])
  return (
    <header className={inbox.listHeader}>
      <h1 className={styles.hidden}>{t.inbox}</h1>
      <div className={styles.tools}>
        <Search text={listKey.filter.search ?? ''} searchRef={searchRef} />
        <IconButton icon={FilterIcon} label={t.filter} keys={keysOf('filter')} onClick={open} />
        {canCreate && (
          <IconButton icon={PlusIcon} label={t.newConversation} keys={keysOf('new')} onClick={create} />
        )}
      </div>
      {listKey.filter.search && <SearchMessages text={listKey.filter.search} />}
      <ViewTabs view={view} listKey={listKey} />
      <FilterBar view={view} listKey={listKey} />
      {dialog === 'filter' && <FilterPicker view={view} listKey={listKey} onClose={close} />}
      {dialog === 'new' && <NewConversation onClose={close} />}
    </header>
  )
}

/** The field finds conversations by name; this link finds what was written. */
function SearchMessages({ text }: { text: string }) {
  return hasScope('conversation:read') ? (
    <Link to="/search" search={{ q: text }}>
      {t.searchMessagesFor(text)}
    </Link>
  ) : null
}

function Search({ text, searchRef }: { text: string; searchRef: RefObject<HTMLInputElement | null> }) {
  const navigate = useNavigate()
  const [typed, setTyped] = useState(text)
  // The field follows the address, which is later than the keys of the user.
  useEffect(() => {
    if (document.activeElement !== searchRef.current) setTyped(text)
  }, [text, searchRef])
  return (
    <input
      ref={searchRef}
      type="search"
      className={inbox.search}
      placeholder={t.searchConversations}
      aria-label={t.searchConversations}
      value={typed}
      onChange={event => {
        setTyped(event.target.value)
        const q = event.target.value.trim() || undefined
        void navigate({ to: '.', search: before => ({ ...before, q }), replace: true })
      }}
      onKeyDown={event => event.key === 'Escape' && event.currentTarget.blur()}
    />
  )
}
