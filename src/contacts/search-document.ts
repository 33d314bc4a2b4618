/**
 * What the contacts table keeps of a person besides the plain values, all of it derived from them: written together
 * or not at all.
 */
import { toSearchText, toSortName } from './search-text.ts'
import {
  emailFieldId,
  phoneFieldId,
  type TypedField,
  toComparable,
  toIndexKey,
} from './tags-and-fields/custom-field-values.ts'

export interface Profile {
  name: string | null
  /** by field id */
  fields: Record<string, string>
  phones: readonly string[]
}

export interface StoredProfile {
  name: string | null
  sortName: string
  fields: Record<string, string>
  spelled: Record<string, string>
  search: string
  fieldText: string
}

export interface FieldValueRow {
  fieldId: string
  key: string
  monthDay: string | null
}

/** What was stored before is kept for values that stay: their definition may be newer than the book at hand. */
export function buildStoredProfile(
  profile: Profile,
  kindOf: (fieldId: string) => TypedField,
  before: { fields: Record<string, string>; spelled: Record<string, string> } = { fields: {}, spelled: {} },
): StoredProfile {
  const { name, fields, phones } = profile
  const spelled: Record<string, string> = {}
  for (const [id, value] of Object.entries(fields)) {
    const kept = before.fields[id] === value ? before.spelled[id] : undefined
    spelled[id] = kept ?? toComparable(kindOf(id), value)
  }
  const found = [name, fields[emailFieldId], fields[phoneFieldId], ...phones]
  const others = Object.keys(fields).filter(id => id !== emailFieldId && id !== phoneFieldId)
  return {
    name,
    sortName: toSortName(name),
    fields,
    spelled,
    search: found.flatMap(text => (text ? [toSearchText(text)] : [])).join('\n'),
    fieldText: others.map(id => spelled[id]).join('\n'),
  }
}

/** The rows of the index over field values that go with a profile. */
export function toFieldValueRows(
  spelled: Record<string, string>,
  kindOf: (fieldId: string) => TypedField,
): FieldValueRow[] {
  return Object.entries(spelled).map(([fieldId, value]) => ({
    fieldId,
    key: toIndexKey(value),
    monthDay: kindOf(fieldId).type === 'date' ? value.slice(5, 10) : null,
  }))
}
