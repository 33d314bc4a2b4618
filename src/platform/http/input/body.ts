/**
 * Parses JSON bodies. Refuses input that PostgreSQL or an object merge cannot handle: bytes that are not UTF-8, NUL
 * characters, unpaired surrogates, `__proto__` members and deep nesting.
 */
import type { FastifyInstance } from 'fastify'
import { fail, MalformedBody, UnsupportedMediaType } from '../../errors.ts'

const maxDepth = 64
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

export function parseJson(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined
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
  // Other texts cannot contain what inspect() refuses: NUL and surrogates need an escape, deep nesting needs length.
  if (text.includes('\\u') || text.includes('__proto__') || text.length > 4096) inspect(value, 1)
  return value
}

function inspect(value: unknown, depth: number): void {
  if (typeof value === 'string') inspectText(value)
  if (typeof value !== 'object' || value === null) return
  if (depth > maxDepth) fail(MalformedBody, `the body is nested deeper than ${maxDepth} levels`)
  if (Array.isArray(value)) {
    for (const item of value) inspect(item, depth + 1)
    return
  }
  for (const [name, member] of Object.entries(value)) {
    if (name === '__proto__') fail(MalformedBody, 'the body has a member named __proto__')
    inspectText(name)
    inspect(member, depth + 1)
  }
}

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

/** Passes bodies on as bytes, whatever their content type: signatures cover bytes. */
export function registerRawBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (_request: unknown, body: Buffer) => body)
}
