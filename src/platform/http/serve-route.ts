/** Registers a route with Fastify and runs its checks in a fixed order. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { defineCache } from '../caches.ts'
import type { Deps } from '../deps.ts'
import { eventLoop } from '../limits/event-loop.ts'
import { type FairQueue, fairQueue } from '../limits/fair-queue.ts'
import { authenticateRequest, authenticateVisitorRequest, authorize } from './authorize.ts'
import { readKey } from './idempotency/idempotency.ts'
import { runIdempotently } from './idempotency/run-idempotently.ts'
import { createInputReader, type RouteOptions } from './input/read-input.ts'
import { withUnchangedMembers } from './input/unchanged.ts'
import { createRateLimit, toClientNetwork } from './rate-limit.ts'
import { repeatWhileMoving } from './repeat-moving.ts'
import { type RouteResponse, send, toNotModified, toResponse } from './response/response.ts'
import { getAccess, type Route, toOperation } from './route.ts'
import { type Check, createCheck } from './validate.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Lets the next request of the workspace run. */
    endTurn?: () => void
  }
}

/** No user is accountable for requests without a token, or with one that anyone can get. */
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
  const bodyLimit = route.bodyLimit ?? (typeof route.access === 'string' ? publicBodyLimit : undefined)
  app.route({
    method: route.method,
    url: toUrlPattern(route),
    ...(bodyLimit ? { bodyLimit } : {}),
    ...(route.multipart ? { config: { multipart: true } } : {}),
    onRequest: createAdmission(route, options),
    onSend: (request, _reply, _payload, done) => {
      request.endTurn?.()
      done()
    },
    handler: async (request, reply) => send(reply, await run(request, reply)),
  })
}

/** Requests of a workspace that wait hold a connection and their headers. */
const maxWaitingRequests = 1_000

/**
 * Without others a workspace may use the whole process. When the event loop is late, more requests at a time are not
 * answered sooner, but make each of its turns longer for the others. Forms have a queue of their own, because their
 * handlers read them as slowly as they are sent.
 */
const requestQueues = defineCache((deps: Pick<Deps, 'config' | 'caches'>) => {
  const { requestsPerWorkspace } = deps.config
  const loop = eventLoop(deps)
  const open = (what: string) =>
    fairQueue({
      what,
      slots: Number.POSITIVE_INFINITY,
      share: () => (loop.isLate() ? Math.ceil(requestsPerWorkspace / 6) : requestsPerWorkspace),
      shareAlone: () => Number.POSITIVE_INFINITY,
      maxWaiting: maxWaitingRequests,
    })
  return { requests: open('requests'), forms: open('uploads') }
})

/** Resolves when the request may run. Its turn ends with the head of the response: clients may read slowly. */
function waitForTurn(queue: FairQueue, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const ended = new Promise<void>(resolve => {
    request.endTurn = resolve
    reply.raw.once('close', resolve)
  })
  return new Promise((resolve, reject) => {
    const run = () => {
      resolve()
      return ended
    }
    queue.run((request.caller ?? request.visitor)!.tenantId, run).catch(reject)
  })
}

/** Authenticates, rate-limits and authorizes a request before its body is read, and lets workspaces take turns. */
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
  const { cells } = options.deps
  const queue = requestQueues(options.deps)[route.multipart ? 'forms' : 'requests']
  const { authenticateVisitor = async () => undefined } = options
  if (access === 'visitor')
    return async (request: FastifyRequest, reply: FastifyReply) => {
      const { tenantId } = await authenticateVisitorRequest(authenticateVisitor, request)
      request.deps = await cells.of(tenantId)
      await waitForTurn(queue, request, reply)
    }
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const caller = await authenticateRequest(options.authenticate, options.deps.config, request, reply)
    if (options.callerLimit) reply.headers(options.callerLimit.take(caller.id))
    authorize(access, caller)
    request.deps = await cells.of(caller.tenantId)
    await waitForTurn(queue, request, reply)
  }
}

function createHandler(route: Route, options: RouteOptions, readRoute?: Route) {
  const readStrictly = createInputReader(route, options)
  const read = readRoute
    ? withUnchangedMembers(route, readStrictly, readRoute, createInputReader(readRoute, options))
    : readStrictly
  const check =
    options.checkResponses && route.success.body ? createCheck(route.success.body, 'response') : undefined
  const acceptsKey = route.method === 'POST' && getAccess(route) !== undefined && route.idempotent !== false
  async function handle(request: FastifyRequest, reply: FastifyReply): Promise<RouteResponse> {
    const context = await read(request, reply)
    const key = acceptsKey ? readKey(request.headers['idempotency-key'] as string | undefined) : undefined
    const response =
      key === undefined
        ? toResponse(route, await route.handle(context))
        : await runIdempotently(route, request.deps, context, key)
    if (check && response.body !== undefined && !response.headers['idempotent-replayed'])
      assertMatchesSchema(check, route, response.body)
    return route.method === 'GET' ? toNotModified(request, response) : response
  }
  return (request: FastifyRequest, reply: FastifyReply): Promise<RouteResponse> =>
    repeatWhileMoving(request, options.deps.cells, () => handle(request, reply))
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
