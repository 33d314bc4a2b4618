/**
 * The mapping of an import: for each column of the file, what it becomes. A column is `name`, `phone`, `contactId` or
 * `tags`, `field:` and the id of a custom field, `new:` and the name of a custom field to create, or `skip`. Without a
 * mapping the header decides.
 */
import Type from 'typebox'
import { invalid, violation } from '../../platform/errors.ts'
import { matchesSchema } from '../../platform/http/validate.ts'
import type { FieldDefinitions } from '../tags-and-fields/custom-fields.ts'
import { type ImportColumn, maxColumns, toColumn } from './inspect-file.ts'

const builtInTargets = ['contactId', 'name', 'phone', 'tags'] as const
const fieldPrefix = 'field:'
const newPrefix = 'new:'

const Mapping = Type.Array(
  Type.String({
    maxLength: 300,
    pattern: '^(contactId|name|phone|tags|skip|field:[^\\u0000]+|new:[^\\u0000]+)$',
  }),
  { minItems: 1, maxItems: maxColumns },
)

/** Parses the form field. Throws 400 unless it is a mapping. */
export function parseMapping(text: string): string[] {
  const value = tryParse(text)
  if (matchesSchema(Mapping, value)) return value as string[]
  return invalid(
    violation(
      'mapping',
      'invalid_value',
      'must be a JSON array with one of contactId, name, phone, tags, field:<id>, new:<name> or skip for each column',
    ),
  )
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Returns the column that the mapping makes of a column of the file; a message if it cannot. */
export function applyTarget(
  header: string,
  target: string,
  definitions: FieldDefinitions,
): ImportColumn | string {
  const builtIn = builtInTargets.find(name => name === target)
  if (builtIn) return { kind: builtIn, header }
  if (target.startsWith(newPrefix)) {
    const name = target.slice(newPrefix.length)
    // An earlier import, or a colleague, may have created the field.
    const known = toColumn(name, definitions)
    return known.kind === 'field' ? { ...known, header } : { kind: 'new', header, name }
  }
  if (!target.startsWith(fieldPrefix)) return { kind: 'skip', header }
  const field = definitions.byId.get(target.slice(fieldPrefix.length))
  return field
    ? { kind: 'field', header, fieldId: field.id, type: field.type }
    : `is mapped to ${target}, which is not a custom field of contacts`
}

/** Suggests a mapping: what the header says, else the column that people mean by such a name, else a new field. */
export function suggestMapping(header: readonly string[], definitions: FieldDefinitions): string[] {
  const taken = new Set<string>()
  return header.map(name => {
    const target = suggestTarget(name, definitions)
    if (taken.has(target)) return 'skip'
    if (target !== 'skip') taken.add(target)
    return target
  })
}

/** Usual names of columns in exports of other systems. */
const usualNames: [RegExp, string][] = [
  [/^(full|display|contact|customer)?[ _-]?name$/i, 'name'],
  [/^((mobile|cell|tele)?[ _-]?phone([ _-]?number)?|mobile|tel|whatsapp|msisdn|number)$/i, 'phone'],
  [/^e[ _-]?mail([ _-]?address)?$/i, 'field:email'],
  [/^(tags?|labels?|groups?)$/i, 'tags'],
  [/^(external[ _-]?(ref|id|reference)|customer[ _-]?id)$/i, 'field:externalRef'],
]

function suggestTarget(header: string, definitions: FieldDefinitions): string {
  const name = header.trim()
  if (name === '') return 'skip'
  const column = toColumn(header, definitions)
  if (column.kind === 'field') return `${fieldPrefix}${column.fieldId}`
  if (column.kind !== 'new') return column.kind
  const usual = usualNames.find(([pattern]) => pattern.test(name))?.[1]
  if (usual === undefined) return `${newPrefix}${name.slice(0, 100)}`
  return usual.startsWith(fieldPrefix) ? suggestTarget(usual.slice(fieldPrefix.length), definitions) : usual
}
