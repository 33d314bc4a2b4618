/** Above the table: search, filter, columns, order, import and export. */
import { Link } from '@tanstack/react-router'
import { type RefObject, useEffect, useState } from 'react'
import { useActions } from '../actions/registry.ts'
import { hasScope } from '../api/session.ts'
import { t } from '../i18n/i18n.ts'
import { emptyFilter, type Filter, isCompleteFilter } from '../segments/filter/conditions.ts'
import { describeFilter } from '../segments/filter/describe-filter.ts'
import { FilterEditor } from '../segments/filter/filter-editor.tsx'
import { useReferences } from '../segments/filter/references.ts'
import buttons from '../ui/controls/button.module.css'
import { Button } from '../ui/controls/button.tsx'
import field from '../ui/controls/field.module.css'
import { BookmarkIcon, ChevronDownIcon, FilterIcon } from '../ui/controls/icons.tsx'
import { useKeptFocus } from '../ui/focus/use-kept-focus.ts'
import { lazyPart } from '../ui/layout/lazy-part.tsx'
import { Menu } from '../ui/overlays/menu.tsx'
import { classNames } from '../ui/styles/class-names.ts'
import { type ContactsSearch, sortFields, toRequestFilter, toSort } from './address.ts'
import type { ContactView } from './contact-views.ts'
import styles from './contacts.module.css'
import type { SaveSegmentProps } from './save-segment.tsx'
import { texts } from './texts.ts'
import { ViewsMenu } from './views-menu.tsx'

const SaveSegment = lazyPart<SaveSegmentProps>(async () => (await import('./save-segment.tsx')).SaveSegment)

interface ContactToolsProps {
  /** The state of the table, the view included. */
  search: ContactsSearch
  view: ContactView | undefined
  searchRef: RefObject<HTMLInputElement | null>
  columns: readonly { id: string; label: string }[]
  shown: readonly string[]
  onChange: (values: ContactsSearch) => void
  onColumn: (id: string, isShown: boolean) => void
}

export function ContactTools(props: ContactToolsProps) {
  const { search, view, searchRef, columns, shown, onChange, onColumn } = props
  const [isFiltering, setFiltering] = useState(search.filter !== undefined)
  const toggle = () => {
    if (!isFiltering && !search.filter) onChange({ filter: undefined })
    setFiltering(!isFiltering)
  }
  useActions([{ id: 'filter', label: t.filterBy, group: texts().contacts, icon: FilterIcon, run: toggle }])
  const count = search.filter?.conditions.length ?? 0
  return (
    <>
      <div className={styles.tools}>
        <SearchField text={search.q ?? ''} searchRef={searchRef} onChange={q => onChange({ q })} />
        <div className={styles.buttons}>
          <Button icon={FilterIcon} aria-expanded={isFiltering} onClick={toggle}>
            {count > 0 ? `${t.filter} (${count})` : t.filter}
          </Button>
          {hasScope('view:list') && <ViewsMenu view={view} shown={search} columns={shown} />}
          <OrderMenu sort={search.sort} onChange={sort => onChange({ sort })} />
          <ColumnMenu columns={columns} shown={shown} onColumn={onColumn} />
          {hasScope('contact:create') && (
            <Link to="/contacts/import" className={buttons.button}>
              {texts().importFile}
            </Link>
          )}
          {hasScope('contact:export') && <ExportLink search={search} />}
        </div>
      </div>
      {isFiltering && <FilterPanel search={search} onChange={onChange} onClose={() => setFiltering(false)} />}
    </>
  )
}

/** Exports what the table shows: all contacts, or those that match. */
function ExportLink({ search }: Pick<ContactToolsProps, 'search'>) {
  const filter = toRequestFilter(search)
  const isFiltered = filter.conditions.length > 0
  const query = new URLSearchParams({ filter: JSON.stringify(filter) })
  const href = isFiltered ? `/v1/contacts/search/export?${query}` : '/v1/contacts/export'
  return (
    <a className={buttons.button} href={href} download>
      {isFiltered ? texts().exportMatching : texts().exportAll}
    </a>
  )
}

function SearchField({
  text,
  searchRef,
  onChange,
}: {
  text: string
  searchRef: RefObject<HTMLInputElement | null>
  onChange: (q: string | undefined) => void
}) {
  const [typed, setTyped] = useState(text)
  // The field follows the address, which is later than the keys of the user.
  useEffect(() => {
    if (document.activeElement !== searchRef.current) setTyped(text)
  }, [text, searchRef])
  return (
    <input
      ref={searchRef}
      type="search"
      className={field.input}
      placeholder={texts().search}
      aria-label={texts().search}
      value={typed}
      maxLength={200}
      onChange={event => {
        setTyped(event.target.value)
        onChange(event.target.value.trim() || undefined)
      }}
      onKeyDown={event => event.key === 'Escape' && event.currentTarget.blur()}
    />
  )
}

function OrderMenu({ sort, onChange }: { sort: string | undefined; onChange: (sort: string) => void }) {
  const { field: current } = toSort(sort)
  const items = sortFields.map(id => ({
    id,
    label: texts().columnNames[id],
    checked: id === current,
    onSelect: () => onChange(id === 'name' ? id : `-${id}`),
  }))
  return (
    <Menu items={items} label={texts().sortBy}>
      <Button icon={ChevronDownIcon}>{texts().sortBy}</Button>
    </Menu>
  )
}

function ColumnMenu({ columns, shown, onColumn }: Pick<ContactToolsProps, 'columns' | 'shown' | 'onColumn'>) {
  const items = columns.map(({ id, label }) => ({
    id,
    label,
    checked: shown.includes(id),
    onSelect: () => onColumn(id, !shown.includes(id)),
  }))
  return (
    <Menu items={items} label={texts().columns}>
      <Button icon={ChevronDownIcon}>{texts().columns}</Button>
    </Menu>
  )
}

/** Incomplete conditions are kept here; the address has the last complete filter. */
function FilterPanel({
  search,
  onChange,
  onClose,
}: Pick<ContactToolsProps, 'search' | 'onChange'> & { onClose: () => void }) {
  const panel = useKeptFocus<HTMLElement>()
  const lists = useReferences()
  useEffect(SaveSegment.preload, [])
  const [draft, setDraft] = useState<Filter>(search.filter ?? emptyFilter)
  const [isSaving, setSaving] = useState(false)
  const address = JSON.stringify(search.filter ?? emptyFilter)
  // The back button and links change the filter too.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the address changes
  useEffect(() => {
    if (isCompleteFilter(draft) && JSON.stringify(draft) !== address) setDraft(JSON.parse(address))
  }, [address])
  const change = (filter: Filter) => {
    setDraft(filter)
    if (isCompleteFilter(filter)) onChange({ filter: filter.conditions.length > 0 ? filter : undefined })
  }
  const clear = () => {
    setDraft(emptyFilter)
    onChange({ filter: undefined })
    onClose()
  }
  return (
    <section ref={panel} className={styles.panel} aria-label={t.filter}>
      <p className={styles.muted}>{describeFilter(toRequestFilter({ ...search, filter: draft }), lists)}</p>
      <FilterEditor filter={draft} depth={2} onChange={change} />
      <div className={classNames(styles.line)}>
        {hasScope('segment:create') && (
          <Button icon={BookmarkIcon} disabled={!isCompleteFilter(draft)} onClick={() => setSaving(true)}>
            {texts().saveAsSegment}
          </Button>
        )}
        <Button look="plain" onClick={clear}>
          {t.clearFilter}
        </Button>
      </div>
      {isSaving && (
        <SaveSegment
          filter={toRequestFilter({ ...search, filter: draft })}
          onClose={() => setSaving(false)}
        />
      )}
    </section>
  )
}
