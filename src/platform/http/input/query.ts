/**
 * Parses query strings: arrays repeat the name, with or without brackets, or separate their items by commas; objects use
 * brackets (`customFields[plan]=gold`); numbers and booleans are coerced. A value that cannot be coerced stays text, which
 * validation then refuses.
 */
import type { TObject, TSchema } from 'typebox'
import { fail, MalformedUrl } from '../../errors.ts'

export type RawQuery = Record<string, string[]>

export function parseQuery(text: string): RawQuery {
  const out: RawQuery = Object.create(null)
  if (text === '') return out
  for (const pair of text.split('&')) {
    if (pair === '') continue
    const at = pair.indexOf('=')
    const name = decode(at < 0 ? pair : pair.slice(0, at))
    const value = at < 0 ? '' : decode(pair.slice(at + 1))
    const seen = out[name]
    if (seen) seen.push(value)
    else out[name] = [value]
  }
  return out
}

function decode(text: string): string {
  if (!/[%+]/.test(text)) return text
  let decoded: string
  try {
    decoded = decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    fail(MalformedUrl, 'the query has a percent-encoding that is not UTF-8')
  }
  if (decoded.includes('\0')) fail(MalformedUrl, 'the query has a NUL character')
  return decoded
}

interface Shape {
  type?: string
  items?: Shape
  anyOf?: Shape[]
}

export function coerceQuery(schema: TObject | undefined, raw: RawQuery): Record<string, unknown> {
  const properties = (schema?.properties ?? {}) as Record<string, TSchema>
  // Without a prototype, so that __proto__ is an ordinary name, also of a member.
  const out: Record<string, unknown> = Object.create(null)
  for (const [name, values] of Object.entries(joinArrayNames(properties, raw))) {
    const bracket = /^([^[\]]+)\[(.+)\]$/s.exec(name)
    if (bracket && (properties[bracket[1]!] as Shape)?.type === 'object') {
      setBracketMember(out, bracket[1]!, bracket[2]!, values)
    } else out[name] = coerce(properties[name] as Shape | undefined, values)
  }
  return out
}

/** Adds the values of `status[]` to those of `status`, if it is an array. */
function joinArrayNames(properties: Record<string, TSchema>, raw: RawQuery): RawQuery {
  const joined: RawQuery = Object.create(null)
  for (const [name, values] of Object.entries(raw)) {
    const bare = name.endsWith('[]') ? name.slice(0, -2) : name
    const key = (properties[bare] as Shape | undefined)?.type === 'array' ? bare : name
    joined[key] = [...(joined[key] ?? []), ...values]
  }
  return joined
}

function setBracketMember(
  out: Record<string, unknown>,
  name: string,
  member: string,
  values: string[],
): void {
  // Defined instead of assigned, so that __proto__ is an ordinary member name.
  if (!Object.hasOwn(out, name)) out[name] = {}
  Object.defineProperty(out[name] as object, member, {
    value: values.length === 1 ? values[0] : values,
    enumerable: true,
  })
}

function coerce(shape: Shape | undefined, values: string[]): unknown {
  if (shape?.type === 'array')
    return values.flatMap(value => value.split(',')).map(value => scalar(shape.items, value))
  if (values.length > 1) return values // a repeated scalar is refused by validation
  return scalar(shape, values[0]!)
}

function scalar(shape: Shape | undefined, value: string): unknown {
  const isNumber = shape?.type === 'integer' || shape?.type === 'number'
  if (
    isNumber &&
    /^-?\d{1,16}(\.\d{1,10})?$/.test(value) &&
    Math.abs(Number(value)) <= Number.MAX_SAFE_INTEGER
  )
    return Number(value)
  if (shape?.type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true'
  return value
}
