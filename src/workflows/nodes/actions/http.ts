import { randomUUID } from 'node:crypto'
import Type, { type Static } from 'typebox'
import { type Violation, violation } from '../../../platform/errors.ts'
import { literals, object } from '../../../platform/http/schemas.ts'
import { createBudget, interpolate } from '../../../platform/interpolation/interpolation.ts'
import { createEncoder } from '../../../platform/interpolation/placeholder-encoding.ts'
import { hasPlaceholders, listSecretNames, placeholderViolations, VariableName } from '../node-fields.ts'
import { defineNode, type HttpResult, type Json, type Outcome, type Step } from '../node-type.ts'

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
const defaultSeconds = 10
const headerName = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/
/** Headers that the engine sets. */
const reserved = new Set(['host', 'content-length', 'transfer-encoding', 'connection', 'idempotency-key'])

const data = object({
  method: literals(methods),
  url: Type.String({ minLength: 1, maxLength: 2_000 }),
  headers: Type.Optional(
    Type.Record(Type.String(), Type.String({ maxLength: 4_000 }), { maxProperties: 30 }),
  ),
  body: Type.Optional(Type.Unknown({ description: 'A text, sent unchanged, or JSON' })),
  saveAs: Type.Optional(VariableName),
  timeoutSeconds: Type.Optional(Type.Integer({ minimum: 1, maximum: 30 })),
})

export const http = defineNode({
  type: 'http',
  summary: 'Send an HTTP request',
  docs: `The request is sent at least once, always with the same \`Idempotency-Key\`, so that the receiver can detect a repeated
request. Only public addresses are allowed, redirects are not followed, and the response size is limited. Placeholders are
filled in \`url\`, \`headers\` and \`body\` and encoded for their place: percent-encoded in URLs and forms, escaped in JSON,
without line breaks in headers. A value of \`.\` or \`..\` in a path leaves by \`error\`. A body that is not a text is sent
as JSON. \`{{secrets.name}}\` in \`url\` and \`headers\` is a secret of \`PUT /secrets/{name}\`: runs, simulations and
errors show only its name. \`saveAs\` names the variable that stores
\`{status, body}\`, or \`{error}\` if there was no response.`,
  data,
  example: {
    method: 'POST',
    url: 'https://example.com/orders',
    headers: { authorization: 'Bearer {{secrets.shop_token}}' },
    body: { email: '{{variables.email}}' },
    saveAs: 'order',
  },
  outputs: () => [
    { name: 'ok', summary: 'The response status is 2xx' },
    { name: 'error', summary: 'Another status, or no response' },
    { name: 'timeout', summary: 'No response in time' },
  ],
  references: ({ url, headers = {} }) => [
    ...(hasPlaceholders(url) ? [] : [{ kind: 'url' as const, id: url, path: 'url' }]),
    ...listSecretNames({ url, headers }, '').map(({ name, path }) => ({
      kind: 'secret' as const,
      id: name,
      path: path.slice(1),
    })),
  ],
  sets: ({ saveAs }) => (saveAs === undefined ? [] : [saveAs]),
  violations: given => [
    ...urlViolations(given.url),
    ...headerViolations(given.headers ?? {}),
    ...placeholderViolations({ url: given.url, headers: given.headers }, '')
      .filter(({ code }) => code !== 'misplaced_secret')
      .map(found => ({ ...found, field: found.field.slice(1) })),
    ...placeholderViolations(given.body, 'body'),
    ...(given.method === 'GET' && given.body !== undefined
      ? [violation('body', 'unexpected', 'must not be set for GET')]
      : []),
  ],
  run: async (step): Promise<Outcome> => {
    if (step.input.type === 'response') return handleResult(step, step.input.result)
    const { method, timeoutSeconds = defaultSeconds } = step.data
    const tokens = createTokens(step.data)
    const secrets = Object.fromEntries(Object.entries(tokens).map(([token, name]) => [name, token]))
    const url = await step.interpolate(step.data.url, { place: 'url', secrets })
    const detail = { method, url: showSecrets(url, tokens) }
    if (hasPlaceholders(step.data.url) && dotSegment.test(url)) {
      const message = 'a value must not be . or .. in the path'
      return handleResult(step, { type: 'error', code: 'invalid_url', message })
    }
    const headers = await buildHeaders(step, secrets)
    return {
      http: {
        method,
        url,
        headers,
        body: await buildBody(step, headers['content-type'] ?? ''),
        timeoutMs: timeoutSeconds * 1_000,
        ...(Object.keys(tokens).length > 0 ? { secrets: tokens } : {}),
      },
      detail,
    }
  },
})

type HttpStep = Step<Static<typeof data>>

/** Dot segments of a path, which URL parsers remove together with the segment before; also percent-encoded. */
const dotSegment = /^[^?#]*\/(\.|%2e){1,2}([/?#]|$)/i

/** Creates a token for each secret: a text that no value of a placeholder can contain. */
function createTokens({ url, headers = {} }: Static<typeof data>): Record<string, string> {
  const names = new Set(listSecretNames({ url, headers }, '').map(({ name }) => name))
  return Object.fromEntries([...names].map(name => [`secret-${randomUUID()}`, name]))
}

function showSecrets(url: string, tokens: Record<string, string>): string {
  return Object.entries(tokens).reduce(
    (out, [token, name]) => out.replaceAll(token, `{{secrets.${name}}}`),
    url,
  )
}

async function buildHeaders(
  { data: { body, headers = {} }, interpolate }: HttpStep,
  secrets: Record<string, string>,
): Promise<Record<string, string>> {
  const isText = typeof body === 'string'
  const given = await interpolate(headers, { place: 'header', secrets })
  const type = isText ? 'text/plain; charset=utf-8' : 'application/json'
  const lowerCased = Object.entries(given).map(([name, value]) => [name.toLowerCase(), value])
  return { ...(body === undefined ? {} : { 'content-type': type }), ...Object.fromEntries(lowerCased) }
}

async function buildBody({ data: { body }, interpolate }: HttpStep, contentType: string) {
  if (body === undefined) return null
  if (typeof body !== 'string') return JSON.stringify(await interpolate(body))
  if (/\bjson\b/i.test(contentType) || isJson(body)) return interpolate(body, { place: 'json' })
  const isForm = contentType.includes('x-www-form-urlencoded')
  return interpolate(body, isForm ? { place: 'form' } : {})
}

/** Returns whether the text is JSON once its placeholders are filled. */
function isJson(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false
  try {
    JSON.parse(interpolate(text, {}, createBudget(), createEncoder('json')).text)
    return true
  } catch {
    return false
  }
}

function handleResult(step: HttpStep, result: HttpResult): Outcome {
  const save = (value: Json) => {
    if (step.data.saveAs) step.setVariable(step.data.saveAs, value)
  }
  if (result.type === 'answered') {
    const { status, body } = result
    save({ status, body })
    return { to: status >= 200 && status < 300 ? 'ok' : 'error', detail: { status } }
  }
  if (result.type === 'timeout') {
    save({ error: 'timeout' })
    return { to: 'timeout' }
  }
  save({ error: result.code })
  return { to: 'error', detail: { code: result.code, message: result.message } }
}

function urlViolations(url: string): Violation[] {
  if (!/^https?:\/\//i.test(url))
    return [violation('url', 'invalid_url', 'must start with http:// or https://')]
  return []
}

function headerViolations(headers: Record<string, string>): Violation[] {
  return Object.entries(headers).flatMap(([name, value]) => {
    const at = `headers.${name}`
    if (!headerName.test(name)) return [violation(at, 'invalid_header', 'is not a valid header name')]
    if (reserved.has(name.toLowerCase())) return [violation(at, 'invalid_header', 'cannot be set')]
    return /[\r\n]/.test(value) ? [violation(at, 'invalid_header', 'must not contain line breaks')] : []
  })
}
