/** Checks a value against a schema and says what is wrong with it, in words, with the path of each fault. */
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import Value from 'typebox/value'
import { invalid, type Violation, violation } from '../errors.ts'

const mostViolations = 50

export type Check = (value: unknown) => void

/** A check that throws a 400 naming every fault. Compiled when it is first used: a start has hundreds of them to offer. */
export function checker(schema: TSchema, root = 'body'): Check {
  let compiled: ReturnType<typeof Compile> | undefined
  return value => {
    compiled ??= Compile(schema)
    if (compiled.Check(value)) return
    const found = explain(schema, value, '')
    invalid(
      ...(found.length > 0 ? found : [violation(root, 'invalid', 'is not valid')]).map(v => ({
        ...v,
        field: v.field || root,
      })),
    )
  }
}

interface AnySchema {
  type?: string
  anyOf?: AnySchema[]
  discriminator?: { propertyName: string }
  properties?: Record<string, AnySchema>
  required?: string[]
  additionalProperties?: boolean | AnySchema
  patternProperties?: Record<string, AnySchema>
  items?: AnySchema
  const?: unknown
  enum?: unknown[]
  [keyword: string]: unknown
}

export function explain(schema: TSchema, value: unknown, path: string): Violation[] {
  return faults(schema as AnySchema, value, path).slice(0, mostViolations)
}

function faults(schema: AnySchema, value: unknown, path: string): Violation[] {
  if (Value.Check(schema as TSchema, value)) return []
  if (schema.anyOf) return unionFaults(schema, value, path)
  if (schema.type === 'object' && isRecord(value)) return objectFaults(schema, value, path)
  if (schema.type === 'array' && Array.isArray(value)) {
    const inner = (value as unknown[]).flatMap((item, i) =>
      schema.items ? faults(schema.items, item, `${path}[${i}]`) : [],
    )
    if (inner.length > 0) return inner
  }
  return [leafFault(schema, value, path)]
}

function unionFaults(schema: AnySchema, value: unknown, path: string): Violation[] {
  const options = schema.anyOf!
  const by = schema.discriminator?.propertyName
  if (by && isRecord(value)) {
    const tag = value[by]
    const meant = options.find(option => option.properties?.[by]?.const === tag)
    if (meant) return faults(meant, value, path)
    const known = options.map(option => option.properties?.[by]?.const).join(', ')
    const at = under(path, by)
    return [
      tag === undefined
        ? violation(at, 'required', `is required (one of ${known})`)
        : violation(at, 'invalid_value', `must be one of ${known}`),
    ]
  }
  const concrete = options.filter(option => option.type !== 'null')
  if (concrete.length === 1) return faults(concrete[0]!, value, path)
  if (concrete.every(option => option.const !== undefined)) {
    return [
      violation(path, 'invalid_value', `must be one of ${concrete.map(option => option.const).join(', ')}`),
    ]
  }
  const sameType = concrete.filter(option => option.type === typeOf(value))
  if (sameType.length > 0) return leastFaults(sameType, value, path)
  return [violation(path, 'invalid_type', 'has none of the allowed forms')]
}

/** Of several forms that it could be, the one that it is nearest to is most likely what was meant. */
function leastFaults(options: AnySchema[], value: unknown, path: string): Violation[] {
  return options
    .map(option => faults(option, value, path))
    .reduce((least, found) => (found.length < least.length ? found : least))
}

function objectFaults(schema: AnySchema, value: Record<string, unknown>, path: string): Violation[] {
  const properties = schema.properties ?? {}
  const missing = (schema.required ?? [])
    .filter(name => value[name] === undefined)
    .map(name => violation(under(path, name), 'required', 'is required'))
  const wrong = Object.keys(value).flatMap(name => memberFaults(schema, properties, name, value[name], path))
  const found = [...missing, ...wrong]
  if (found.length > 0) return found
  const size = Object.keys(value).length
  if (size < Number(schema.minProperties ?? 0))
    return [violation(path, 'too_few', `needs at least ${schema.minProperties} member(s)`)]
  if (size > Number(schema.maxProperties ?? size))
    return [violation(path, 'too_many', `takes at most ${schema.maxProperties} member(s)`)]
  return [violation(path, 'invalid', 'is not valid')]
}

function memberFaults(
  schema: AnySchema,
  properties: Record<string, AnySchema>,
  name: string,
  value: unknown,
  path: string,
): Violation[] {
  if (Object.hasOwn(properties, name)) return faults(properties[name]!, value, under(path, name))
  const pattern = Object.entries(schema.patternProperties ?? {}).find(([expression]) =>
    new RegExp(expression, 'u').test(name),
  )
  if (pattern) return faults(pattern[1], value, under(path, name))
  if (schema.additionalProperties === false)
    return [violation(under(path, name), 'unknown_field', 'is not a known field')]
  return isRecord(schema.additionalProperties)
    ? faults(schema.additionalProperties as AnySchema, value, under(path, name))
    : []
}

type Explain = (limit: never, schema: AnySchema) => [code: string, message: string]

/** Said in this order: the first keyword that the value breaks is the one worth telling. */
const said: Record<string, Explain> = {
  const: (limit: unknown) => ['invalid_value', `must be ${JSON.stringify(limit)}`],
  enum: (limit: unknown[]) => ['invalid_value', `must be one of ${limit.join(', ')}`],
  minLength: (limit: number) =>
    limit === 1
      ? ['too_short', 'must not be empty']
      : ['too_short', `must have at least ${limit} characters`],
  maxLength: (limit: number) => ['too_long', `must have at most ${limit} characters`],
  format: (limit: string) => ['invalid_format', `must be ${formats[limit] ?? `a valid ${limit}`}`],
  pattern: (limit: string, schema) => [
    'invalid_format',
    String(schema.patternMessage ?? (limit === '\\S' ? 'must not be blank' : `must match ${limit}`)),
  ],
  minimum: (limit: number) => ['too_small', `must be at least ${limit}`],
  maximum: (limit: number) => ['too_large', `must be at most ${limit}`],
  exclusiveMinimum: (limit: number) => ['too_small', `must be greater than ${limit}`],
  minItems: (limit: number) => ['too_few', `must have at least ${limit} item(s)`],
  maxItems: (limit: number) => ['too_many', `must have at most ${limit} items`],
  uniqueItems: () => ['not_unique', 'must not repeat an item'],
}

const formats: Record<string, string> = {
  'date-time': 'an RFC 3339 timestamp such as 2026-01-31T09:30:00Z, of a moment that exists',
  date: 'a day such as 2026-01-31 that exists',
  email: 'an e-mail address',
}

function leafFault(schema: AnySchema, value: unknown, path: string): Violation {
  if (schema.type && !isOfType(schema.type, value))
    return violation(path, 'invalid_type', `must be ${article(schema.type)}`)
  for (const [keyword, tell] of Object.entries(said)) {
    if (schema[keyword] === undefined) continue
    const alone = {
      ...(schema.type ? { type: schema.type } : {}),
      [keyword]: schema[keyword],
    } as unknown as TSchema
    if (!Value.Check(alone, value)) {
      const [code, message] = tell(schema[keyword] as never, schema)
      return violation(path, code, message)
    }
  }
  return violation(path, 'invalid', 'is not valid')
}

function isOfType(type: string, value: unknown): boolean {
  return type === 'integer' ? Number.isInteger(value) : type === typeOf(value)
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

function article(type: string): string {
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function under(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`
}
