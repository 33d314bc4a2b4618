/** Generates values that a schema allows and values that it rejects, for fuzzing every operation. */
import fc, { type Arbitrary } from 'fast-check'

interface Schema {
  type?: string
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  patternProperties?: Record<string, Schema>
  additionalProperties?: Schema | boolean
  items?: Schema
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  minimum?: number
  maximum?: number
  format?: string
  pattern?: string
  uniqueItems?: boolean
}

const unusualTexts = [
  '',
  ' ',
  "'; drop table users; --",
  '%',
  '_',
  '\\',
  '=cmd|1',
  '🙂',
  'ا',
  'e\u0301',
  '\u202e',
  '../../etc/passwd',
  '{{contact.name}}',
  '0',
  'null',
  'x'.repeat(5000),
]

export function valid(schema: Schema): Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(valid))
  if (schema.type === 'object') return validObject(schema)
  if (schema.type === 'array')
    return fc.array(valid(schema.items ?? {}), {
      minLength: schema.minItems ?? 0,
      maxLength: Math.min(schema.maxItems ?? 3, 3),
    })
  if (schema.type === 'string') return validText(schema)
  if (schema.type === 'integer')
    return fc.integer({ min: schema.minimum ?? -5, max: schema.maximum ?? 1_000_000 })
  if (schema.type === 'number')
    return fc.double({ min: schema.minimum ?? -5, max: schema.maximum ?? 1e6, noNaN: true })
  if (schema.type === 'boolean') return fc.boolean()
  if (schema.type === 'null') return fc.constant(null)
  return fc.jsonValue({ maxDepth: 2 })
}

function validObject(schema: Schema): Arbitrary<unknown> {
  const members = Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([name, member]) => [name, valid(member)]),
  )
  const own = fc.record(members, { requiredKeys: (schema.required ?? []) as never[] })
  const others =
    Object.values(schema.patternProperties ?? {})[0] ??
    (typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined)
  if (!others) return own
  const key = fc
    .string({ minLength: 1, maxLength: 10 })
    .filter(name => name !== '__proto__' && !name.includes('\0'))
  return fc.tuple(own, fc.dictionary(key, valid(others), { maxKeys: 3 })).map(([a, b]) => ({ ...b, ...a }))
}

const formats: Record<string, Arbitrary<string>> = {
  'date-time': fc
    .date({ min: new Date('1990-01-01'), max: new Date('2090-01-01'), noInvalidDate: true })
    .map(date => date.toISOString()),
  date: fc
    .date({ min: new Date('1990-01-01'), max: new Date('2090-01-01'), noInvalidDate: true })
    .map(date => date.toISOString().slice(0, 10)),
  email: fc.emailAddress(),
}

function validText(schema: Schema): Arbitrary<string> {
  if (schema.format) return formats[schema.format] ?? fc.string()
  const bounds = { minLength: schema.minLength ?? 0, maxLength: Math.min(schema.maxLength ?? 40, 40) }
  const free = fc
    .oneof(fc.string({ ...bounds, unit: 'grapheme' }), fc.constantFrom(...unusualTexts))
    .filter(
      text =>
        text.length >= bounds.minLength && text.length <= (schema.maxLength ?? 10_000) && text.isWellFormed(),
    )
  if (!schema.pattern) return free
  return fc.stringMatching(new RegExp(schema.pattern, 'u'))
}

/** Generates arbitrary values, mostly objects with one invalid property. */
export function almostValid(schema: Schema): Arbitrary<unknown> {
  const anything = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.constantFrom<unknown>(...unusualTexts, null, -1, 1e308, 2 ** 53, true, [], {}),
  )
  if (schema.type !== 'object') return anything
  const broken = Object.entries(schema.properties ?? {}).map(([name, member]) =>
    fc
      .tuple(valid(schema), fc.oneof(almostValid(member), anything))
      .map(([good, bad]) => ({ ...(good as object), [name]: bad })),
  )
  const extra = valid(schema).map(good => ({ ...(good as object), unknownMember: 1 }))
  return fc.oneof(extra, ...broken, anything)
}
