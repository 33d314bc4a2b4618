/** Derives the sort key, the search text and the comparable values of a contact. They are always written together. */

import {
  emailFieldId,
  phoneFieldId,
  type TypedField,
  toComparable,
  toIndexKey,
} from '../tags-and-fields/custom-field-values.ts'
import { toSearchText, toSortName } from './search-text.ts'

export interface Profile {
  name: string | null
  /** By field id. */
  fields: Record<string, string>
  phones: readonly string[]
}

export interface StoredProfile {
  name: string | null
  sortName: string
  fields: Record<string, string>
  searchValues: Record<string, string>
  search: string
  fieldText: string
}

export interface FieldValueRow {
  fieldId: string
  key: string
  monthDay: string | null
}

/** Reuses the stored comparable form of unchanged values: their field may be newer than the loaded definitions. */
export function buildStoredProfile(
  profile: Profile,
  getField: (fieldId: string) => TypedField,
  before: { fields: Record<string, string>; searchValues: Record<string, string> } = {
    fields: {},
    searchValues: {},
  },
): StoredProfile {
  const { name, fields, phones } = profile
  const searchValues: Record<string, string> = {}
  for (const [id, value] of Object.entries(fields)) {
    const stored = before.fields[id] === value ? before.searchValues[id] : undefined
    searchValues[id] = stored ?? toComparable(getField(id), value)
  }
  const searched = [name, fields[emailFieldId], fields[phoneFieldId], ...phones]
  const others = Object.keys(fields).filter(id => id !== emailFieldId && id !== phoneFieldId)
  return {
    name,
    sortName: toSortName(name),
    fields,
    searchValues,
    search: searched.flatMap(text => (text ? [toSearchText(text)] : [])).join('\n'),
    fieldText: others.map(id => searchValues[id]).join('\n'),
  }
}

/** Builds the rows of the index over field values. */
export function toFieldValueRows(
  searchValues: Record<string, string>,
  getField: (fieldId: string) => TypedField,
): FieldValueRow[] {
  return Object.entries(searchValues).map(([fieldId, value]) => ({
    fieldId,
    key: toIndexKey(value),
    monthDay: getField(fieldId).type === 'date' ? value.slice(5, 10) : null,
  }))
}
