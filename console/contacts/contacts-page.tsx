/** The contacts of the workspace: search, filter, table, and what can be done with many of them. */
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import type { VListHandle } from 'virtua'
import { hasScope } from '../api/session.ts'
import { preferences } from '../app/preferences.ts'
import { useStore } from '../app/store.ts'
import { formatNumber } from '../i18n/format.ts'
import { clearSelection } from '../inbox/bulk/selection.ts'
import { useFields } from '../segments/filter/references.ts'
import { Button } from '../ui/button.tsx'
import { PlusIcon } from '../ui/icons.tsx'
import { Page } from '../ui/page.tsx'
import { type ContactsSearch, toRequestFilter, toSort, validateContacts } from './address.ts'
import { ContactBulkBar } from './bulk/contact-bulk-bar.tsx'
import { defaultColumns, listColumns } from './columns.tsx'
import { ContactTable } from './contact-table.tsx'
import styles from './contacts.module.css'
import { NewContact } from './new-contact.tsx'
import { Peek } from './peek.tsx'
import { texts } from './texts.ts'
import { ContactTools } from './tools.tsx'
import { type Sort, useContactList } from './use-contact-list.ts'
import { useTableActions } from './use-table-actions.ts'

export function ContactsPage() {
  const search = validateContacts({ ...useSearch({ from: '/contacts' }) })
  const navigate = useNavigate()
  const fields = useFields()
  const filter = toRequestFilter(search)
  const sort = toSort(search.sort)
  const list = useContactList(filter, sort)
  const shown = useStore(preferences).contactColumns ?? defaultColumns
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
  const set = (values: ContactsSearch) =>
    void navigate({ to: '/contacts', search: before => ({ ...before, ...values }), replace: true })
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
        searchRef={searchRef}
        columns={listColumns(fields)}
        shown={shown}
        onChange={set}
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

function ContactCount({ value }: { value: number | undefined }) {
  return (
    <small role="status" className={styles.count}>
      {value === undefined ? texts().counting : texts().count(formatNumber(value), value === 1)}
    </small>
  )
}
