/** Describes one route as an OpenAPI operation: its parameters, body and responses. */

import type { TObject, TSchema } from 'typebox'
import { buildBodySchema, buildParamsSchema, buildQuerySchema } from '../input/read-input.ts'
import { getAccess, type Route } from '../route.ts'
import {
  acceptsIdempotencyKey,
  buildErrorResponses,
  isConditional,
  problemContent,
} from './problem-responses.ts'
import { type Json, toPascalCase, toReference } from './schema-references.ts'

interface Components {
  schemas: Record<string, unknown>
  responses: Record<string, unknown>
}

export function toCamelCase([first = '', ...words]: readonly string[]): string {
  return first + words.map(toPascalCase).join('')
}

export function buildOperation(route: Route, { schemas, responses }: Components): Json {
  const access = getAccess(route)
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    description: route.description ?? `${route.summary}.`,
    security: buildSecurity(route),
    ...(access ? { 'x-scopes': access.scopes, 'x-roles': access.roles } : {}),
    ...(access?.conditionalScopes ? { 'x-conditional-scopes': access.conditionalScopes } : {}),
    ...(route.extension ? { 'x-extension': true } : {}),
    parameters: buildParameters(route, schemas),
    ...buildRequestBody(route, schemas),
    responses: buildResponses(route, { schemas, responses }),
  }
}

function buildSecurity({ access }: Route): Json[] {
  if (access === 'public') return []
  return access === 'visitor' ? [{ visitorToken: [] }] : [{ bearerAuth: [] }, { sessionCookie: [] }]
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
      content: {
        'application/json': {
          schema: toReference(body, schemas),
          ...(route.example ? { example: route.example } : {}),
        },
      },
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
