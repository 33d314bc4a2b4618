/** Describes one route as an OpenAPI operation: its parameters, body and responses. */

import { buildBodySchema } from '../input/read-input.ts'
import { getAccess, type Route } from '../route.ts'
import { buildParameters, type ParameterContext } from './parameters.ts'
import { buildErrorResponses, isConditional, problemContent } from './problem-responses.ts'
import { type Json, toPascalCase, toReference } from './schema-references.ts'

interface OperationContext extends ParameterContext {
  responses: Record<string, unknown>
}

export function toCamelCase([first = '', ...words]: readonly string[]): string {
  return first + words.map(toPascalCase).join('')
}

export function buildOperation(route: Route, context: OperationContext): Json {
  const { schemas, docs } = context
  const access = getAccess(route)
  const prefills = !docs.withoutPrefill?.includes(route.operationId ?? '')
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    description: route.description ?? `${route.summary}.`,
    security: buildSecurity(route),
    ...(access ? { 'x-scopes': access.scopes, 'x-roles': access.roles } : {}),
    ...(access?.conditionalScopes ? { 'x-conditional-scopes': access.conditionalScopes } : {}),
    ...(route.extension ? { 'x-extension': true } : {}),
    ...(prefills ? {} : { 'x-prefill': false }),
    parameters: buildParameters(route, context),
    ...buildRequestBody(route, schemas),
    responses: buildResponses(route, context),
  }
}

function buildSecurity({ access }: Route): Json[] {
  if (access === 'public') return []
  return access === 'visitor' ? [{ visitorToken: [] }] : [{ bearerAuth: [] }, { sessionCookie: [] }]
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

function buildResponses(route: Route, { schemas, responses }: OperationContext): Json {
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
