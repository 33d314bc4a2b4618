/** Converts errors to problem responses. Unexpected errors are logged and reported with the request id only. */
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { BlobStoreFull } from '../../blobs/blobs.ts'
import { toMove } from '../../db/moving.ts'
import { isDatabaseUnavailable } from '../../db/unavailable.ts'
import {
  BodyTooLarge,
  HeadersTooLarge,
  InternalError,
  MalformedBody,
  MalformedUrl,
  Problem,
  type ProblemKind,
  RequestTimeout,
  StorageFull,
  Unavailable,
  UnsupportedMediaType,
  UrlTooLong,
} from '../../errors.ts'
import type { Logger } from '../../log.ts'

export function toProblemBody(
  problem: Problem,
  instance: string,
  requestId: string,
): Record<string, unknown> {
  const { kind, extras } = problem
  return {
    type: `/docs/errors#${kind.code}`,
    title: kind.title,
    status: kind.status,
    detail: extras.detail ?? kind.title,
    instance,
    code: kind.code,
    requestId,
    ...(extras.violations ? { violations: extras.violations } : {}),
    ...extras.members,
  }
}

const fastifyProblems: Record<string, ProblemKind> = {
  FST_ERR_CTP_BODY_TOO_LARGE: BodyTooLarge,
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: MalformedBody,
  FST_ERR_BAD_URL: MalformedUrl,
  FST_ERR_INVALID_URL: MalformedUrl,
  FST_REQ_FILE_TOO_LARGE: BodyTooLarge,
  FST_FILES_LIMIT: BodyTooLarge,
  FST_FIELDS_LIMIT: BodyTooLarge,
  FST_PARTS_LIMIT: BodyTooLarge,
  FST_PROTO_VIOLATION: MalformedBody,
  FST_ERR_CTP_EMPTY_JSON_BODY: MalformedBody,
}

const acceptedTypes: Record<string, string> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'application/json',
  FST_INVALID_MULTIPART_CONTENT_TYPE: 'multipart/form-data; boundary=…, which HTTP libraries set for a form',
}

export function toProblem(error: unknown, contentType?: string): Problem {
  if (error instanceof Problem) return error
  if (error instanceof BlobStoreFull)
    return new Problem(StorageFull, {
      detail: 'the installation has no space left for files; try again later',
    })
  const { code, statusCode, message } = error as FastifyError
  const kind = fastifyProblems[code]
  if (code === 'FST_ERR_MAX_PARAM_LENGTH') return paramTooLong()
  const accepted = acceptedTypes[code]
  if (accepted) return unsupportedMediaType(contentType, accepted)
  if (kind) return new Problem(kind, { detail: toSingleLine(message) })
  // Checked before isDatabaseUnavailable(), because a client that disconnects while sending looks like a lost database.
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return new Problem({ ...MalformedBody, status: statusCode }, { detail: toSingleLine(message) })
  if (toMove(error))
    return new Problem(Unavailable, {
      detail: 'the workspace is being moved; try again shortly',
      headers: { 'retry-after': '1' },
    })
  if (isDatabaseUnavailable(error)) {
    return new Problem(Unavailable, {
      detail: 'the database is unavailable; try again shortly',
      headers: { 'retry-after': '1' },
    })
  }
  // statement_timeout
  if (code === '57014')
    return new Problem(Unavailable, {
      detail: 'the query took too long; narrow it down or try again',
      headers: { 'retry-after': '5' },
    })
  return new Problem(InternalError, {
    detail: 'give the request id to the operator, who finds the error in the log',
  })
}

export const paramTooLong = () =>
  new Problem(UrlTooLong, { detail: 'a path parameter has at most 500 characters' })

export function unsupportedMediaType(contentType: string | undefined, accepted: string): Problem {
  const found =
    contentType === undefined
      ? 'the header Content-Type is missing'
      : `the header Content-Type is ${toSingleLine(contentType)}`
  return new Problem(UnsupportedMediaType, { detail: `${found}; send Content-Type: ${accepted}` })
}

function toSingleLine(message: string): string {
  return message.replace(/\s+/g, ' ').slice(0, 200)
}

export function sendProblem(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  log?: Logger,
): FastifyReply {
  const problem = toProblem(error, request.headers['content-type'])
  const { status, code } = problem.kind
  request.problemCode = code
  if (status >= 500 && log) logFailure(log, error, problem, request)
  if (status === 401) reply.header('www-authenticate', 'Bearer')
  // The rest of an unread body is not read.
  if (status === 413 || status === 408) reply.header('connection', 'close')
  const body = toProblemBody(problem, status === 414 ? '/' : request.url.split('?')[0]!, request.id)
  return reply
    .code(status)
    .headers(problem.extras.headers ?? {})
    .header('content-type', 'application/json; charset=utf-8')
    .send(JSON.stringify(body))
}

/**
 * Refusals that are expected have no stack trace: of a file, by a quota or the reserve of the disk, a warning with the
 * reason; of more work than the service takes at a time, only the line of the request, because anyone can cause many.
 */
function logFailure(log: Logger, error: unknown, { kind, message }: Problem, request: FastifyRequest): void {
  if (error instanceof Problem && kind.code === Unavailable.code) return
  const fields = {
    code: kind.code,
    requestId: request.id,
    method: request.method,
    route: request.routeOptions.url,
  }
  if (kind.code !== StorageFull.code) {
    log.error({ ...fields, err: error }, 'request failed')
    return
  }
  const tenantId = (request.caller ?? request.visitor)?.tenantId
  const reason = error instanceof BlobStoreFull ? error.message : message
  log.warn({ ...fields, tenantId, reason }, 'file refused')
}

const socketProblems: Record<string, ProblemKind> = {
  HPE_HEADER_OVERFLOW: HeadersTooLarge,
  ERR_HTTP_REQUEST_TIMEOUT: RequestTimeout,
}

/** Converts errors of the HTTP parser, which never reach a route. */
export function toSocketProblem(error: Error & { code?: string }): { status: number; body: string } {
  const kind = socketProblems[error.code ?? ''] ?? {
    ...MalformedBody,
    code: 'malformed_request',
    title: 'This is not a valid HTTP request',
  }
  const extras = kind === HeadersTooLarge ? { detail: 'they have at most 16 KiB together' } : {}
  return { status: kind.status, body: JSON.stringify(toProblemBody(new Problem(kind, extras), '/', 'none')) }
}
