/** Lists the problems and statuses that a route can respond with, and describes them as responses. */
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
} from '../../errors.ts'
import { groupBy } from '../../group-by.ts'
import { UserRequired } from '../authorize.ts'
import {
  IdempotencyKeyBusy,
  IdempotencyKeyReused,
  IdempotencySecretConsumed,
} from '../idempotency/idempotency.ts'
import { getAccess, type Route } from '../route.ts'
import { CrossSite } from '../session-cookie.ts'
import { type Json, toPascalCase } from './schema-references.ts'

/** Uploads handle their key themselves. */
export function acceptsIdempotencyKey(route: Route): boolean {
  return (
    route.method === 'POST' &&
    getAccess(route) !== undefined &&
    (route.idempotent !== false || route.multipart === true)
  )
}

export const problemContent = {
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } },
}

export function isConditional(route: Route): boolean {
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
  const { concurrency } = route
  const access = getAccess(route)
  const when = (condition: boolean, ...kinds: ProblemKind[]) => (condition ? kinds : [])
  return [
    ...when(true, ValidationFailed, MalformedUrl),
    ...when(route.page !== undefined, InvalidPageToken),
    ...when(route.access !== 'public', Unauthenticated),
    ...when(access !== undefined, RoleMissing, ScopeMissing, CrossSite),
    ...when(access?.userOnly === true, UserRequired),
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
export function buildErrorResponses(route: Route, responses: Json): Json {
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

export const problemSchema = {
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
