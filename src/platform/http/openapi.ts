/** Builds the OpenAPI 3.1 document from the routes. */
import type { TObject, TSchema } from 'typebox'
import {
  InternalError,
  type ProblemKind,
  RoleMissing,
  ScopeMissing,
  TooManyRequests,
  Unauthenticated,
  ValidationFailed,
} from '../errors.ts'
import { UserRequired } from './authorize.ts'
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
  components: { securitySchemes: Json; schemas: Record<string, unknown> }
}

export function buildOpenApi(
  routes: readonly Route[],
  tagDescriptions: Readonly<Record<string, string>> = {},
): OpenApi {
  const schemas: Record<string, unknown> = { Problem: problemSchema }
  const paths: OpenApi['paths'] = {}
  for (const route of routes) {
    paths[route.path] ??= {}
    paths[route.path]![route.method.toLowerCase()] = buildOperation(route, schemas)
  }
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
    components: {
      securitySchemes: {
        bearerAuth: {
          type: 'http',
          scheme: 'bearer',
          description: 'An access token, an API key (pk_…), or a token of the configured identity provider.',
        },
      },
      schemas: Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1))),
    },
  }
}

function buildOperation(route: Route, schemas: Json): Json {
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
    responses: buildResponses(route, schemas),
  }
}

/** `GET /contacts/{id}/tags` → getContactsIdTags: stable, unique, and readable in a generated client. */
export function operationId(route: Pick<Route, 'method' | 'path'>): string {
  const words = route.path
    .replace(/[{}]/g, '')
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean)
  return route.method.toLowerCase() + words.map(word => word[0]!.toUpperCase() + word.slice(1)).join('')
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

function buildHeaderParameters(route: Route): Json[] {
  const out: Json[] = []
  if (route.concurrency) {
    out.push({
      name: 'If-Match',
      in: 'header',
      required: route.concurrency === 'required',
      schema: { type: 'string' },
      description: 'The ETag you last read.',
    })
  }
  if (
    route.method === 'POST' &&
    route.access !== 'public' &&
    (route.idempotent !== false || route.multipart)
  ) {
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

function buildResponses(route: Route, schemas: Json): Json {
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
    ...buildErrorResponses(route),
    default: { description: 'Any other error', ...problemContent },
  }
}

const problemContent = {
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } },
}

function buildErrorResponses(route: Route): Json {
  const common =
    route.access === 'public'
      ? [ValidationFailed, TooManyRequests]
      : [ValidationFailed, Unauthenticated, RoleMissing, ScopeMissing, TooManyRequests]
  const userOnly = route.access !== 'public' && route.access.userOnly ? [UserRequired] : []
  const kinds: ProblemKind[] = [...common, ...userOnly, ...(route.errors ?? [])]
  const byStatus = new Map<number, ProblemKind[]>()
  for (const kind of kinds) byStatus.set(kind.status, [...(byStatus.get(kind.status) ?? []), kind])
  return Object.fromEntries(
    [...byStatus].map(([status, group]) => [
      status,
      {
        description: [...new Set(group.map(kind => `\`${kind.code}\`: ${kind.title}`))].join('; '),
        ...problemContent,
      },
    ]),
  )
}

/** Replaces named schemas by references and collects them; removes internal keywords. */
function toReference(schema: TSchema, schemas: Json): unknown {
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
  const entries = Object.entries(schema).filter(([key]) => key !== 'patternMessage')
  return Object.fromEntries(
    entries.map(([key, value]) => [key, isObject(value) ? toReference(value as TSchema, schemas) : value]),
  )
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
  const kinds = routes.flatMap(route => route.errors ?? [])
  return [...new Map(kinds.map(kind => [kind.code, kind])).values()].sort((a, b) =>
    a.code < b.code ? -1 : 1,
  )
}
