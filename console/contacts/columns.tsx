/** The columns of the table: those that the user has chosen, with cells that can be edited in place. */

import { Link } from '@tanstack/react-router'
import type { KeyboardEvent } from 'react'
import { api, call } from '../api/client.ts'
import { hasScope } from '../api/session.ts'
import { toTitle } from '../app/field-title.ts'
import { formatFull, formatWhen } from '../i18n/format.ts'
import { t } from '../i18n/i18n.ts'
import { channelNames } from '../inbox/channels.ts'
import { Editable } from '../inbox/details/editable.tsx'
import type { Field } from '../segments/filter/references.ts'
import { Status } from '../ui/controls/badge.tsx'
import { IconButton } from '../ui/controls/button.tsx'
import { PencilIcon } from '../ui/controls/icons.tsx'
import type { TableColumn } from '../ui/tables/virtual-table.tsx'
import styles from './contacts.module.css'
import { texts } from './texts.ts'
import type { ChangeRow, ContactRow, Sort } from './use-contact-list.ts'

type BuiltIn = Exclude<keyof ReturnType<typeof texts>['columnNames'], 'name'>
const builtIn: readonly BuiltIn[] = [
  'phone',
  'email',
  'tags',
  'channels',
  'lastInteractionAt',
  'createdAt',
  'updatedAt',
]
export const defaultColumns: readonly string[] = ['phone', 'email', 'tags', 'lastInteractionAt', 'createdAt']

/** Everything that can be a column, in the order of the table. */
export function listColumns(fields: readonly Field[]): { id: string; label: string }[] {
  const custom = fields.filter(({ id }) => id !== 'cf_email' && id !== 'cf_phone')
  return [
    ...builtIn.map(id => ({ id: id as string, label: texts().columnNames[id] })),
    ...custom.map(({ id, name }) => ({ id: `field:${id}`, label: toTitle(name) })),
  ]
}

interface ColumnContext {
  shown: readonly string[]
  fields: readonly Field[]
  sort: Sort
  editingId: string | undefined
  change: ChangeRow
  onSort: (field: Sort['field']) => void
  onEdit: (id: string | undefined) => void
  onPeek: (id: string) => void
}

export const toName = ({ name, phone, email }: ContactRow) => name ?? phone ?? email ?? texts().unnamed

export function buildColumns(context: ColumnContext): TableColumn<ContactRow>[] {
  const { shown, fields, sort, onSort } = context
  const sortable = (id: string, field: Sort['field'] | undefined) =>
    field
      ? { id, direction: sort.field === field ? sort.direction : undefined, onSort: () => onSort(field) }
      : { id }
  const columns = listColumns(fields).filter(({ id }) => shown.includes(id))
  return [
    {
      ...sortable('name', 'name'),
      label: texts().columnNames.name,
      width: 'minmax(var(--menu), 2fr)',
      render: row => <NameCell row={row} {...context} />,
    },
    ...columns.map(({ id, label }) => ({
      ...sortable(id, sortField(id)),
      label,
      width: `minmax(calc(2 * var(--space-7)), ${id === 'email' ? 1.5 : 1}fr)`,
      render: (row: ContactRow) => <Cell id={id} label={label} row={row} {...context} />,
    })),
  ]
}

const sortField = (id: string) =>
  id === 'lastInteractionAt' || id === 'createdAt' || id === 'updatedAt' ? id : undefined

const canChange = () => hasScope('contact:update')

function NameCell({ row, editingId, change, onEdit, onPeek }: ColumnContext & { row: ContactRow }) {
  const name = toName(row)
  if (editingId === row.id)
    return (
      <Editable
        name={t.nameOfContact}
        value={row.name ?? ''}
        isReadOnly={false}
        isOpen
        onDone={() => onEdit(undefined)}
        onSave={text => {
          const value = text === '' ? null : text
          const params = { path: { id: row.id } }
          change(row, { name: value }, () =>
            call(api.PATCH('/contacts/{id}', { params, body: { name: value } })),
          )
        }}
      />
    )
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== ' ') return
    event.preventDefault()
    onPeek(row.id)
  }
  return (
    <>
      <Link
        to="/contacts/$contactId"
        params={{ contactId: row.id }}
        className={styles.name}
        onKeyDown={onKeyDown}
      >
        {name}
      </Link>
      {row.archivedAt && <Status>{texts().archived}</Status>}
      {canChange() && (
        <IconButton
          className={styles.edit}
          icon={PencilIcon}
          label={texts().editNameOf(name)}
          tabIndex={-1}
          onClick={() => onEdit(row.id)}
        />
      )}
    </>
  )
}

interface CellProps extends ColumnContext {
  id: string
  label: string
  row: ContactRow
}

function Cell({ id, label, row, fields, change }: CellProps) {
  if (id === 'phone') return row.phone
  if (id === 'tags') return row.tags.map(tag => <Status key={tag.id}>{tag.name}</Status>)
  if (id === 'channels') return row.channels.map(channel => channelNames[channel]).join(', ')
  if (id === 'lastInteractionAt' || id === 'createdAt' || id === 'updatedAt') {
    const at = row[id]
    return at ? <time title={formatFull(at)}>{formatWhen(at)}</time> : null
  }
  const fieldId = id === 'email' ? 'cf_email' : id.slice('field:'.length)
  const field = fields.find(item => item.id === fieldId)
  const name = field?.name ?? fieldId
  const save = (value: string) => {
    const params = { path: { id: row.id } }
    const customFields = { ...row.customFields, [name]: value }
    const values = { customFields, ...(id === 'email' ? { email: value || null } : {}) }
    const body = { customFields: { [name]: value } }
    change(row, values, () => call(api.PATCH('/contacts/{id}', { params, body })))
  }
  return (
    <Editable
      name={label}
      value={row.customFields?.[name] ?? ''}
      type={field?.type ?? 'text'}
      isReadOnly={!canChange()}
      onSave={save}
    />
  )
}
