/**
 * Describes why a value does not match its schema, each violation with its path. The work is bounded: it ends at 50
 * violations, and after a number of values that only a hostile request has.
 */
import type { TSchema } from 'typebox'
import Value from 'typebox/value'
import { type Violation, violation } from '../../errors.ts'
import { maxNumberMessage } from './body.ts'

const maxViolations = 50
const maxValuesChecked = 20_000

export interface AnySchema {
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
  return Value.Check(schema, value) ? [] : describeInvalid(schema, value, path)
}

export function describeInvalid(schema: TSchema, value: unknown, path: string): Violation[] {
  return take(findViolations(schema as AnySchema, value, path, { left: maxValuesChecked }))
}

function take(violations: Iterable<Violation>): Violation[] {
  const taken: Violation[] = []
  for (const each of violations) if (taken.push(each) === maxViolations) break
  return taken
}

/** The number of values that may still be checked. */
interface Budget {
  left: number
}

type Violations = Generator<Violation, void, undefined>

/** Yields nothing for a valid value. Only values without members are checked by the library: no value is checked twice. */
function* findViolations(schema: AnySchema, value: unknown, path: string, budget: Budget): Violations {
  if (budget.left-- <= 0) return
  if (schema.anyOf) yield* findUnionViolations(schema, value, path, budget)
  else if (schema.type === 'object' && isRecord(value))
    yield* findObjectViolations(schema, value, path, budget)
  else if (schema.type === 'array' && Array.isArray(value))
    yield* findArrayViolations(schema, value, path, budget)
  else if (!Value.Check(schema as TSchema, value)) yield toLeafViolation(schema, value, path)
}

function* findArrayViolations(schema: AnySchema, value: unknown[], path: string, budget: Budget): Violations {
  const { items, ...own } = schema
  if (!Value.Check(own as TSchema, value)) return yield toLeafViolation(own, value, path)
  for (const [i, item] of value.entries()) {
    if (!items || budget.left <= 0) return
    yield* findViolations(items, item, `${path}[${i}]`, budget)
  }
}

function* findUnionViolations(schema: AnySchema, value: unknown, path: string, budget: Budget): Violations {
  const options = schema.anyOf!
  const discriminator = schema.discriminator?.propertyName
  if (discriminator && isRecord(value)) {
    const tag = value[discriminator]
    const selected = findVariant(schema, value)
    if (selected) return yield* findViolations(selected, value, path, budget)
    const allowed = options.map(option => option.properties?.[discriminator]?.const).join(', ')
    const field = joinPath(path, discriminator)
    return yield tag === undefined
      ? violation(field, 'required', `is required (one of ${allowed})`)
      : violation(field, 'invalid_value', `must be one of ${allowed}`)
  }
  const concrete = options.filter(option => option.type !== 'null')
  if (value === null && concrete.length < options.length) return
  const only = findOnlyOption(options) ?? findMixedOption(options, value)
  if (only) return yield* findViolations(only, value, path, budget)
  if (concrete.every(option => option.const !== undefined)) {
    const allowed = concrete.map(option => option.const)
    if (!allowed.includes(value))
      yield violation(path, 'invalid_value', `must be one of ${allowed.join(', ')}`)
    return
  }
  const sameType = concrete.filter(option => option.type === typeOf(value))
  if (sameType.length > 0) yield* findClosestViolations(sameType, value, path, budget)
  else yield violation(path, 'invalid_type', 'has none of the allowed forms')
}

/** Returns the variant that the discriminator of the value selects. */
export function findVariant({ anyOf, discriminator }: AnySchema, value: unknown): AnySchema | undefined {
  const name = discriminator?.propertyName
  if (name === undefined || !isRecord(value)) return undefined
  return anyOf!.find(option => option.properties?.[name]?.const === value[name])
}

/** Returns the option of a nullable schema. */
export function findOnlyOption(options: AnySchema[]): AnySchema | undefined {
  const concrete = options.filter(option => option.type !== 'null')
  return concrete.length === 1 ? concrete[0] : undefined
}

/** In a union of variants and of objects without their discriminator: returns the option that the value's members select. */
export function findMixedOption(options: AnySchema[], value: unknown): AnySchema | undefined {
  const variants = options.find(option => option.discriminator)
  if (!variants || !isRecord(value)) return undefined
  if (value[variants.discriminator!.propertyName] !== undefined) return variants
  const isLike = ({ properties }: AnySchema) =>
    properties && Object.keys(value).some(name => Object.hasOwn(properties, name))
  return options.find(isLike) ?? variants
}

/** Returns the violations of the option that the value is closest to, most likely the intended one. */
function findClosestViolations(
  options: AnySchema[],
  value: unknown,
  path: string,
  budget: Budget,
): Violation[] {
  return options
    .map(option => take(findViolations(option, value, path, budget)))
    .reduce((closest, violations) => (violations.length < closest.length ? violations : closest))
}

function* findObjectViolations(
  schema: AnySchema,
  value: Record<string, unknown>,
  path: string,
  budget: Budget,
): Violations {
  const names = Object.keys(value)
  if (names.length > Number(schema.maxProperties ?? names.length))
    return yield violation(path, 'too_many', `takes at most ${schema.maxProperties} member(s)`)
  if (names.length < Number(schema.minProperties ?? 0))
    return yield violation(path, 'too_few', `needs at least ${schema.minProperties} member(s)`)
  for (const name of schema.required ?? [])
    if (value[name] === undefined) yield violation(joinPath(path, name), 'required', 'is required')
  for (const name of names) {
    if (budget.left <= 0) return
    if (value[name] !== undefined) yield* findMemberViolations(schema, name, value[name], path, budget)
  }
}

function* findMemberViolations(
  schema: AnySchema,
  name: string,
  value: unknown,
  path: string,
  budget: Budget,
): Violations {
  const at = joinPath(path, name)
  const { properties = {} } = schema
  if (Object.hasOwn(properties, name)) return yield* findViolations(properties[name]!, value, at, budget)
  const pattern = Object.entries(schema.patternProperties ?? {}).find(([expression]) =>
    new RegExp(expression, 'u').test(name),
  )
  if (pattern) yield* findViolations(pattern[1], value, at, budget)
  else if (schema.additionalProperties === false)
    yield violation(at, 'unknown_property', 'is not a known property')
  else if (isRecord(schema.additionalProperties))
    yield* findViolations(schema.additionalProperties as AnySchema, value, at, budget)
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
    String(schema.patternMessage ?? `must match ${limit}`),
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
  if ((schema.type === 'integer' || schema.type === 'number') && isLargeNumber(value))
    return violation(path, 'too_large', maxNumberMessage)
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

/** Numbers of a query that are too large to be converted are still text. */
function isLargeNumber(value: unknown): boolean {
  return typeof value === 'string' && /^-?\d{16,}$/.test(value)
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

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function joinPath(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`
}
