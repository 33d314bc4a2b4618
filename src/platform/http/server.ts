/** Builds the HTTP server: Fastify with the body parser, problem responses, security headers, limits and routes. */
import cors from '@fastify/cors'
import multipart from '@fastify/multipart'
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type RawServerDefault,
} from 'fastify'
import { MethodNotAllowed, Problem, RouteNotFound, UnsupportedMediaType } from '../errors.ts'
import { idType } from '../ids.ts'
import { logResponses } from './access-log.ts'
import { registerBodies } from './input/body.ts'
import { registerRawBodies } from './input/raw-body.ts'
import type { RouteOptions } from './input/read-input.ts'
import { findReadRoute } from './input/unchanged.ts'
import { paramTooLong, sendProblem, toSocketProblem } from './response/problems.ts'
import type { Route } from './route.ts'
import { serveRoute } from './serve-route.ts'
import { traceRequests } from './tracing.ts'

export const RequestId = idType('req')

export interface ServerOptions extends RouteOptions {
  routes: readonly Route[]
  bodyLimit?: number
  /** Time in which a body must arrive, unless it is a file. */
  bodyTimeoutMs?: number
  corsOrigins?: readonly string[]
  /** The proxies whose X-Forwarded-For header is trusted. */
  trustProxy?: boolean | string
  /** Called after each response, for metrics. */
  observe?: (route: string, method: string, status: number, seconds: number) => void
}

export async function buildServer(options: ServerOptions): Promise<FastifyInstance> {
  const { log, tracing } = options.deps
  const app: FastifyInstance = Fastify<RawServerDefault>({
    // sendProblem logs errors and logResponses requests; a logger per request is too expensive.
    logger: false,
    genReqId: createRequestIds(),
    bodyLimit: options.bodyLimit ?? 1024 * 1024,
    trustProxy: options.trustProxy ?? false,
    requestTimeout: 10 * 60_000,
    http: { headersTimeout: 20_000, maxHeaderSize: 16_384 },
    forceCloseConnections: 'idle',
    // Parsed with the other input, where errors become violations.
    routerOptions: { maxParamLength: 500, querystringParser: text => ({ text }) },
    rewriteUrl: request => withoutTrailingSlash(request.url ?? '/'),
    frameworkErrors: (error, request, reply) => void sendProblem(error, request, reply, log),
    clientErrorHandler: (error, socket) => {
      const { status, body } = toSocketProblem(error)
      if (!socket.writable) return void socket.destroy()
      const head = `HTTP/1.1 ${status} Error\r\nContent-Type: application/json\r\nConnection: close\r\n`
      socket.end(`${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`, () => socket.destroy())
    },
  })
  app.setErrorHandler((error, request, reply) => sendProblem(error, request, reply, log))
  app.setNotFoundHandler(createNotFoundHandler(options.routes))
  if (tracing) traceRequests(app, tracing)
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(securityHeaders).header('x-request-id', request.id)
    const encoding = request.headers['content-encoding']
    if (encoding === undefined || encoding === 'identity') done()
    else done(new Problem(UnsupportedMediaType, { detail: 'send the body without a content-encoding' }))
  })
  logResponses(app, log)
  if (options.observe) {
    const { observe } = options
    app.addHook('onResponse', (request, reply, done) => {
      observe(request.routeOptions.url ?? 'none', request.method, reply.statusCode, reply.elapsedTime / 1000)
      done()
    })
  }
  app.decorateRequest('deps')
  limitBodyTime(app, options.bodyTimeoutMs ?? 20_000)
  registerBodies(app)
  if (options.corsOrigins?.length)
    await app.register(cors, {
      origin: [...options.corsOrigins],
      exposedHeaders,
      maxAge: 600,
    })
  await app.register(multipart, {
    limits: { files: 1, fields: 20, parts: 21, fieldSize: 64 * 1024, headerPairs: 50 },
  })
  for (const route of options.routes.filter(({ rawBody }) => !rawBody))
    serveRoute(app, route, options, findReadRoute(options.routes, route))
  await app.register(async scope => {
    registerRawBodies(scope)
    for (const route of options.routes.filter(({ rawBody }) => rawBody)) serveRoute(scope, route, options)
  })
  return app
}

/** Returns the URL of an operation without a slash at the end of its path. */
function withoutTrailingSlash(url: string): string {
  const end = url.indexOf('?')
  const path = end < 0 ? url : url.slice(0, end)
  if (!path.endsWith('/') || !path.startsWith('/v1/')) return url
  return path.slice(0, -1) + (end < 0 ? '' : url.slice(end))
}

declare module 'fastify' {
  interface FastifyContextConfig {
    multipart?: boolean
  }
  interface FastifyRequest {
    bodyTimer: NodeJS.Timeout | undefined
  }
}

/** Answers 408 to bodies that arrive too slowly. Files have the time of the whole request. */
function limitBodyTime(app: FastifyInstance, timeoutMs: number): void {
  app.decorateRequest('bodyTimer', undefined)
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    const { raw, headers, routeOptions } = request
    const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > 0
    if (hasBody && !routeOptions.config.multipart)
      request.bodyTimer = setTimeout(() => {
        const error = Object.assign(new Error('the body is late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
        if (!raw.complete) app.server.emit('clientError', error, raw.socket)
      }, timeoutMs)
    done()
  })
  app.addHook('preValidation', (request, _reply, done) => {
    clearTimeout(request.bodyTimer)
    done()
  })
}

/** Returns a generator of ids that are unique across processes: a random prefix and a counter. */
function createRequestIds(): () => string {
  const start = RequestId.create()
  let count = 0
  return () => `${start}${(count++).toString(36)}`
}

const exposedHeaders = [
  'ETag',
  'Retry-After',
  'RateLimit',
  'RateLimit-Policy',
  'X-Request-Id',
  'Idempotent-Replayed',
  'Location',
]

/** Responses are data: browsers must not run, frame, sniff or cache them. */
const securityHeaders = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
}

/**
 * Responds with 405 if the path exists with another method, otherwise with 404. A path that exists with the same method has
 * a parameter that is too long: the router then selects a route for all paths, such as that of the console.
 */
function createNotFoundHandler(routes: readonly Route[]) {
  const patterns = routes.map(route => ({
    method: route.method,
    pattern: new RegExp(`^/v1${route.path.replace(/\{\w+\}/g, '[^/]+')}$`),
  }))
  return (request: FastifyRequest, reply: FastifyReply) => {
    const path = request.url.split('?')[0]!
    const methods = [
      ...new Set(patterns.filter(route => route.pattern.test(path)).map(route => route.method)),
    ]
    if (methods.length === 0)
      return sendProblem(
        new Problem(RouteNotFound, { detail: `${request.method} ${path.slice(0, 200)}` }),
        request,
        reply,
      )
    const method = request.method === 'HEAD' ? 'GET' : request.method
    if (methods.some(each => each === method)) return sendProblem(paramTooLong(), request, reply)
    const allow = methods.join(', ')
    return sendProblem(
      new Problem(MethodNotAllowed, { detail: `use ${allow}`, headers: { allow } }),
      request,
      reply,
    )
  }
}
