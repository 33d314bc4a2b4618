/**
 * What the contacts table keeps of a person besides the plain values, all of it derived from them: written together
 * or not at all.
 */
import { sortName, spell } from './spelling.ts'
import { comparable, emailField, type FieldKind, keyOf, phoneField } from './values.ts'

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
export function storedProfile(
  profile: Profile,
  kindOf: (fieldId: string) => FieldKind,
  before: { fields: Record<string, string>; spelled: Record<string, string> } = { fields: {}, spelled: {} },
): StoredProfile {
  const { name, fields, phones } = profile
  const spelled: Record<string, string> = {}
  for (const [id, value] of Object.entries(fields)) {
    const kept = before.fields[id] === value ? before.spelled[id] : undefined
    spelled[id] = kept ?? comparable(kindOf(id), value)
  }
  const found = [name, fields[emailField], fields[phoneField], ...phones]
  const others = Object.keys(fields).filter(id => id !== emailField && id !== phoneField)
  return {
    name,
    sortName: sortName(name),
    fields,
    spelled,
    search: found.flatMap(text => (text ? [spell(text)] : [])).join('\n'),
    fieldText: others.map(id => spelled[id]).join('\n'),
  }
}

/** The rows of the index over field values that go with a profile. */
export function valueRows(
  spelled: Record<string, string>,
  kindOf: (fieldId: string) => FieldKind,
): FieldValueRow[] {
  return Object.entries(spelled).map(([fieldId, value]) => ({
    fieldId,
    key: keyOf(value),
    monthDay: kindOf(fieldId).type === 'date' ? value.slice(5, 10) : null,
  }))
}
