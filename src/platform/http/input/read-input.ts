/** Validates the path, query and body of a request and builds the handler's context. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { TObject, TSchema } from 'typebox'
import type { Db, Tx } from '../../db/db.ts'
import type { Sql } from '../../db/sql.ts'
import { transact } from '../../db/transact.ts'
import type { Deps } from '../../deps.ts'
import { requireScopes } from '../authorize.ts'
import type { Authenticate, AuthenticateVisitor, Caller } from '../caller.ts'
import { buildPageProperties, openPage, type Page, pageNames } from '../page.ts'
import type { RateLimit } from '../rate-limit.ts'
import { unsupportedMediaType } from '../response/problems.ts'
import { type Context, getAccess, type Route, toOperation } from '../route.ts'
import { AnyId, object } from '../schemas.ts'
import { createCheck, matchesSchema, withoutNulls } from '../validate.ts'
import { readIfMatch } from './etag.ts'
import { coerceQuery, parseQuery } from './query.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The dependencies of the cell in which the request runs. */
    deps: Deps
  }
}

export interface RouteOptions {
  /** Of any cell: for members that the cells of a process share. */
  deps: Deps
  authenticate: Authenticate
  /** Without it, no token of a visitor is valid. */
  authenticateVisitor?: AuthenticateVisitor
  pageKey: Buffer
  callerLimit?: RateLimit
  /** Validates every response against its schema; used in tests. */
  checkResponses?: boolean
}

/** Returns the members of contexts that all requests of a cell share. */
function createSharedMembers() {
  const ofCell = new WeakMap<Deps, { get: object; head: object; headDb: Db }>()
  return (deps: Deps) => {
    const known = ofCell.get(deps)
    if (known) return known
    const write = (fn: (tx: Tx) => Promise<unknown>) => transact(deps.db, fn)
    const get = { ...deps, write, exclusiveWrite: undefined }
    // HEAD runs the handler of GET without its effects.
    const headDb = { __proto__: deps.db, rollsBack: true } as unknown as Db
    const head = { ...get, write: (fn: (tx: Tx) => Promise<unknown>) => transact(headDb, fn) }
    const members = { get, head, headDb }
    ofCell.set(deps, members)
    return members
  }
}

/** Validates the input of a request and builds the handler's context. */
export function createInputReader(route: Route, options: RouteOptions) {
  const schema = buildQuerySchema(route)
  const checkQuery = createCheck(schema, 'query')
  const checkParams = createCheck(route.params ?? buildParamsSchema(route.path), 'path')
  const readBody = createBodyReader(route)
  const getShared = createSharedMembers()
  const chooseDb = createDbChoice(route)
  return async (request: FastifyRequest, reply: FastifyReply): Promise<Context<never, never, never>> => {
    // The parser of forms accepts them on every route, with no body: the fields would be ignored.
    if (!route.multipart && !route.rawBody && request.isMultipart())
      throw unsupportedMediaType(request.headers['content-type'], 'application/json')
    if (route.bodyOptional) request.body ??= {}
    const params = request.params as Record<string, string>
    checkParams(params)
    const query = coerceQuery(schema, parseQuery((request.query as { text: string }).text))
    checkQuery(query)
    request.body = readBody(request.body)
    const caller = request.caller as Caller
    const bodyScopes = getAccess(route)?.bodyScopes
    if (bodyScopes) requireScopes(bodyScopes(request.body as never), caller)
    const deps = await findCell(route, { params, query, body: request.body, request }, options.deps)
    request.deps = deps
    const isHead = request.method === 'HEAD'
    const shared = getShared(deps)
    // Shared members are inherited: copying them for each request would cost more than the rest of this function.
    return {
      __proto__: isHead ? shared.head : shared.get,
      caller,
      visitor: request.visitor,
      db: endTurnBySearching(isHead ? shared.headDb : chooseDb(deps), request),
      params: params as never,
      query: query as never,
      body: request.body as never,
      page: route.page ? readPage(route, options.pageKey, caller, params, query, request.body) : unusedPage,
      ifMatch: readIfMatch(request.headers['if-match'], route.concurrency),
      strict: request.headers.prefer !== undefined && strictPreference.test(String(request.headers.prefer)),
      requestId: request.id,
      request,
      reply,
    } as unknown as Context<never, never, never>
  }
}

/** Returns the cell of a request. Admission has set it unless the route is public. */
function findCell(
  { locate }: Route,
  input: Parameters<NonNullable<Route['locate']>>[0],
  { cells }: Deps,
): Deps | Promise<Deps> {
  return locate ? locate(input, cells) : (input.request.deps ?? cells.home)
}

/** Lists and reports read from the replica of the cell, unless it is behind. */
function createDbChoice(route: Route): (deps: Deps) => Db {
  return (route.replica ?? route.page !== undefined) ? ({ db }) => db.replica : ({ db }) => db
}

/** Searches wait in a queue of their own: many slow ones must not hold back the other requests of their workspace. */
function endTurnBySearching(db: Db, request: FastifyRequest): Db {
  const search = (tenantId: string, query: Sql) => {
    request.endTurn?.()
    return db.search(tenantId, query)
  }
  return { __proto__: db, search } as unknown as Db
}

const strictPreference = /(^|[,;\s])handling=strict($|[,;\s])/

const unusedPage = undefined as unknown as Page

/** Returns a function that validates a body. Except in a PATCH, null means the default of an optional member. */
function createBodyReader(route: Route): (body: unknown) => unknown {
  if (route.multipart || route.rawBody) return body => body
  const schema = buildBodySchema(route)
  // An operation without a body accepts no body, an empty one, or {}.
  const check = createCheck(schema ?? object({}), 'body')
  return body => {
    if (schema ? matchesSchema(schema, body) : body === undefined || body === null) return body
    const value = schema && route.method !== 'PATCH' ? withoutNulls(schema, body) : body
    check(value)
    return value
  }
}

/** Returns the schema of the body, with the paging parameters of a search. */
export function buildBodySchema(route: Route): TSchema | undefined {
  if (route.page?.in !== 'body') return route.body
  return object({ ...(route.body as TObject).properties, ...buildPageProperties(route.page) })
}

export function buildParamsSchema(path: string): TObject {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(match => match[1]!)
  return object(Object.fromEntries(names.map(name => [name, AnyId])))
}

export function buildQuerySchema(route: Route): TObject {
  const query = route.query as TObject | undefined
  const own = query?.properties ?? {}
  if (!route.page || route.page.in === 'body') return query ?? object(own)
  return object({ ...own, ...buildPageProperties(route.page) })
}

function readPage(
  route: Route,
  key: Buffer,
  caller: Caller,
  params: unknown,
  query: Record<string, unknown>,
  body: unknown,
): Page {
  const names = pageNames(route.page!)
  const source = (route.page!.in === 'body' ? body : query) as Record<string, unknown>
  const { [names.size]: size, [names.token]: token, ...rest } = source
  const binding = [caller?.tenantId, toOperation(route), params, rest]
  return openPage(key, route.page!, binding, size as number | undefined, token as string | undefined)
}
