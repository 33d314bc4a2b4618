import Type, { type Static } from 'typebox'
import { type Violation, violation } from '../../../platform/errors.ts'
import { literals, object } from '../../../platform/http/schemas.ts'
import { defineNode, type HttpResult, type Json, type Outcome, type Step } from '../node-type.ts'
import { hasPlaceholders, placeholderViolations, VariableName } from '../shared.ts'

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
filled in \`url\`, \`headers\` and \`body\`; a body that is not a text is sent as JSON. \`saveAs\` names the variable that stores
\`{status, body}\`, or \`{error}\` if there was no response.`,
  data,
  example: {
    method: 'POST',
    url: 'https://example.com/orders',
    headers: { authorization: 'Bearer …' },
    body: { email: '{{variables.email}}' },
    saveAs: 'order',
  },
  outputs: () => [
    { name: 'ok', summary: 'The response status is 2xx' },
    { name: 'error', summary: 'Another status, or no response' },
    { name: 'timeout', summary: 'No response in time' },
  ],
  references: ({ url }) => (hasPlaceholders(url) ? [] : [{ kind: 'url', id: url, path: 'url' }]),
  sets: ({ saveAs }) => (saveAs === undefined ? [] : [saveAs]),
  violations: given => [
    ...urlViolations(given.url),
    ...headerViolations(given.headers ?? {}),
    ...placeholderViolations(given.url, 'url'),
    ...placeholderViolations(given.headers, 'headers'),
    ...placeholderViolations(given.body, 'body'),
    ...(given.method === 'GET' && given.body !== undefined
      ? [violation('body', 'unexpected', 'must not be set for GET')]
      : []),
  ],
  run: async (step): Promise<Outcome> => {
    if (step.input.type === 'response') return handleResult(step, step.input.result)
    const { method, timeoutSeconds = defaultSeconds } = step.data
    const url = await step.interpolate(step.data.url)
    const body = step.data.body === undefined ? null : await step.interpolate(step.data.body)
    const isText = typeof body === 'string'
    const given = await step.interpolate(step.data.headers ?? {})
    const headers: Record<string, string> =
      body === null ? {} : { 'content-type': isText ? 'text/plain; charset=utf-8' : 'application/json' }
    for (const [name, value] of Object.entries(given)) headers[name.toLowerCase()] = value
    return {
      http: {
        method,
        url,
        headers,
        body: body === null || isText ? body : JSON.stringify(body),
        timeoutMs: timeoutSeconds * 1_000,
      },
      detail: { method, url },
    }
  },
})

function handleResult(step: Step<Static<typeof data>>, result: HttpResult): Outcome {
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
