/** The contacts of the workspace: search, filter, table, and what can be done with many of them. */
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import type { VListHandle } from 'virtua'
import { hasScope } from '../api/session.ts'
import { preferences } from '../app/preferences.ts'
import { useStore } from '../app/store.ts'
import { formatNumber } from '../i18n/format.ts'
import { clearSelection } from '../inbox/bulk/selection.ts'
import { emptyFilter } from '../segments/filter/conditions.ts'
import { useFields } from '../segments/filter/references.ts'
import { Button } from '../ui/controls/button.tsx'
import { PlusIcon } from '../ui/controls/icons.tsx'
import { lazyPart } from '../ui/layout/lazy-part.tsx'
import { Page } from '../ui/layout/page.tsx'
import { Loading } from '../ui/layout/state-view.tsx'
import { type ContactsSearch, toRequestFilter, toSort, validateContacts } from './address.ts'
import { ContactBulkBar } from './bulk/contact-bulk-bar.tsx'
import { defaultColumns, listColumns } from './columns.tsx'
import { ContactTable } from './contact-table.tsx'
import { applyView, type ContactView, contactViews, useContactViews } from './contact-views.ts'
import styles from './contacts.module.css'
import { Peek } from './peek.tsx'
import { texts } from './texts.ts'
import { ContactTools } from './tools.tsx'
import { type Sort, useContactList } from './use-contact-list.ts'
import { useTableActions } from './use-table-actions.ts'

const NewContact = lazyPart<{ onClose: () => void }>(
  async () => (await import('./new-contact.tsx')).NewContact,
)

/** The screens that the user is likely to open next. */
function preload(): void {
  NewContact.preload()
  void import('./page/contact-page.tsx').catch(() => {})
}

export function ContactsPage() {
  useEffect(preload, [])
  const address = validateContacts({ ...useSearch({ from: '/contacts' }) })
  const areViewsRead = useContactViews()
  const views = useStore(contactViews.store)
  const view = views.find(({ id }) => id === address.view)
  if (address.view && !view && !areViewsRead)
    return (
      <Page title={texts().contacts} label={texts().contacts} isFilled>
        <Loading rows={8} />
      </Page>
    )
  return <Contacts search={applyView(address, view)} view={view} />
}

/** `search` is what the table shows, the view included. */
function Contacts({ search, view }: { search: ContactsSearch; view: ContactView | undefined }) {
  const fields = useFields()
  const filter = toRequestFilter(search)
  const sort = toSort(search.sort)
  const list = useContactList(filter, sort)
  const { shown, set, setColumn } = useAddress(search, view)
  const [isCreating, setCreating] = useState(false)
  const [peekedId, setPeeked] = useState<string>()
  const [editingId, setEditing] = useState<string>()
  const handle = useRef<VListHandle>(null)
  const searchRef = useRef<HTMLInputElement>(null)
  const key = JSON.stringify(filter)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the selection is cleared when the search changes
  useEffect(() => clearSelection, [key])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another order begins at the top, too
  useEffect(() => handle.current?.scrollTo(0), [key, search.sort])
  useTableActions({
    rows: list.rows,
    handle,
    searchRef,
    onNew: () => setCreating(true),
    onPeek: setPeeked,
    onEdit: setEditing,
  })
  const sortBy = (field: Sort['field']) => {
    const isSame = sort.field === field
    const isDescending = isSame ? sort.direction === 'asc' : field !== 'name'
    set({ sort: `${isDescending ? '-' : ''}${field}` })
  }
  const title = (
    <>
      {texts().contacts} <ContactCount value={list.count} />
    </>
  )
  const create = hasScope('contact:create') && (
    <Button look="primary" icon={PlusIcon} onClick={() => setCreating(true)}>
      {texts().newContact}
    </Button>
  )
  return (
    <Page title={title} label={texts().contacts} actions={create} isFilled>
      <ContactTools
        search={search}
        view={view}
        searchRef={searchRef}
        columns={listColumns(fields)}
        shown={shown}
        onChange={set}
        onColumn={setColumn}
      />
      <ContactBulkBar filter={filter} rows={list.rows} count={list.count} fields={fields} />
      <ContactTable
        list={list}
        handle={handle}
        isFiltered={filter.conditions.length > 0}
        context={{
          shown,
          fields,
          sort,
          editingId,
          change: list.change,
          onSort: sortBy,
          onEdit: setEditing,
          onPeek: setPeeked,
        }}
        create={create}
        onClear={() => set({ q: undefined, filter: undefined })}
      />
      {isCreating && <NewContact onClose={() => setCreating(false)} />}
      {peekedId && <Peek contactId={peekedId} onClose={() => setPeeked(undefined)} />}
    </Page>
  )
}

/** Changes the address: search, filter and order, and the columns of a view. Without a view, columns are preferences. */
function useAddress({ columns }: ContactsSearch, view: ContactView | undefined) {
  const navigate = useNavigate()
  const preferred = useStore(preferences).contactColumns ?? defaultColumns
  const shown = columns ?? preferred
  const set = (values: ContactsSearch) => {
    // Without a filter in the address, the table would have that of the view.
    const cleared = view && 'filter' in values && !values.filter ? { filter: emptyFilter } : {}
    void navigate({
      to: '/contacts',
      search: before => ({ ...before, ...values, ...cleared }),
      replace: true,
    })
  }
  const setColumn = (id: string, isShown: boolean) => {
    const next = isShown ? [...shown, id] : shown.filter(item => item !== id)
    if (view) set({ columns: next })
    else preferences.update(before => ({ ...before, contactColumns: next }))
  }
  return { shown, set, setColumn }
}

function ContactCount({ value }: { value: number | undefined }) {
  return (
    <small role="status" className={styles.count}>
      {value === undefined ? texts().counting : texts().count(formatNumber(value), value === 1)}
    </small>
  )
}
