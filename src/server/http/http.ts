/**
 * Serves HTTP in a process: the API (role `http`), realtime sockets (role `realtime`), health and metrics. Listens
 * early, reports readiness late, and stops without cutting off requests in flight.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { routes } from '../../app.ts'
import { openCellSockets, relaySignals } from '../../app-realtime.ts'
import { createAuthenticator } from '../../identity/auth/authenticate.ts'
import { ConfigError } from '../../platform/config.ts'
import type { Deps } from '../../platform/deps.ts'
import { Problem, Unavailable } from '../../platform/errors.ts'
import { createRateLimit } from '../../platform/http/rate-limit.ts'
import { toProblemBody } from '../../platform/http/response/problems.ts'
import { buildServer, RequestId } from '../../platform/http/server.ts'
import type { Metrics } from '../../platform/metrics.ts'
import type { Realtime } from '../../realtime/sockets.ts'
import { visitorSocketPath } from '../../webchat/realtime/sockets.ts'
import { createVisitorAuthenticator } from '../../webchat/visitors/visitors.ts'
import type { ServedCell } from '../cells/work.ts'
import { isWritable } from '../store.ts'
import { getBuild, loadConsole, registerConsole } from './console.ts'
import { registerReference } from './reference.ts'
import { registerSystemRoutes } from './system-routes.ts'
import { buildWidgetOptions, registerWidget } from './widget.ts'

export interface HttpServer {
  /** Reports readiness: `/readyz` answers 200 only while ready. */
  setReady(ready: boolean): void
  stop(graceMs: number): Promise<void>
}

export interface HttpOptions {
  metrics: Metrics
  api: boolean
  sockets: boolean
}

/** Serves the workspaces of the cells of `works`. */
export async function startHttp(works: readonly ServedCell[], options: HttpOptions): Promise<HttpServer> {
  const { metrics, api, sockets } = options
  const served = works.map(({ cell }) => cell.deps)
  const deps = served[0]!
  const { config, keys } = deps
  let ready = false
  const authenticate = createAuthenticator(deps)
  const app = await buildServer({
    deps,
    routes: api ? routes : [],
    authenticate,
    authenticateVisitor: createVisitorAuthenticator(deps),
    pageKey: keys.current('page-tokens'),
    ...(config.rateLimit ? { callerLimit: createRateLimit({ name: 'caller', ...config.rateLimit }) } : {}),
    corsOrigins: config.corsOrigins,
    trustProxy: config.trustProxy,
    observe: metrics.observeRequest,
  })
  if (!config.trustProxy) warnAboutProxy(app, deps)
  app.server.maxConnections = config.maxConnections
  // Clients that keep connections open go to another process before this one closes them.
  app.addHook('onRequest', (_request, reply, done) => {
    if (!ready) reply.header('connection', 'close')
    done()
  })
  registerSystemRoutes(app, {
    metrics,
    metricsToken: config.metricsToken,
    isReady: async () =>
      ready && (works.length > 1 ? works.some(({ cell }) => cell.isUsable) : await isDatabaseUsable(deps)),
    works,
  })
  const console = api ? loadConsole(config) : undefined
  if (api) {
    await registerReference(app, routes)
    await registerConsole(app, console)
    await registerWidget(app, buildWidgetOptions(deps))
  }
  const realtime = sockets
    ? serveSockets(app, openCellSockets(served, { getBuild: () => getBuild(console) }), metrics)
    : undefined
  const relays = realtime ? [] : served.map(relaySignals)
  await listen(app, deps)
  return {
    setReady: value => {
      ready = value
    },
    stop: async graceMs => {
      await realtime?.stop()
      for (const stopRelaying of relays) stopRelaying()
      await stopServer(app, graceMs)
    },
  }
}

/** Logs once when a proxy seems to be in front and is not configured. */
function warnAboutProxy(app: FastifyInstance, { log }: Deps): void {
  let warned = false
  app.addHook('onRequest', (request, _reply, done) => {
    if (!warned && request.headers['x-forwarded-for'] !== undefined) {
      warned = true
      log.warn('X-Forwarded-For is ignored; behind a proxy, set TRUST_PROXY to its address')
    }
    done()
  })
}

const socketPaths = new Set(['/v1/realtime', visitorSocketPath])

function serveSockets(app: FastifyInstance, realtime: Realtime, metrics: Metrics): Realtime {
  metrics.addGauge('parley_sockets_open', 'Realtime connections', realtime.count)
  app.server.on('upgrade', (request, socket, head) => {
    if (socketPaths.has(request.url?.split('?')[0] ?? '')) realtime.upgrade(request, socket, head)
    else socket.destroy()
  })
  return realtime
}

/** Listens, and records the port where the system chose it. */
async function listen(app: FastifyInstance, { config, log }: Deps): Promise<void> {
  await app.listen({ host: config.host, port: config.port }).catch(error => {
    throw new ConfigError(
      `cannot listen on ${config.host}:${config.port} (${error.code}): ${remedies[error.code] ?? 'set HOST to an address of this machine'}`,
    )
  })
  const { port } = app.server.address() as AddressInfo
  config.publicUrl = config.publicUrl.replace(/:0$/, `:${port}`)
  config.port = port
  log.info({ host: config.host, port }, 'listening')
}

const remedies: Record<string, string> = {
  EADDRINUSE: 'stop the process that uses this port, or set PORT to another one',
  EACCES: 'this user may not use this port; set PORT to a port above 1023',
}

async function isDatabaseUsable({ db }: Deps): Promise<boolean> {
  const answer = isWritable(db).then(
    writable => {
      if (!writable) db.recycle()
      return writable
    },
    () => false,
  )
  return Promise.race([answer, sleep(1_000, false, { ref: false })])
}

/** Answers new requests with 503, finishes those in flight, and closes connections after the grace period. */
async function stopServer(app: FastifyInstance, graceMs: number): Promise<void> {
  app.server.removeAllListeners('request')
  app.server.on('request', sendUnavailable)
  const closed = app.close()
  await Promise.race([closed, sleep(graceMs, undefined, { ref: false })])
  app.server.closeAllConnections()
  await Promise.race([closed, sleep(500, undefined, { ref: false })])
}

function sendUnavailable(request: IncomingMessage, response: ServerResponse): void {
  const problem = new Problem(Unavailable, { detail: 'the service is stopping; try again shortly' })
  const body = toProblemBody(problem, request.url?.split('?')[0] ?? '/', RequestId.create())
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'retry-after': '1',
    connection: 'close',
  }
  response.writeHead(problem.kind.status, headers).end(JSON.stringify(body))
}
