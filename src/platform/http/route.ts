/**
 * A route is one value: its name, its access rules, its input, its output and its handler. Validation, authorization,
 * the OpenAPI document, the route table, the typed client and the contract tests are derived from it.
 */
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Static, TObject, TSchema, TString } from 'typebox'
import type { Tx } from '../db/db.ts'
import type { Cells, Deps } from '../deps.ts'
import type { ProblemKind } from '../errors.ts'
import type { Caller, Role, Scope, Visitor } from './caller.ts'
import type { Page, PageStyle } from './page.ts'

export interface Access<B = unknown> {
  scopes: readonly Scope[]
  roles: readonly Role[]
  /** Returns further scopes that depend on the body; checked after validation. */
  bodyScopes?: (body: B) => readonly Scope[]
  /** Documents `bodyScopes`: `[{ when: 'recipient.type is contact', scope: 'contact:read' }]`. */
  conditionalScopes?: readonly { when: string; scope: Scope }[]
  /** Refuses service accounts with 403 auth_user_required. */
  userOnly?: boolean
  /** Allows users who must set up a second factor first. */
  beforeSecondFactor?: boolean
}

type StaticOr<S, Default> = S extends TSchema ? Static<S> : Default

export interface Context<P, Q, B> extends Deps {
  /** Undefined on routes for the public and for visitors, whose handlers must not read it. */
  caller: Caller
  /** Undefined on other routes than those for visitors. */
  visitor: Visitor
  params: StaticOr<P, Record<never, never>>
  query: StaticOr<Q, Record<never, never>>
  body: StaticOr<B, undefined>
  page: Page
  /** The precondition of the If-Match header. */
  ifMatch: IfMatch
  /** `Prefer: handling=strict` */
  strict: boolean
  requestId: string
  request: FastifyRequest
  reply: FastifyReply
  /**
   * Runs a transaction whose result is the response. With an Idempotency-Key, the response is stored in the same
   * transaction, so that a retry after a crash replays it and has no second effect.
   */
  write: Write
  /** `write` if the request has an Idempotency-Key: its effects are stored with the response and cannot be batched. */
  exclusiveWrite: Write | undefined
}

export type Write = <T>(fn: (tx: Tx) => Promise<T>) => Promise<T>

export interface IfMatch {
  /** Throws 412 unless the client named the current revision, 428 if the header is required and missing. */
  check(revision: number): void
}

export interface Success<R> {
  status: number
  body?: R
  description?: string
  /** Content type of a body that is not JSON. */
  contentType?: string
  /** Further successful statuses, which the handler sets. */
  others?: readonly { status: number; description: string }[]
  /** Sends the `revision` of the body as the ETag. */
  etag?: boolean
}

export interface RouteSpec<P, Q, B, R> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Relative to /v1, with parameters in braces. */
  path: string
  tag: string
  /** The name of the method in generated clients; `section()` requires it. */
  operationId?: string
  summary: string
  description?: string
  /** A body that works as it is, apart from ids and tokens. */
  example?: Record<string, unknown>
  /** Has no default: every route states its access. `visitor`: a visitor token and nothing else. */
  access: 'public' | 'visitor' | Access<StaticOr<B, undefined>>
  /** Returns the cell in which a public route runs. Required there; the token of other routes names the workspace. */
  locate?: Locate<P, Q, B> | undefined
  /** An operation that the contract does not have. */
  extension?: boolean
  /** Only for parameters that are not ids; the names come from the path. */
  params?: P
  query?: Q
  body?: B
  /** A missing body is accepted as `{}`. */
  bodyOptional?: boolean
  /** The body is a multipart form; the handler reads `request.parts()`. */
  multipart?: boolean
  /** The body is not parsed: signatures of provider webhooks cover the raw bytes. */
  rawBody?: boolean
  bodyLimit?: number
  success: Success<R>
  errors?: readonly ProblemKind[]
  concurrency?: 'required' | 'optional'
  /** Every authenticated POST accepts an Idempotency-Key; `false` if the handler implements it itself. */
  idempotent?: boolean
  /** Names of members, at any depth, that are shown once: they are not stored, and a repeated request is a 409. */
  secretFields?: readonly string[]
  page?: PageStyle
  /** Whether statements of the operation may run on the replica; by default those of lists. Searches always may. */
  replica?: boolean
  /** Maximum requests per minute from one network, for public routes. */
  limitPerMinute?: number
  /** Refuses a request of a public route before its body is read, such as one without a signature. */
  checkHeaders?: (headers: IncomingHttpHeaders, deps: Deps) => void
  /** How the resource of a PATCH is read that has no GET of its own and no list that returns all of them in one response. */
  read?: { access: Access; handle: RouteSpec<P, undefined, undefined, R>['handle'] }
  handle: (context: Context<P, Q, B>) => Promise<R extends TSchema ? Static<R> | Reply : unknown>
}

type Located<P, Q, B> = Pick<Context<P, Q, B>, 'params' | 'query' | 'body' | 'request'>

/** Runs after the validation of the input. */
export type Locate<P, Q, B> = (input: Located<P, Q, B>, cells: Cells) => Deps | Promise<Deps>

/** A public route cannot exist without `locate`. */
type Admission<P, Q, B> =
  | { access: 'public'; locate: Locate<P, Q, B> }
  | { access: 'visitor' | Access<StaticOr<B, undefined>>; locate?: undefined }

// biome-ignore lint/suspicious/noExplicitAny: the table of all routes erases their particular types
export type Route = RouteSpec<any, any, any, any>

type ParamNames<Path> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | ParamNames<Rest> : never

export function route<
  const Path extends string,
  const P extends TObject | undefined = TObject<{ [Name in ParamNames<Path>]: TString }>,
  const Q extends TObject | undefined = undefined,
  const B extends TSchema | undefined = undefined,
  const R extends TSchema | undefined = undefined,
>(spec: RouteSpec<P, Q, B, R> & { path: Path }): Route {
  return spec as unknown as Route
}

type Operation = `${Route['method']} /${string}`

/**
 * Declares the routes of one section of the API document: `const route = section('Contacts')`, then
 * `route('GET /contacts/{id}', { operationId: 'getContact', … })`. `common` holds for every route of the section.
 */
export function section(tag: string, common: { extension?: boolean } = {}) {
  return <
    const O extends Operation,
    const P extends TObject | undefined = TObject<{ [Name in ParamNames<O>]: TString }>,
    const Q extends TObject | undefined = undefined,
    const B extends TSchema | undefined = undefined,
    const R extends TSchema | undefined = undefined,
  >(
    operation: O,
    spec: Omit<RouteSpec<P, Q, B, R>, 'method' | 'path' | 'tag' | 'access' | 'locate'> &
      Admission<P, Q, B> & { operationId: string },
  ): Route => {
    const [method, path] = operation.split(' ') as [Route['method'], string]
    return { method, path, tag, ...common, ...spec } as unknown as Route
  }
}

/** Returned by handlers that set the status or headers, or stream a body that is not JSON. */
export class Reply {
  readonly options: { status?: number; headers?: Record<string, string>; body?: unknown }
  constructor(options: { status?: number; headers?: Record<string, string>; body?: unknown }) {
    this.options = options
  }
}

/** Returns the roles and scopes of a route; undefined for routes of the public and of visitors. */
export function getAccess({ access }: Pick<Route, 'access'>): Access | undefined {
  return typeof access === 'string' ? undefined : access
}

export function toOperation(spec: Pick<Route, 'method' | 'path'>): string {
  return `${spec.method} ${spec.path}`
}
