/** Searches the texts of all messages or notes. Text and filter are in the address. */
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { useActions } from '../actions/registry.ts'
import { getSignedIn } from '../api/session.ts'
import { t } from '../i18n/i18n.ts'
import { Button } from '../ui/controls/button.tsx'
import { Select, TextField } from '../ui/controls/field.tsx'
import { Page } from '../ui/layout/page.tsx'
import { Empty } from '../ui/layout/state-view.tsx'
import {
  hasWords,
  isFiltered,
  isReversed,
  listSenders,
  parseAddress,
  type Search,
  type SearchAddress,
  toQuery,
  types,
} from './address.ts'
import { Results } from './results.tsx'
import styles from './search.module.css'
import { texts } from './texts.ts'

const noFilter = { type: undefined, inbox: undefined, sender: undefined, from: undefined, to: undefined }

export function SearchPage() {
  const search = parseAddress(useSearch({ from: '/search' }))
  const navigate = useNavigate()
  const field = useRef<HTMLInputElement>(null)
  const change = (values: { [K in keyof SearchAddress]: string | undefined }) =>
    void navigate({ to: '/search', search: before => clean({ ...before, ...values }), replace: true })
  useActions([
    {
      id: 'search',
      label: t.searchMessages,
      group: t.searchMessages,
      run: () => field.current?.focus(),
    },
  ])
  useEffect(() => field.current?.focus(), [])
  const clear = () => change(noFilter)
  return (
    <Page title={t.searchMessages} label={t.searchMessages}>
      <search>
        <TextInput search={search} field={field} onChange={q => change({ q })} />
        <Filters search={search} onChange={change} onClear={clear} />
      </search>
      {search.q === '' ? (
        <Empty title={texts().begin} />
      ) : (
        hasWords(search.q) &&
        !isReversed(search) && (
          <Results key={JSON.stringify(search)} query={toQuery(search)} isFiltered={isFiltered(search)} />
        )
      )}
    </Page>
  )
}

/** An address has no empty parameters. */
function clean(values: { [K in keyof SearchAddress]: string | undefined }): SearchAddress {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value))
}

const delayMs = 250

interface TextInputProps {
  search: Search
  field: RefObject<HTMLInputElement | null>
  onChange: (q: string) => void
}

/** The address follows the last key after a moment, or Enter immediately. */
function TextInput({ search: { q }, field, onChange }: TextInputProps) {
  const [typed, setTyped] = useState(q)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only keys change the address
  useEffect(() => {
    if (typed.trim() === q) return
    const timer = setTimeout(() => onChange(typed.trim()), delayMs)
    return () => clearTimeout(timer)
  }, [typed])
  // The back button and links change the text too.
  useEffect(() => {
    if (document.activeElement !== field.current) setTyped(q)
  }, [q, field])
  const text = typed.trim()
  return (
    <form
      onSubmit={event => {
        event.preventDefault()
        onChange(text)
      }}
    >
      <TextField
        ref={field}
        type="search"
        label={texts().text}
        hint={texts().hint}
        error={text !== '' && !hasWords(text) ? texts().noWords : undefined}
        maxLength={200}
        value={typed}
        onChange={event => setTyped(event.target.value)}
        onKeyDown={event => {
          if (event.key !== 'Escape') return
          // Browsers clear a field for searches.
          event.preventDefault()
          event.currentTarget.blur()
        }}
      />
    </form>
  )
}

interface FiltersProps {
  search: Search
  onChange: (values: SearchAddress) => void
  onClear: () => void
}

function Filters({ search, onChange, onClear }: FiltersProps) {
  const { type, inbox = '', sender = '', from = '', to = '' } = search
  return (
    <div className={styles.filters}>
      <Select label={texts().type} value={type} onChange={event => onChange({ type: event.target.value })}>
        {types.map(item => (
          <option key={item} value={item}>
            {texts().types[item]}
          </option>
        ))}
      </Select>
      <Select
        label={texts().sender}
        value={sender}
        onChange={event => onChange({ sender: event.target.value })}
      >
        <option value="">{texts().anyone}</option>
        {listSenders(type).map(item => (
          <option key={item} value={item}>
            {texts().senders[item]}
          </option>
        ))}
      </Select>
      <Select label={texts().inbox} value={inbox} onChange={event => onChange({ inbox: event.target.value })}>
        <option value="">{texts().anyInbox}</option>
        {[...getSignedIn().inboxes.values()].map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Select>
      <TextField
        type="date"
        label={texts().from}
        value={from}
        onChange={event => onChange({ from: event.target.value })}
      />
      <TextField
        type="date"
        label={texts().to}
        error={isReversed(search) ? texts().badRange : undefined}
        value={to}
        onChange={event => onChange({ to: event.target.value })}
      />
      {isFiltered(search) && <Button onClick={onClear}>{texts().clear}</Button>}
    </div>
  )
}
