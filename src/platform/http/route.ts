/**
 * A route is one value: what it is called, who may call it, what it takes and gives, and what it does. Validation,
 * authorization, the OpenAPI document, the route table, the client and the sweep tests all read this value.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Static, TObject, TSchema } from 'typebox'
import type { Tx } from '../db/db.ts'
import type { Deps } from '../deps.ts'
import type { ProblemKind } from '../errors.ts'
import type { Caller, Role, Scope } from './caller.ts'
import type { Page, PageStyle } from './page.ts'

export interface Access<B = unknown> {
  scopes: readonly Scope[]
  roles: readonly Role[]
  /** Scopes that depend on the body, checked once it is valid. */
  bodyScopes?: (body: B) => readonly Scope[]
  /** What `extraScopes` means, for the documents: `[{ when: 'recipient.type is contact', scope: 'contact:read' }]`. */
  conditionalScopes?: readonly { when: string; scope: Scope }[]
  /** Only people, not service accounts: 403 auth_user_required. */
  userOnly?: boolean
}

type StaticOr<S, Default> = S extends TSchema ? Static<S> : Default

export interface Context<P, Q, B> extends Deps {
  /** Absent only on public routes, which never look at it. */
  caller: Caller
  params: StaticOr<P, Record<never, never>>
  query: StaticOr<Q, Record<never, never>>
  body: StaticOr<B, undefined>
  page: Page
  /** The revision(s) the client knows; undefined when the header is absent or `*`. */
  ifMatch: IfMatch
  /** `Prefer: handling=strict` */
  strict: boolean
  requestId: string
  request: FastifyRequest
  reply: FastifyReply
  /**
   * A transaction whose result is the response. With an Idempotency-Key, the response is stored in that same
   * transaction, so that a repeat after a crash replays it and does nothing twice.
   */
  write: Write
  /** `write` where there is an Idempotency-Key: what must be stored with its answer cannot share a batch with others. */
  exclusiveWrite: Write | undefined
}

export type Write = <T>(fn: (tx: Tx) => Promise<T>) => Promise<T>

export interface IfMatch {
  /** Refuses with 412 unless the current revision is among those the client named. */
  check(revision: number): void
}

export interface Success<R> {
  status: number
  body?: R
  description?: string
  /** Content type of a body that is not JSON. */
  contentType?: string
  /** The body carries `revision`: send it as the ETag. */
  etag?: boolean
}

export interface RouteSpec<P, Q, B, R> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Relative to /v1, parameters in braces, as in the contract. */
  path: string
  tag: string
  summary: string
  description?: string
  /** No default: whoever writes a route decides who may call it. */
  access: 'public' | Access<StaticOr<B, undefined>>
  /** Not in the contract: an operation we add. */
  extension?: boolean
  params?: P
  query?: Q
  body?: B
  /** The body may be left out, which is the same as `{}`. */
  bodyOptional?: boolean
  /** The body is a form with files; the handler reads `request.parts()`. */
  multipart?: boolean
  /** Taken as is, without parsing: provider callbacks whose signature covers the raw bytes. */
  rawBody?: boolean
  bodyLimit?: number
  success: Success<R>
  errors?: readonly ProblemKind[]
  concurrency?: 'required' | 'optional'
  /** Every authenticated POST takes an Idempotency-Key; `false` where the handler sees to it itself. */
  idempotent?: boolean
  /** Members of the response that are shown once and not kept for a replay. */
  secretFields?: readonly string[]
  page?: PageStyle
  /** Requests per minute from one address, for what anybody may call. */
  limitPerMinute?: number
  handle: (context: Context<P, Q, B>) => Promise<R extends TSchema ? Static<R> | Reply : unknown>
}

// biome-ignore lint/suspicious/noExplicitAny: the table of all routes forgets their particular types
export type Route = RouteSpec<any, any, any, any>

export function route<
  const P extends TObject | undefined = undefined,
  const Q extends TObject | undefined = undefined,
  const B extends TSchema | undefined = undefined,
  const R extends TSchema | undefined = undefined,
>(spec: RouteSpec<P, Q, B, R>): Route {
  return spec as unknown as Route
}

/** For a handler that must set the status, headers, or stream a body that is not JSON. */
export class Reply {
  readonly options: { status?: number; headers?: Record<string, string>; body?: unknown }
  constructor(options: { status?: number; headers?: Record<string, string>; body?: unknown }) {
    this.options = options
  }
}

export function toOperation(spec: Pick<Route, 'method' | 'path'>): string {
  return `${spec.method} ${spec.path}`
}
