/**
 * Personalises campaign content: replaces placeholders in texts with values of the recipient. Names, ids and other
 * selectors are not interpolated. Missing required values are returned; the recipient is then skipped.
 */
import { type FieldDefinitions, getFieldDefinitions } from '../contacts/tags-and-fields/custom-fields.ts'
import type { SendableContent } from '../inboxes/content.ts'
import type { Queryable } from '../platform/db/db.ts'
import { type Violation, violation } from '../platform/errors.ts'
import {
  findPlaceholders,
  findTemplateErrors,
  interpolate,
  type Placeholder,
} from '../platform/interpolation/interpolation.ts'

/** Values available as `contact` in placeholders. */
export interface RecipientValues {
  id: string
  name: string | null
  email: string | null
  phone: string | null
  /** By field name. */
  customFields: Record<string, string>
}

const contactProperties = ['id', 'name', 'email', 'phone', 'customFields']

/** Properties that are never interpolated. */
const literalKeys = new Set([
  'type',
  'subType',
  'name',
  'language',
  'mediaId',
  'flowId',
  'id',
  'code',
  'token',
  'screen',
])

const maxParameterLength = 1_024

export interface PersonalisedContent {
  content: SendableContent
  missing: string[]
}

export function personalise(content: SendableContent, values: RecipientValues): PersonalisedContent {
  const missing: string[] = []
  const scope = { contact: values }
  const filled = mapTexts(content, 'content', (text, path) => {
    if (!text.includes('{{')) return text
    const isUrl = path.endsWith('.url')
    const result = interpolate(text, isUrl ? { contact: urlEncode(values) } : scope)
    missing.push(...result.missing)
    // Providers reject line breaks in template parameters.
    return path.startsWith('content.template.')
      ? result.text.replace(/\s+/g, ' ').slice(0, maxParameterLength)
      : result.text
  })
  return { content: filled as SendableContent, missing }
}

export function listPlaceholders(content: SendableContent): { path: string; placeholder: Placeholder }[] {
  return listTexts(content).flatMap(({ text, path }) =>
    findPlaceholders(text).map(placeholder => ({ path, placeholder })),
  )
}

export async function findPersonalisationViolations(
  on: Queryable,
  tenantId: string,
  content: SendableContent,
): Promise<Violation[]> {
  const unreadable = listTexts(content).flatMap(({ text, path }) =>
    findTemplateErrors(text).map(message => violation(path, 'invalid_placeholder', message)),
  )
  const placeholders = listPlaceholders(content)
  if (placeholders.length === 0) return unreadable
  const definitions = await getFieldDefinitions(on, tenantId)
  return [
    ...unreadable,
    ...placeholders.flatMap(({ path, placeholder }) =>
      findPlaceholderViolations(placeholder, path, definitions),
    ),
  ]
}

function findPlaceholderViolations(
  { path: names }: Placeholder,
  path: string,
  definitions: FieldDefinitions,
): Violation[] {
  const [root, member, field, ...rest] = names
  const written = names.join('.')
  if (root !== 'contact' || !contactProperties.includes(member ?? ''))
    return [
      violation(
        path,
        'unknown_value',
        `${written}: there are ${contactProperties.map(m => `contact.${m}`).join(', ')}`,
      ),
    ]
  const isField = member === 'customFields'
  if (isField && (field === undefined || !definitions.byName.has(field)))
    return [violation(path, 'unknown_custom_field', `${written} is not a custom field of contacts`)]
  if (rest.length > 0 || (!isField && field !== undefined))
    return [violation(path, 'unknown_value', `${written} is not a value`)]
  return []
}

function urlEncode(values: RecipientValues): Record<string, unknown> {
  const encode = (value: unknown) => (typeof value === 'string' ? encodeURIComponent(value) : value)
  const all = (values: object) =>
    Object.fromEntries(Object.entries(values).map(([key, value]) => [key, encode(value)]))
  return { ...all(values), customFields: all(values.customFields) }
}

function listTexts(content: SendableContent): { text: string; path: string }[] {
  const texts: { text: string; path: string }[] = []
  mapTexts(content, 'content', (text, path) => {
    if (text.includes('{{')) texts.push({ text, path })
    return text
  })
  return texts
}

function mapTexts(value: unknown, path: string, change: (text: string, path: string) => string): unknown {
  if (typeof value === 'string') return change(value, path)
  if (Array.isArray(value)) return value.map((item, i) => mapTexts(item, `${path}[${i}]`, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      typeof item === 'string' && literalKeys.has(key) ? item : mapTexts(item, `${path}.${key}`, change),
    ]),
  )
}
