/** Registers a route with Fastify and runs its checks in a fixed order. */
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { TObject, TSchema } from 'typebox'
import type { Db, Tx } from '../db/db.ts'
import { transact } from '../db/transact.ts'
import type { Deps } from '../deps.ts'
import { fail, Problem } from '../errors.ts'
import { authenticateHeader, authorize, requireScopes } from './authorize.ts'
import type { Authenticate, Caller } from './caller.ts'
import {
  type ClaimedKey,
  claimKey,
  IdempotencySecretConsumed,
  isReplayable,
  readKey,
  releaseKey,
  type StoredResponse,
  storeResponse,
  toFingerprint,
  withKeyLease,
} from './idempotency.ts'
import { matchesNone, readIfMatch, toEtag } from './input/etag.ts'
import { coerceQuery, parseQuery } from './input/query.ts'
import { withUnchangedMembers } from './input/unchanged.ts'
import { buildPageProperties, openPage, type Page, pageNames } from './page.ts'
import { toProblemBody } from './problems.ts'
import { createRateLimit, type RateLimit, toClientNetwork } from './rate-limit.ts'
import { type Context, Reply, type Route, toOperation } from './route.ts'
import { AnyId, object } from './schemas.ts'
import { type Check, createCheck, matchesSchema, withoutNulls } from './validate.ts'

export interface RouteOptions {
  deps: Deps
  authenticate: Authenticate
  pageKey: Buffer
  callerLimit?: RateLimit
  /** Validates every response against its schema; used in tests. */
  checkResponses?: boolean
}

declare module 'fastify' {
  interface FastifyRequest {
    caller?: Caller
  }
}

/** Nobody is accountable for requests without a token. */
const publicBodyLimit = 16 * 1024

export function toUrlPattern({ path }: Pick<Route, 'path'>): string {
  return `/v1${path.replace(/\{(\w+)\}/g, ':$1')}`
}

/** `readRoute` returns the resource that a PATCH changes. */
export function serveRoute(
  app: FastifyInstance,
  route: Route,
  options: RouteOptions,
  readRoute?: Route,
): void {
  const run = createHandler(route, options, readRoute)
  const bodyLimit = route.bodyLimit ?? (route.access === 'public' ? publicBodyLimit : undefined)
  app.route({
    method: route.method,
    url: toUrlPattern(route),
    ...(bodyLimit ? { bodyLimit } : {}),
    ...(route.multipart ? { config: { multipart: true } } : {}),
    onRequest: createAdmission(route, options),
    handler: async (request, reply) => send(reply, await run(request, reply)),
  })
}

/** Authenticates, rate-limits and authorizes a request before its body is read. */
function createAdmission(route: Route, options: RouteOptions) {
  const { access } = route
  if (access === 'public') {
    const limit = route.limitPerMinute
      ? createRateLimit({
          name: 'address',
          perSecond: route.limitPerMinute / 60,
          burst: route.limitPerMinute,
        })
      : undefined
    return async (request: FastifyRequest, reply: FastifyReply) => {
      if (limit) reply.headers(limit.take(toClientNetwork(request.ip)))
      route.checkHeaders?.(request.headers, options.deps)
    }
  }
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const caller = await authenticateHeader(options.authenticate, request.headers.authorization)
    request.caller = caller
    if (options.callerLimit) reply.headers(options.callerLimit.take(caller.id))
    authorize(access, caller)
  }
}

interface RouteResponse {
  status: number
  headers: Record<string, string>
  body: unknown
}

function createHandler(route: Route, options: RouteOptions, readRoute?: Route) {
  const readStrictly = createInputReader(route, options)
  const read = readRoute
    ? withUnchangedMembers(route, readStrictly, readRoute, createInputReader(readRoute, options))
    : readStrictly
  const check =
    options.checkResponses && route.success.body ? createCheck(route.success.body, 'response') : undefined
  const acceptsKey = route.method === 'POST' && route.access !== 'public' && route.idempotent !== false
  return async (request: FastifyRequest, reply: FastifyReply): Promise<RouteResponse> => {
    const context = await read(request, reply)
    const key = acceptsKey ? readKey(request.headers['idempotency-key'] as string | undefined) : undefined
    const response =
      key === undefined
        ? toResponse(route, await route.handle(context))
        : await runIdempotently(route, options.deps, context, key)
    if (check && response.body !== undefined && !response.headers['idempotent-replayed'])
      assertMatchesSchema(check, route, response.body)
    return route.method === 'GET' ? toNotModified(request, response) : response
  }
}

/** Returns a 304 without the body if the client has the current representation. */
function toNotModified(request: FastifyRequest, response: RouteResponse): RouteResponse {
  const { etag } = response.headers
  if (response.status !== 200 || !etag || !matchesNone(request.headers['if-none-match'], etag))
    return response
  if (response.body instanceof Readable) response.body.destroy()
  return { status: 304, headers: response.headers, body: undefined }
}

function assertMatchesSchema(check: Check, route: Route, body: unknown): void {
  try {
    check(JSON.parse(JSON.stringify(body)))
  } catch (error) {
    throw new Error(
      `the response of ${toOperation(route)} does not match its schema: ${(error as Error).message}`,
    )
  }
}

/** Validates the input of a request and builds the handler's context. */
function createInputReader(route: Route, options: RouteOptions) {
  const { deps } = options
  const schema = buildQuerySchema(route)
  const checkQuery = createCheck(schema, 'query')
  const checkParams = createCheck(route.params ?? buildParamsSchema(route.path), 'path')
  const readBody = createBodyReader(route)
  const write = (fn: (tx: Tx) => Promise<unknown>) => transact(deps.db, fn)
  const shared = { ...deps, write, exclusiveWrite: undefined }
  const sharedByHead = { ...shared, write: (fn: (tx: Tx) => Promise<unknown>) => rehearse(deps.db, fn) }
  return (request: FastifyRequest, reply: FastifyReply): Context<never, never, never> => {
    if (route.bodyOptional) request.body ??= {}
    const params = request.params as Record<string, string>
    checkParams(params)
    const query = coerceQuery(schema, parseQuery((request.query as { text: string }).text))
    checkQuery(query)
    request.body = readBody(request.body)
    const caller = request.caller as Caller
    if (route.access !== 'public' && route.access.bodyScopes)
      requireScopes(route.access.bodyScopes(request.body as never), caller)
    // Shared members are inherited: copying them for each request would cost more than the rest of this function.
    return {
      __proto__: request.method === 'HEAD' ? sharedByHead : shared,
      caller,
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

class Rehearsed extends Error {
  readonly result: unknown
  constructor(result: unknown) {
    super('rolled back')
    this.result = result
  }
}

/** Returns the result of a write and rolls it back: HEAD runs the handler of GET without its effects. */
async function rehearse(db: Db, fn: (tx: Tx) => Promise<unknown>): Promise<unknown> {
  try {
    return await transact(db, async tx => {
      throw new Rehearsed(await fn(tx))
    })
  } catch (error) {
    if (error instanceof Rehearsed) return error.result
    throw error
  }
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

function toResponse(route: Route, result: unknown): RouteResponse {
  const reply: Reply['options'] = result instanceof Reply ? result.options : { body: result }
  const body = route.success.status === 204 ? undefined : reply.body
  const headers = { ...reply.headers }
  if (route.success.etag) headers.etag = toEtag((body as { revision: number }).revision)
  return { status: reply.status ?? route.success.status, headers, body }
}

/** Runs the handler under its Idempotency-Key, or replays the stored response. */
async function runIdempotently(
  route: Route,
  deps: Deps,
  context: Context<never, never, never>,
  key: string,
): Promise<RouteResponse> {
  const { caller, request } = context
  const fingerprint = toFingerprint(request.params, request.query, request.body ?? {})
  const { claim, stored } = await claimKey(deps.db, {
    tenantId: caller.tenantId,
    callerId: caller.id,
    operation: toOperation(route),
    key,
    fingerprint,
  })
  if (stored) return replay(route, stored)
  let isStored = false
  const write = <T>(fn: (tx: Tx) => Promise<T>) =>
    transact(deps.db, async tx => {
      const result = await fn(tx)
      await storeResponse(tx, claim, withoutSecrets(route, toResponse(route, result)))
      return result
    }).then(result => {
      isStored = true
      return result
    })
  try {
    const keyedContext = { __proto__: context, write, exclusiveWrite: write } as unknown as typeof context
    const response = toResponse(
      route,
      await withKeyLease(deps, claim, async () => route.handle(keyedContext)),
    )
    if (!isStored) await storeResponse(deps.db, claim, withoutSecrets(route, response))
    return response
  } catch (error) {
    if (!isStored) await storeProblem(deps, claim, error, request)
    throw error
  }
}

/** A replay without the secret would look like a success that the caller cannot use. */
function replay(route: Route, stored: StoredResponse): RouteResponse {
  if (route.secretFields && stored.status < 400)
    fail(IdempotencySecretConsumed, 'delete what the first request created and repeat it with a new key', {
      headers: { 'idempotent-replayed': 'true' },
      members: { created: stored.body },
    })
  return { ...stored, headers: { ...stored.headers, 'idempotent-replayed': 'true' } }
}

async function storeProblem(
  deps: Deps,
  claim: ClaimedKey,
  error: unknown,
  request: FastifyRequest,
): Promise<void> {
  const shouldStore = error instanceof Problem && isReplayable(error.kind.status)
  const settled = shouldStore
    ? storeResponse(deps.db, claim, {
        status: error.kind.status,
        body: toProblemBody(error, request.url.split('?')[0]!, request.id),
        headers: error.extras.headers ?? {},
      })
    : releaseKey(deps.db, claim)
  await settled.catch(() => {}) // the caller throws the first error
}

function withoutSecrets(route: Route, response: RouteResponse): StoredResponse {
  if (!route.secretFields || typeof response.body !== 'object' || response.body === null) return response
  const isSecret = (name: string) => route.secretFields!.includes(name)
  const text = JSON.stringify(response.body, (name, value) => (isSecret(name) ? undefined : value))
  return { ...response, body: JSON.parse(text) }
}

function send(reply: FastifyReply, response: RouteResponse): FastifyReply {
  reply.code(response.status).headers(response.headers)
  if (response.body === undefined || response.body === null) return reply.send()
  if (reply.getHeader('content-type') !== undefined) return reply.send(response.body)
  return reply.header('content-type', 'application/json; charset=utf-8').send(JSON.stringify(response.body))
}
