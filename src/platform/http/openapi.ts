/** Builds the OpenAPI 3.1 document from the routes. */
import type { TObject, TSchema } from 'typebox'
import {
  BodyTooLarge,
  HeadersTooLarge,
  InternalError,
  InvalidPageToken,
  MalformedBody,
  MalformedUrl,
  PreconditionFailed,
  PreconditionRequired,
  type ProblemKind,
  RequestTimeout,
  RoleMissing,
  ScopeMissing,
  TooManyRequests,
  Unauthenticated,
  Unavailable,
  UnsupportedMediaType,
  UrlTooLong,
  ValidationFailed,
} from '../errors.ts'
import { groupBy } from '../group-by.ts'
import { UserRequired } from './authorize.ts'
import { IdempotencyKeyBusy, IdempotencyKeyReused, IdempotencySecretConsumed } from './idempotency.ts'
import type { Access, Route } from './route.ts'
import { getSchemaName } from './schemas.ts'
import { buildBodySchema, buildParamsSchema, buildQuerySchema } from './serve-route.ts'

type Json = Record<string, unknown>

export interface OpenApi {
  openapi: '3.1.0'
  info: Json
  servers: Json[]
  tags: Json[]
  paths: Record<string, Record<string, Json>>
  webhooks: Record<string, Json>
  components: { securitySchemes: Json; schemas: Record<string, unknown>; responses: Json }
}

/** What a webhook endpoint receives for one type of event. */
export interface WebhookPayload {
  type: string
  summary: string
  body: TSchema
}

interface Components {
  schemas: Record<string, unknown>
  responses: Record<string, unknown>
}

export function buildOpenApi(
  routes: readonly Route[],
  tagDescriptions: Readonly<Record<string, string>> = {},
  webhooks: readonly WebhookPayload[] = [],
): OpenApi {
  const schemas: Record<string, unknown> = { Problem: problemSchema }
  const responses: Record<string, unknown> = {}
  const paths: OpenApi['paths'] = {}
  for (const route of routes) {
    paths[route.path] ??= {}
    paths[route.path]![route.method.toLowerCase()] = buildOperation(route, { schemas, responses })
  }
  const payloads = webhooks.map(webhook => [webhook.type, { post: buildWebhook(webhook, schemas) }])
  return {
    openapi: '3.1.0',
    info: {
      title: 'Parley',
      version: '1.0.0',
      description: 'Customer messaging: inboxes, conversations, contacts, campaigns, journeys and chatbots.',
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [{ url: '/v1' }],
    tags: [...new Set(routes.map(route => route.tag))].map(name => ({
      name,
      description: tagDescriptions[name],
    })),
    paths,
    webhooks: Object.fromEntries(payloads),
    components: {
      securitySchemes: {
        bearerAuth: {
          type: 'http',
          scheme: 'bearer',
          description: 'An access token, an API key (pk_…), or a token of the configured identity provider.',
        },
        standardWebhooks: {
          type: 'apiKey',
          in: 'header',
          name: 'webhook-signature',
          description:
            'Standard Webhooks: `v1,` and the base64 HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{body}` with the decoded signing key; one signature per valid key, separated by spaces.',
        },
      },
      schemas: sortByName(schemas),
      responses: sortByName(responses),
    },
  }
}

function sortByName(components: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(components).sort(([a], [b]) => (a < b ? -1 : 1)))
}

function buildWebhook({ type, summary, body }: WebhookPayload, schemas: Json): Json {
  const header = (name: string, description: string, schema: Json = { type: 'string' }) => ({
    name,
    in: 'header',
    required: true,
    schema,
    description,
  })
  return {
    operationId: toCamelCase(['on', ...type.split('.')]),
    tags: ['Webhooks'],
    summary,
    security: [{ standardWebhooks: [] }],
    parameters: [
      header('webhook-id', 'Id of the event, the same in every attempt.'),
      header('webhook-timestamp', 'Unix seconds of the attempt.', { type: 'integer' }),
    ],
    requestBody: {
      required: true,
      content: { 'application/json': { schema: toReference(body, schemas) } },
    },
    responses: {
      '2XX': { description: 'The event was received.' },
      default: { description: 'The delivery is attempted again.' },
    },
  }
}

function toCamelCase([first = '', ...words]: readonly string[]): string {
  return first + words.map(toPascalCase).join('')
}

function toPascalCase(text: string): string {
  return text
    .split('_')
    .map(word => word[0]!.toUpperCase() + word.slice(1))
    .join('')
}

function buildOperation(route: Route, { schemas, responses }: Components): Json {
  const access = route.access === 'public' ? undefined : (route.access as Access)
  return {
    operationId: operationId(route),
    tags: [route.tag],
    summary: route.summary,
    ...(route.description ? { description: route.description } : {}),
    security: access ? [{ bearerAuth: [] }] : [],
    ...(access ? { 'x-scopes': access.scopes, 'x-roles': access.roles } : {}),
    ...(access?.conditionalScopes ? { 'x-conditional-scopes': access.conditionalScopes } : {}),
    ...(route.extension ? { 'x-extension': true } : {}),
    parameters: buildParameters(route, schemas),
    ...buildRequestBody(route, schemas),
    responses: buildResponses(route, { schemas, responses }),
  }
}

/** `GET /contacts/{id}/tags` → getContactsIdTags: stable, unique, and readable in a generated client. */
export function operationId(route: Pick<Route, 'method' | 'path'>): string {
  const words = route.path
    .replace(/[{}]/g, '')
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean)
  return toCamelCase([route.method.toLowerCase(), ...words])
}

function buildParameters(route: Route, schemas: Json): Json[] {
  const inPath = listMembers(route.params ?? buildParamsSchema(route.path), schemas).map(
    ({ name, schema }) => ({
      name,
      in: 'path',
      required: true,
      schema,
    }),
  )
  const inQuery = listMembers(buildQuerySchema(route), schemas).map(({ name, schema, required }) => ({
    name,
    in: 'query',
    required,
    schema,
    ...(schema.type === 'object' ? { style: 'deepObject', explode: true } : {}),
  }))
  return [...inPath, ...inQuery, ...buildHeaderParameters(route)]
}

/** Uploads handle their key themselves. */
function acceptsIdempotencyKey(route: Route): boolean {
  return (
    route.method === 'POST' &&
    route.access !== 'public' &&
    (route.idempotent !== false || route.multipart === true)
  )
}

function buildHeaderParameters(route: Route): Json[] {
  const out: Json[] = []
  if (isConditional(route)) {
    out.push({
      name: 'If-None-Match',
      in: 'header',
      required: false,
      schema: { type: 'string' },
      description: 'The ETag you last read: the response is a 304 while it is current.',
    })
  }
  if (route.concurrency) {
    out.push({
      name: 'If-Match',
      in: 'header',
      required: route.concurrency === 'required',
      schema: { type: 'string' },
      description: 'The ETag you last read.',
    })
  }
  if (acceptsIdempotencyKey(route)) {
    const description =
      'A retry with the same key and the same request within 24 hours returns the first response and has no second effect.'
    out.push({
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      schema: { type: 'string', minLength: 1, maxLength: 257 },
      description,
    })
  }
  return out
}

function listMembers(schema: TObject, schemas: Json): { name: string; schema: Json; required: boolean }[] {
  const required = (schema.required ?? []) as string[]
  return Object.entries(schema.properties).map(([name, member]) => ({
    name,
    schema: toReference(member as TSchema, schemas) as Json,
    required: required.includes(name),
  }))
}

function buildRequestBody(route: Route, schemas: Json): Json {
  if (route.multipart) {
    const schema = route.body
      ? toReference(route.body, schemas)
      : { type: 'object', required: ['file'], properties: { file: { type: 'string', format: 'binary' } } }
    return { requestBody: { required: true, content: { 'multipart/form-data': { schema } } } }
  }
  const body = buildBodySchema(route)
  if (!body) return {}
  return {
    requestBody: {
      required: route.bodyOptional !== true,
      content: { 'application/json': { schema: toReference(body, schemas) } },
    },
  }
}

function buildResponses(route: Route, { schemas, responses }: Components): Json {
  const { success } = route
  const content = success.body
    ? { 'application/json': { schema: toReference(success.body, schemas) } }
    : success.contentType
      ? { [success.contentType]: { schema: { type: 'string' } } }
      : undefined
  const etag = success.etag
    ? { headers: { ETag: { schema: { type: 'string' }, description: 'The revision, in quotes.' } } }
    : {}
  return {
    [success.status]: {
      description: success.description ?? 'Success',
      ...etag,
      ...(content ? { content } : {}),
    },
    ...(isConditional(route) ? { 304: { description: 'The ETag in If-None-Match is current.' } } : {}),
    ...Object.fromEntries(
      (success.others ?? []).map(({ status, description }) => [
        status,
        { description, ...(status < 300 && content ? { content } : {}) },
      ]),
    ),
    ...buildErrorResponses(route, responses),
    default: { description: 'Any other error', ...problemContent },
  }
}

const problemContent = {
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } },
}

function isConditional(route: Route): boolean {
  return route.method === 'GET' && route.success.etag === true
}

/** Lists the statuses that an operation can respond with. */
export function listStatuses(route: Route): Set<number> {
  return new Set([
    route.success.status,
    ...(isConditional(route) ? [304] : []),
    ...(route.success.others ?? []).map(({ status }) => status),
    ...listProblems(route).map(({ status }) => status),
  ])
}

/** Lists the problems of an operation: those of every request, those of its properties and those of its handler. */
function listProblems(route: Route): ProblemKind[] {
  const { access, concurrency } = route
  const when = (condition: boolean, ...kinds: ProblemKind[]) => (condition ? kinds : [])
  return [
    ...when(true, ValidationFailed, MalformedUrl),
    ...when(route.page !== undefined, InvalidPageToken),
    ...when(access !== 'public', Unauthenticated, RoleMissing, ScopeMissing),
    ...when(access !== 'public' && access.userOnly === true, UserRequired),
    ...when(route.method !== 'GET', MalformedBody, RequestTimeout, BodyTooLarge, UnsupportedMediaType),
    ...when(route.path.includes('{'), UrlTooLong),
    ...when(acceptsIdempotencyKey(route), IdempotencyKeyBusy, IdempotencyKeyReused),
    ...when(route.secretFields !== undefined, IdempotencySecretConsumed),
    ...when(concurrency !== undefined, PreconditionFailed),
    ...when(concurrency === 'required', PreconditionRequired),
    ...(route.errors ?? []),
    ...when(true, TooManyRequests, HeadersTooLarge, InternalError, Unavailable),
  ]
}

/** Refers to one component for each set of problems, of which there are few. */
function buildErrorResponses(route: Route, responses: Json): Json {
  const kinds = new Map(listProblems(route).map(kind => [kind.code, kind]))
  const byStatus = groupBy([...kinds.values()], kind => String(kind.status))
  return Object.fromEntries(
    [...byStatus].map(([status, group]) => {
      const name = group.map(kind => toPascalCase(kind.code)).join('Or')
      const description = group.map(kind => `\`${kind.code}\`: ${kind.title}`).join('; ')
      responses[name] = { description, ...problemContent }
      return [status, { $ref: `#/components/responses/${name}` }]
    }),
  )
}

/** Replaces named schemas by references and collects them; removes internal keywords. */
function toReference(schema: TSchema, schemas: Json): unknown {
  const { documentedAs } = schema as { documentedAs?: TSchema }
  if (documentedAs) return toReference(documentedAs, schemas)
  const name = getSchemaName(schema)
  if (name === undefined) return toInlineSchema(schema, schemas)
  if (!(name in schemas)) {
    schemas[name] = {} // placeholder for recursive schemas
    schemas[name] = toInlineSchema(schema, schemas)
  }
  return { $ref: `#/components/schemas/${name}` }
}

function toInlineSchema(schema: unknown, schemas: Json): unknown {
  if (Array.isArray(schema)) return schema.map(item => toReference(item, schemas))
  if (typeof schema !== 'object' || schema === null) return schema
  const entries = Object.entries(toDictionary(schema)).filter(([key]) => key !== 'patternMessage')
  return Object.fromEntries(
    entries.map(([key, value]) => [key, isObject(value) ? toReference(value as TSchema, schemas) : value]),
  )
}

/** Writes a pattern for any name as `additionalProperties`: generators read `patternProperties` as members of any type. */
function toDictionary(schema: object): object {
  const { patternProperties, ...others } = schema as { patternProperties?: Json }
  const anyName = patternProperties?.['^.*$']
  return anyName === undefined ? schema : { ...others, additionalProperties: anyName }
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}

const problemSchema = {
  type: 'object',
  required: ['type', 'title', 'status', 'detail', 'instance', 'code', 'requestId'],
  properties: {
    type: { type: 'string', description: 'URL of the documentation of the code.' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    instance: { type: 'string' },
    code: {
      type: 'string',
      description: `Stable, such as \`${ValidationFailed.code}\` or \`${InternalError.code}\`.`,
    },
    requestId: { type: 'string' },
    violations: {
      type: 'array',
      items: {
        type: 'object',
        required: ['field', 'code', 'message'],
        properties: { field: { type: 'string' }, code: { type: 'string' }, message: { type: 'string' } },
      },
    },
  },
}

/** Lists the problems that routes can respond with, for the page that explains the codes. */
export function listProblemKinds(routes: readonly Route[]): ProblemKind[] {
  const kinds = routes.flatMap(listProblems)
  return [...new Map(kinds.map(kind => [kind.code, kind])).values()].sort((a, b) =>
    a.code < b.code ? -1 : 1,
  )
}
