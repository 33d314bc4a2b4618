/**
 * Parses JSON bodies. Refuses input that PostgreSQL or an object merge cannot handle: bytes that are not UTF-8, NUL
 * characters, unpaired surrogates, `__proto__` members and deep nesting; and integers that JavaScript would round.
 */
import type { FastifyInstance } from 'fastify'
import { fail, invalid, MalformedBody, UnsupportedMediaType, violation } from '../../errors.ts'
import { assertModestJson } from './scan-json.ts'

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

export function parseJson(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined
  assertModestJson(bytes)
  let text: string
  try {
    text = decoder.decode(bytes)
  } catch {
    fail(MalformedBody, 'the body is not UTF-8')
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    fail(MalformedBody, `the body is not valid JSON: ${(error as Error).message.slice(0, 120)}`)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    fail(MalformedBody, 'the body must be a JSON object')
  if (mayBeRefused(text)) inspect(value, '')
  return value
}

/** Other texts cannot contain what inspect() refuses: NUL and surrogates need an escape. */
function mayBeRefused(text: string): boolean {
  return text.includes('\\u') || text.includes('__proto__') || largeNumber.test(text)
}

const largeNumber = /\d{16}|\d[eE]\+?\d\d/

function inspect(value: unknown, path: string): void {
  if (typeof value === 'number') inspectNumber(value, path)
  if (typeof value === 'string') inspectText(value)
  if (typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) {
    for (const [i, item] of value.entries()) inspect(item, `${path}[${i}]`)
    return
  }
  for (const [name, member] of Object.entries(value)) {
    if (name === '__proto__') fail(MalformedBody, 'the body has a member named __proto__')
    inspectText(name)
    inspect(member, path === '' ? name : `${path}.${name}`)
  }
}

function inspectNumber(value: number, path: string): void {
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER) invalid(violation(path, 'too_large', maxNumberMessage))
}

export const maxNumberMessage =
  'must be between -9007199254740991 and 9007199254740991 (2^53 - 1): larger numbers lose digits'

function inspectText(text: string): void {
  if (text.includes('\0')) fail(MalformedBody, 'the body has a NUL character in a string')
  if (!text.isWellFormed()) fail(MalformedBody, 'the body has an unpaired surrogate in a string')
}

export function registerBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (request: { headers: Record<string, unknown> }, body: Buffer) => {
      const charset = /charset\s*=\s*"?([^\s;"]+)/i.exec(String(request.headers['content-type']))?.[1]
      if (charset && !/^utf-?8$/i.test(charset)) fail(UnsupportedMediaType, 'JSON must be sent as UTF-8')
      return parseJson(body)
    },
  )
}
