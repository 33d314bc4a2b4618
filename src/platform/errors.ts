/**
 * Problems as values. A route lists the kinds it can respond with; throwing one produces the problem response.
 * Codes are stable snake_case and begin with their area.
 */
export interface Violation {
  field: string
  code: string
  message: string
}

export interface ProblemKind {
  status: number
  code: string
  title: string
}

export interface ProblemExtras {
  detail?: string
  violations?: Violation[]
  headers?: Record<string, string>
  /** Further members of the problem body, such as the id of a conflicting resource. */
  members?: Record<string, unknown>
}

export class Problem extends Error {
  readonly kind: ProblemKind
  readonly extras: ProblemExtras
  constructor(kind: ProblemKind, extras: ProblemExtras = {}) {
    super(extras.detail ?? kind.title)
    this.kind = kind
    this.extras = extras
  }
}

export function problemKind(status: number, code: string, title: string): ProblemKind {
  return { status, code, title }
}

export function fail(kind: ProblemKind, detail?: string, extras: ProblemExtras = {}): never {
  throw new Problem(kind, { ...extras, ...(detail === undefined ? {} : { detail }) })
}

export function violation(field: string, code: string, message: string): Violation {
  return { field, code, message }
}

export function invalid(...violations: Violation[]): never {
  throw new Problem(ValidationFailed, {
    violations,
    detail: violations.map(v => `${v.field}: ${v.message}`).join('; '),
  })
}

export const ValidationFailed = problemKind(400, 'validation_failed', 'The request is not valid')
export const MalformedBody = problemKind(400, 'malformed_body', 'The body is malformed')
export const MalformedUrl = problemKind(400, 'malformed_url', 'The URL is malformed')
export const InvalidPageToken = problemKind(
  400,
  'invalid_page_token',
  'The page token does not belong to this query',
)
export const Unauthenticated = problemKind(401, 'auth_token_invalid', 'A valid bearer token is required')
export const RoleMissing = problemKind(403, 'auth_role_missing', 'Your role does not allow this operation')
export const ScopeMissing = problemKind(403, 'auth_scope_missing', 'Your token lacks a required scope')
export const RouteNotFound = problemKind(404, 'route_not_found', 'Operation not found')
export const MethodNotAllowed = problemKind(405, 'method_not_allowed', 'The method is not allowed here')
export const RequestTimeout = problemKind(408, 'request_timeout', 'The request did not arrive in time')
export const PreconditionFailed = problemKind(
  412,
  'precondition_failed',
  'The resource has changed since you read it',
)
export const BodyTooLarge = problemKind(413, 'body_too_large', 'The body is too large')
export const UrlTooLong = problemKind(414, 'url_too_long', 'The URL is too long')
export const UnsupportedMediaType = problemKind(
  415,
  'unsupported_media_type',
  'The content type is not supported',
)
export const PreconditionRequired = problemKind(428, 'precondition_required', 'If-Match is required')
export const TooManyRequests = problemKind(429, 'too_many_requests', 'Too many requests')
export const HeadersTooLarge = problemKind(431, 'headers_too_large', 'The URL and the headers are too large')
export const InternalError = problemKind(500, 'internal_error', 'Internal error')
export const StorageFull = problemKind(507, 'storage_full', 'There is no space left for the file')
export const Unavailable = problemKind(503, 'service_unavailable', 'The service is temporarily unavailable')
