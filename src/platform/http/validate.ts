/** Validates values against schemas and describes each violation with its path. */
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import Value from 'typebox/value'
import { invalid, type Violation, violation } from '../errors.ts'

const maxViolations = 50

export type Check = (value: unknown) => void

/** Returns a check that throws a 400 with all violations. Compiled on first use, because there are hundreds. */
export function createCheck(schema: TSchema, root = 'body'): Check {
  let compiled: ReturnType<typeof Compile> | undefined
  return value => {
    compiled ??= Compile(schema)
    if (compiled.Check(value)) return
    const violations = explainViolations(schema, value, '')
    invalid(
      ...(violations.length > 0 ? violations : [violation(root, 'invalid', 'is not valid')]).map(v => ({
        ...v,
        field: v.field || root,
      })),
    )
  }
}

const compiledSchemas = new WeakMap<TSchema, { Check(value: unknown): boolean }>()

/** Reports whether the value is valid by the schema. The compiled schema is cached. */
export function matchesSchema(schema: TSchema, value: unknown): boolean {
  const compiled = compiledSchemas.get(schema) ?? Compile(schema)
  compiledSchemas.set(schema, compiled)
  return compiled.Check(value)
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

export function explainViolations(schema: TSchema, value: unknown, path: string): Violation[] {
  return findViolations(schema as AnySchema, value, path).slice(0, maxViolations)
}

function findViolations(schema: AnySchema, value: unknown, path: string): Violation[] {
  if (Value.Check(schema as TSchema, value)) return []
  if (schema.anyOf) return findUnionViolations(schema, value, path)
  if (schema.type === 'object' && isRecord(value)) return findObjectViolations(schema, value, path)
  if (schema.type === 'array' && Array.isArray(value)) {
    const inner = (value as unknown[]).flatMap((item, i) =>
      schema.items ? findViolations(schema.items, item, `${path}[${i}]`) : [],
    )
    if (inner.length > 0) return inner
  }
  return [toLeafViolation(schema, value, path)]
}

function findUnionViolations(schema: AnySchema, value: unknown, path: string): Violation[] {
  const options = schema.anyOf!
  const discriminator = schema.discriminator?.propertyName
  if (discriminator && isRecord(value)) {
    const tag = value[discriminator]
    const selected = options.find(option => option.properties?.[discriminator]?.const === tag)
    if (selected) return findViolations(selected, value, path)
    const allowed = options.map(option => option.properties?.[discriminator]?.const).join(', ')
    const field = joinPath(path, discriminator)
    return [
      tag === undefined
        ? violation(field, 'required', `is required (one of ${allowed})`)
        : violation(field, 'invalid_value', `must be one of ${allowed}`),
    ]
  }
  const concrete = options.filter(option => option.type !== 'null')
  if (concrete.length === 1) return findViolations(concrete[0]!, value, path)
  if (concrete.every(option => option.const !== undefined)) {
    return [
      violation(path, 'invalid_value', `must be one of ${concrete.map(option => option.const).join(', ')}`),
    ]
  }
  const sameType = concrete.filter(option => option.type === typeOf(value))
  if (sameType.length > 0) return findClosestViolations(sameType, value, path)
  return [violation(path, 'invalid_type', 'has none of the allowed forms')]
}

/** Returns the violations of the option that the value is closest to, most likely the intended one. */
function findClosestViolations(options: AnySchema[], value: unknown, path: string): Violation[] {
  return options
    .map(option => findViolations(option, value, path))
    .reduce((closest, violations) => (violations.length < closest.length ? violations : closest))
}

function findObjectViolations(schema: AnySchema, value: Record<string, unknown>, path: string): Violation[] {
  const properties = schema.properties ?? {}
  const missing = (schema.required ?? [])
    .filter(name => value[name] === undefined)
    .map(name => violation(joinPath(path, name), 'required', 'is required'))
  const invalidMembers = Object.keys(value).flatMap(name =>
    findMemberViolations(schema, properties, name, value[name], path),
  )
  const violations = [...missing, ...invalidMembers]
  if (violations.length > 0) return violations
  const size = Object.keys(value).length
  if (size < Number(schema.minProperties ?? 0))
    return [violation(path, 'too_few', `needs at least ${schema.minProperties} member(s)`)]
  if (size > Number(schema.maxProperties ?? size))
    return [violation(path, 'too_many', `takes at most ${schema.maxProperties} member(s)`)]
  return [violation(path, 'invalid', 'is not valid')]
}

function findMemberViolations(
  schema: AnySchema,
  properties: Record<string, AnySchema>,
  name: string,
  value: unknown,
  path: string,
): Violation[] {
  if (Object.hasOwn(properties, name)) return findViolations(properties[name]!, value, joinPath(path, name))
  const pattern = Object.entries(schema.patternProperties ?? {}).find(([expression]) =>
    new RegExp(expression, 'u').test(name),
  )
  if (pattern) return findViolations(pattern[1], value, joinPath(path, name))
  if (schema.additionalProperties === false)
    return [violation(joinPath(path, name), 'unknown_property', 'is not a known property')]
  return isRecord(schema.additionalProperties)
    ? findViolations(schema.additionalProperties as AnySchema, value, joinPath(path, name))
    : []
}

type DescribeKeyword = (limit: never, schema: AnySchema) => [code: string, message: string]

/** Checked in this order: only the first keyword that the value violates is reported. */
const keywordMessages: Record<string, DescribeKeyword> = {
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
  uniqueItems: () => ['duplicate', 'must not repeat an item'],
}

const formats: Record<string, string> = {
  'date-time': 'an RFC 3339 timestamp such as 2026-01-31T09:30:00Z, of a moment that exists',
  date: 'a day such as 2026-01-31 that exists',
  email: 'an e-mail address',
}

function toLeafViolation(schema: AnySchema, value: unknown, path: string): Violation {
  if (schema.type && !isOfType(schema.type, value))
    return violation(path, 'invalid_type', `must be ${withArticle(schema.type)}`)
  for (const [keyword, describe] of Object.entries(keywordMessages)) {
    if (schema[keyword] === undefined) continue
    const keywordSchema = {
      ...(schema.type ? { type: schema.type } : {}),
      [keyword]: schema[keyword],
    } as unknown as TSchema
    if (!Value.Check(keywordSchema, value)) {
      const [code, message] = describe(schema[keyword] as never, schema)
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

function withArticle(type: string): string {
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function joinPath(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`
}
