/** The audit log: who changed what and when, with the values before and after. The filter is in the address. */
import { useState } from 'react'
import { api, call, type Schemas } from '../../api/client.ts'
import { getSignedIn } from '../../api/session.ts'
import { findActorName, useActorName } from '../../app/actor-name.ts'
import { formatFull } from '../../i18n/format.ts'
import { addDays, parseDate, toInstant } from '../../reports/range.ts'
import { Button, IconButton } from '../../ui/controls/button.tsx'
import { Select, TextField } from '../../ui/controls/field.tsx'
import { FilterIcon } from '../../ui/controls/icons.tsx'
import { LeavingButton } from '../../ui/focus/leaving-button.tsx'
import { attempt, useScopes } from '../common/tasks.ts'
import { useAddress } from '../common/use-address.ts'
import { Loaded, useLoaded } from '../common/use-loaded.tsx'
import styles from '../settings.module.css'
import { SettingsFrame } from '../settings-frame.tsx'
import { texts as common } from '../texts.ts'
import { listActionGroups, nameAction } from './action-names.ts'
import { toLines } from './changes.ts'
import { texts } from './texts.ts'

type Entry = Schemas['AuditEntry']

/** `from` and `to` are days of the workspace, both included. */
const names = ['action', 'actorId', 'targetId', 'from', 'to'] as const
type Filter = Partial<Record<(typeof names)[number], string>>

const limit = 50

function fetchPage({ from, to, ...filter }: Filter, cursor?: string) {
  const { timezone } = getSignedIn().workspace
  const query = {
    ...filter,
    ...(from ? { after: toInstant(from, timezone) } : {}),
    ...(to ? { before: toInstant(addDays(to, 1), timezone) } : {}),
    ...(cursor ? { cursor } : {}),
    limit,
  }
  return call(api.GET('/audit-log', { params: { query } }))
}

/** Drops empty values and invalid dates. */
function toFilter(values: Record<string, string | undefined>): Filter {
  const parsed: typeof values = { ...values, from: parseDate(values.from), to: parseDate(values.to) }
  return Object.fromEntries(names.flatMap(name => (parsed[name] ? [[name, parsed[name]]] : [])))
}

export function Page() {
  const can = useScopes()
  return (
    <SettingsFrame title={common().pages['/settings/audit']} scope="audit:read">
      {can('audit:read') && <AuditLog />}
    </SettingsFrame>
  )
}

function AuditLog() {
  const [address, setAddress] = useAddress()
  const filter = toFilter(address)
  const key = JSON.stringify(filter)
  return (
    <>
      <p className={styles.muted}>{texts().hint}</p>
      <FilterForm key={key} filter={filter} onChange={setAddress} />
      <Entries key={`entries ${key}`} filter={filter} onTarget={id => setAddress({ targetId: id })} />
    </>
  )
}

const toOption = ({ id, name }: { id: string; name: string }) => (
  <option key={id} value={id}>
    {name}
  </option>
)

const noFilter = { action: '', actorId: '', targetId: '', from: '', to: '' }

interface FilterFormProps {
  filter: Filter
  onChange: (filter: Record<keyof Filter, string | undefined>) => void
}

function FilterForm({ filter, onChange }: FilterFormProps) {
  const [values, setValues] = useState({ ...noFilter, ...filter })
  const { users, serviceAccounts } = getSignedIn()
  const apply = (next: typeof values) =>
    onChange({
      action: next.action || undefined,
      actorId: next.actorId || undefined,
      targetId: next.targetId.trim() || undefined,
      from: next.from || undefined,
      to: next.to || undefined,
    })
  const isReversed = values.from !== '' && values.to !== '' && values.from > values.to
  return (
    <search>
      <form
        className={styles.filter}
        onSubmit={event => {
          event.preventDefault()
          if (!isReversed) apply(values)
        }}
      >
        <ActionSelect value={values.action} onChange={action => apply({ ...values, action })} />
        <Select
          label={texts().actor}
          value={values.actorId}
          onChange={event => apply({ ...values, actorId: event.target.value })}
        >
          <option value="">{texts().anyone}</option>
          <optgroup label={texts().users}>{[...users.values()].map(toOption)}</optgroup>
          {serviceAccounts.size > 0 && (
            <optgroup label={texts().serviceAccounts}>{[...serviceAccounts.values()].map(toOption)}</optgroup>
          )}
        </Select>
        <TextField
          label={texts().target}
          maxLength={200}
          value={values.targetId}
          onChange={event => setValues({ ...values, targetId: event.target.value })}
        />
        <TextField
          type="date"
          label={texts().from}
          value={values.from}
          onChange={event => setValues({ ...values, from: event.target.value })}
        />
        <TextField
          type="date"
          label={texts().to}
          error={isReversed ? texts().badRange : undefined}
          value={values.to}
          onChange={event => setValues({ ...values, to: event.target.value })}
        />
        <div className={styles.name}>
          <Button type="submit">{texts().apply}</Button>
          {Object.keys(filter).length > 0 && (
            <Button look="plain" onClick={() => apply(noFilter)}>
              {texts().clear}
            </Button>
          )}
        </div>
      </form>
    </search>
  )
}

function ActionSelect({ value, onChange }: { value: string; onChange: (action: string) => void }) {
  const groups = listActionGroups()
  const isKnown = value === '' || groups.some(({ actions }) => actions.some(({ action }) => action === value))
  return (
    <Select label={texts().action} value={value} onChange={event => onChange(event.target.value)}>
      <option value="">{texts().anyAction}</option>
      {/* From an address. */}
      {!isKnown && <option value={value}>{value}</option>}
      {groups.map(({ resource, name, actions }) => (
        <optgroup key={resource} label={name}>
          {actions.map(({ action, name: label }) => (
            <option key={action} value={action}>
              {label}
            </option>
          ))}
        </optgroup>
      ))}
    </Select>
  )
}

function Entries({ filter, onTarget }: { filter: Filter; onTarget: (id: string) => void }) {
  const state = useLoaded(() => fetchPage(filter))
  const [older, setOlder] = useState<{ items: Entry[]; nextCursor: string | null }>()
  return (
    <Loaded state={state} rows={6}>
      {first => {
        const nextCursor = older ? older.nextCursor : first.nextCursor
        const items = [...first.items, ...(older?.items ?? [])]
        const loadMore = async () => {
          const page = await fetchPage(filter, nextCursor!)
          setOlder({ items: [...(older?.items ?? []), ...page.items], nextCursor: page.nextCursor })
        }
        return (
          <>
            {items.length === 0 && <p className={styles.muted}>{texts().none}</p>}
            <ul aria-label={common().pages['/settings/audit']}>
              {items.map(entry => (
                <EntryRow key={entry.id} entry={entry} onTarget={onTarget} />
              ))}
            </ul>
            {nextCursor && (
              <div>
                <LeavingButton onClick={() => void attempt(loadMore)}>{common().more}</LeavingButton>
              </div>
            )}
          </>
        )
      }}
    </Loaded>
  )
}

function nameActor({ actorType, actorId }: Entry): string {
  if (actorType === 'system') return texts().system
  if (actorType === 'service') return `${texts().serviceAccount} ${findActorName(actorId) ?? actorId}`
  return findActorName(actorId) ?? texts().unknown
}

function findName(id: string): string | undefined {
  const { teams, inboxes } = getSignedIn()
  return findActorName(id) ?? (teams.get(id) ?? inboxes.get(id))?.name
}

function EntryRow({ entry, onTarget }: { entry: Entry; onTarget: (id: string) => void }) {
  const { at, action, actorType, actorId, targetId, details } = entry
  useActorName(actorType === 'service' ? actorId : undefined)
  const target = findName(targetId)
  return (
    <li className={styles.row}>
      <div className={styles.texts}>
        <p className={styles.name}>
          {nameActor(entry)} · {nameAction(action)}
        </p>
        <p className={styles.muted}>
          {[formatFull(at), action, target, targetId].filter(Boolean).join(' · ')}
        </p>
        <Details details={details} own={action === 'user.role_changed' ? 'role' : ''} />
      </div>
      <IconButton icon={FilterIcon} label={texts().onlyTarget(targetId)} onClick={() => onTarget(targetId)} />
    </li>
  )
}

function Details({ details, own }: { details: Entry['details']; own: string }) {
  const lines = toLines(details, own)
  const show = (value: string) => findName(value) ?? (value || texts().nothing)
  if (lines.length === 0) return null
  return (
    <dl className={styles.facts}>
      {lines.map(({ name, before, value }) => (
        <div key={name} style={{ display: 'contents' }}>
          <dt>{name || texts().details}</dt>
          <dd>
            {before !== undefined && (
              <>
                {texts().before}: {show(before)}
                <br />
                {texts().after}:{' '}
              </>
            )}
            {show(value)}
          </dd>
        </div>
      ))}
    </dl>
  )
}
