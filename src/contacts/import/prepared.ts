/** A row of a file, with what its contact would be if it is a new one: worked out before the transaction begins. */
import { type FieldValueRow, type StoredProfile, storedProfile, valueRows } from '../profile.ts'
import type { FieldType } from '../schemas.ts'
import type { FieldKind } from '../values.ts'
import type { Column } from './columns.ts'
import type { ImportedRow } from './rows.ts'

export interface NewProfile {
  stored: StoredProfile
  values: FieldValueRow[]
}

export interface Prepared {
  said: ImportedRow
  profile: NewProfile | undefined
  /** Where its phone number came first in the file. */
  firstRow: number
}

export type KindOf = (fieldId: string) => FieldKind

/** Fields never change their type. */
export function kindsOf(columns: readonly Column[]): KindOf {
  const types = new Map<string, FieldType>()
  for (const column of columns) if (column.kind === 'field') types.set(column.fieldId, column.type)
  return id => ({ id, type: types.get(id) ?? 'text' })
}

export function profileOf(said: ImportedRow, kindOf: KindOf): NewProfile {
  const phones = said.phone === undefined ? [] : [said.phone]
  const stored = storedProfile({ name: said.name ?? null, fields: said.values, phones }, kindOf)
  return { stored, values: valueRows(stored.spelled, kindOf) }
}

/** Several rows about one contact, as if they had been applied one after the other. */
export function mergeRows(rows: readonly ImportedRow[]): ImportedRow {
  const [first, ...others] = rows as [ImportedRow, ...ImportedRow[]]
  if (others.length === 0) return first
  const said = { ...first, values: { ...first.values } }
  const tags = new Set(first.tags)
  for (const { values, tags: more, ...rest } of others) {
    Object.assign(said, rest)
    Object.assign(said.values, values)
    for (const name of more) tags.add(name)
  }
  return { ...said, tags: [...tags] }
}
