/** Turns a route value into what Fastify runs, with the checks in their fixed order. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import Type, { type TObject } from 'typebox'
import type { Tx } from '../db/db.ts'
import { transact } from '../db/transact.ts'
import type { Deps } from '../deps.ts'
import { Problem } from '../errors.ts'
import { authorize, callerOf, requireScopes } from './authorize.ts'
import type { Authenticate, Caller } from './caller.ts'
import { etagOf, readIfMatch } from './etag.ts'
import { holding } from './held-keys.ts'
import {
  type Claim,
  claimKey,
  fingerprintOf,
  isKept,
  readKey,
  releaseKey,
  type StoredAnswer,
  storeAnswer,
} from './idempotency.ts'
import { networkOf } from './network.ts'
import { openPage, type Page, pageNames } from './page.ts'
import { problemBody } from './problems.ts'
import { coerceQuery, parseQuery } from './query.ts'
import type { RateLimit } from './rate-limit.ts'
import { rateLimit } from './rate-limit.ts'
import { type Context, operationOf, Reply, type Route } from './route.ts'
import { AnyId, object } from './schemas.ts'
import { type Check, checker } from './validate.ts'

export interface RouteOptions {
  deps: Deps
  authenticate: Authenticate
  pageKey: Buffer
  callerLimit?: RateLimit
  /** In tests every answer is held against its schema. */
  checkResponses?: boolean
}

declare module 'fastify' {
  interface FastifyRequest {
    caller?: Caller
  }
}

export function serveRoute(app: FastifyInstance, route: Route, options: RouteOptions): void {
  const run = handlerOf(route, options)
  app.route({
    method: route.method,
    url: `/v1${route.path.replace(/\{(\w+)\}/g, ':$1')}`,
    ...(route.bodyLimit ? { bodyLimit: route.bodyLimit } : {}),
    onRequest: admission(route, options),
    handler: async (request, reply) => send(reply, await run(request, reply)),
  })
}

/** Before the body is read: who is it, may they, and not too often. */
function admission(route: Route, options: RouteOptions) {
  const { access } = route
  if (access === 'public') {
    const limit = route.limitPerMinute
      ? rateLimit({ name: 'address', perSecond: route.limitPerMinute / 60, burst: route.limitPerMinute })
      : undefined
    return async (request: FastifyRequest, reply: FastifyReply) => {
      if (limit) reply.headers(limit.take(networkOf(request.ip)))
    }
  }
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const caller = await callerOf(options.authenticate, request.headers.authorization)
    request.caller = caller
    if (options.callerLimit) reply.headers(options.callerLimit.take(caller.id))
    authorize(access, caller)
  }
}

interface Answer {
  status: number
  headers: Record<string, string>
  body: unknown
}

function handlerOf(route: Route, options: RouteOptions) {
  const read = inputReader(route, options)
  const check =
    options.checkResponses && route.success.body ? checker(route.success.body, 'response') : undefined
  const takesKey = route.method === 'POST' && route.access !== 'public' && route.idempotent !== false
  return async (request: FastifyRequest, reply: FastifyReply): Promise<Answer> => {
    const context = read(request, reply)
    const key = takesKey ? readKey(request.headers['idempotency-key'] as string | undefined) : undefined
    const answer =
      key === undefined
        ? present(route, await route.handle(context))
        : await runOnce(route, options.deps, context, key)
    if (check && answer.body !== undefined && !answer.headers['idempotent-replayed'])
      mustMatch(check, route, answer.body)
    return answer
  }
}

function mustMatch(check: Check, route: Route, body: unknown): void {
  try {
    check(JSON.parse(JSON.stringify(body)))
  } catch (error) {
    throw new Error(
      `the answer of ${operationOf(route)} does not match its schema: ${(error as Error).message}`,
    )
  }
}

/** Validates everything the client sent and makes the handler's context of it. */
function inputReader(route: Route, options: RouteOptions) {
  const { deps } = options
  const query = querySchema(route)
  const checkQuery = checker(query, 'query')
  const checkParams = checker(route.params ?? paramsOf(route.path), 'path')
  const checkBody = bodyCheck(route)
  const write = (fn: (tx: Tx) => Promise<unknown>) => transact(deps.db, fn)
  const shared = { ...deps, write, alone: undefined }
  return (request: FastifyRequest, reply: FastifyReply): Context<never, never, never> => {
    if (route.bodyOptional) request.body ??= {}
    const params = request.params as Record<string, string>
    checkParams(params)
    const given = coerceQuery(query, parseQuery((request.query as { text: string }).text))
    checkQuery(given)
    checkBody?.(request.body)
    const caller = request.caller as Caller
    if (route.access !== 'public' && route.access.extraScopes)
      requireScopes(route.access.extraScopes(request.body as never), caller)
    // What all requests share is inherited: copying it for each one would cost more than everything else here.
    return {
      __proto__: shared,
      caller,
      params: params as never,
      query: given as never,
      body: request.body as never,
      page: route.page ? pageOf(route, options.pageKey, caller, params, given, request.body) : noPage,
      ifMatch: readIfMatch(request.headers['if-match'], route.concurrency),
      strict: request.headers.prefer !== undefined && strictly.test(String(request.headers.prefer)),
      requestId: request.id,
      request,
      reply,
    } as unknown as Context<never, never, never>
  }
}

const strictly = /(^|[,;\s])handling=strict($|[,;\s])/

const noPage = undefined as unknown as Page

function bodyCheck(route: Route): Check | undefined {
  if (route.multipart || route.rawBody) return undefined
  if (route.body) return checker(route.body, 'body')
  // An operation without a body takes none, an empty one, or {}.
  const empty = checker(object({}), 'body')
  return body => body !== undefined && body !== null && empty(body)
}

export function paramsOf(path: string): TObject {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(match => match[1]!)
  return object(Object.fromEntries(names.map(name => [name, AnyId])))
}

/** The route's own parameters and those of its paging. */
export function querySchema(route: Route): TObject {
  const query = route.query as TObject | undefined
  const own = query?.properties ?? {}
  if (!route.page || route.page.in === 'body') return query ?? object(own)
  const names = pageNames(route.page)
  return object({
    ...own,
    [names.size]: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: `default ${route.page.default ?? 50}, at most ${route.page.max ?? 200}`,
      }),
    ),
    [names.token]: Type.Optional(Type.String({ minLength: 1, maxLength: 4096 })),
  })
}

function pageOf(
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
  const binding = [caller?.tenantId, operationOf(route), params, rest]
  return openPage(key, route.page!, binding, size as number | undefined, token as string | undefined)
}

function present(route: Route, result: unknown): Answer {
  const reply: Reply['options'] = result instanceof Reply ? result.options : { body: result }
  const body = route.success.status === 204 ? undefined : reply.body
  const headers = { ...reply.headers }
  if (route.success.etag) headers.etag = etagOf((body as { revision: number }).revision)
  return { status: reply.status ?? route.success.status, headers, body }
}

/** Runs the handler under its Idempotency-Key, or replays what it answered before. */
async function runOnce(
  route: Route,
  deps: Deps,
  context: Context<never, never, never>,
  key: string,
): Promise<Answer> {
  const { caller, request } = context
  const fingerprint = fingerprintOf(request.params, request.query, request.body ?? {})
  const { claim, earlier } = await claimKey(deps.db, {
    tenantId: caller.tenantId,
    callerId: caller.id,
    operation: operationOf(route),
    key,
    fingerprint,
  })
  if (earlier) return { ...earlier, headers: { ...earlier.headers, 'idempotent-replayed': 'true' } }
  let stored = false
  const write = <T>(fn: (tx: Tx) => Promise<T>) =>
    transact(deps.db, async tx => {
      const result = await fn(tx)
      await storeAnswer(tx, claim, forgetful(route, present(route, result)))
      return result
    }).then(result => {
      stored = true
      return result
    })
  try {
    const handling = { __proto__: context, write, alone: write } as unknown as typeof context
    const answer = present(route, await holding(deps.db, claim, async () => route.handle(handling)))
    if (!stored) await storeAnswer(deps.db, claim, forgetful(route, answer))
    return answer
  } catch (error) {
    if (!stored) await keepProblem(deps, claim, error, request)
    throw error
  }
}

async function keepProblem(deps: Deps, claim: Claim, error: unknown, request: FastifyRequest): Promise<void> {
  const keeping = error instanceof Problem && isKept(error.kind.status)
  const done = keeping
    ? storeAnswer(deps.db, claim, {
        status: error.kind.status,
        body: problemBody(error, request.url.split('?')[0]!, request.id),
        headers: error.extras.headers ?? {},
      })
    : releaseKey(deps.db, claim)
  await done.catch(() => {}) // the first error is the one to tell
}

/** What is shown once is not kept. */
function forgetful(route: Route, answer: Answer): StoredAnswer {
  if (!route.secrets || typeof answer.body !== 'object' || answer.body === null) return answer
  const body = Object.fromEntries(
    Object.entries(answer.body).filter(([name]) => !route.secrets!.includes(name)),
  )
  return { ...answer, body }
}

function send(reply: FastifyReply, answer: Answer): FastifyReply {
  reply.code(answer.status).headers(answer.headers)
  if (answer.body === undefined || answer.body === null) return reply.send()
  if (reply.getHeader('content-type') !== undefined) return reply.send(answer.body)
  return reply.header('content-type', 'application/json; charset=utf-8').send(JSON.stringify(answer.body))
}
