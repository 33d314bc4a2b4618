/** A row of a file, with what its contact would be if it is a new one: worked out before the transaction begins. */

import { type FieldType } from '../schemas.ts'
import {
  buildStoredProfile,
  type FieldValueRow,
  type StoredProfile,
  toFieldValueRows,
} from '../search-document.ts'
import type { TypedField } from '../tags-and-fields/custom-field-values.ts'
import type { Column } from './parse-header.ts'
import type { RowValues } from './parse-row.ts'

export interface PreparedProfile {
  stored: StoredProfile
  values: FieldValueRow[]
}

export interface ParsedRow {
  values: RowValues
  profile: PreparedProfile | undefined
  /** Where its phone number came first in the file. */
  firstRow: number
}

export type GetField = (fieldId: string) => TypedField

/** Fields never change their type. */
export function buildFieldLookup(columns: readonly Column[]): GetField {
  const types = new Map<string, FieldType>()
  for (const column of columns) if (column.kind === 'field') types.set(column.fieldId, column.type)
  return id => ({ id, type: types.get(id) ?? 'text' })
}

export function buildProfile(said: RowValues, kindOf: GetField): PreparedProfile {
  const phones = said.phone === undefined ? [] : [said.phone]
  const stored = buildStoredProfile({ name: said.name ?? null, fields: said.values, phones }, kindOf)
  return { stored, values: toFieldValueRows(stored.spelled, kindOf) }
}

/** Several rows about one contact, as if they had been applied one after the other. */
export function mergeRows(rows: readonly RowValues[]): RowValues {
  const [first, ...others] = rows as [RowValues, ...RowValues[]]
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
