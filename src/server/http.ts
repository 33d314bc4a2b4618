/** The process's HTTP side: it listens early, says that it is ready late, and ends without cutting anybody off. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { openRealtime, routes } from '../app.ts'
import { createAuthenticator } from '../identity/auth/authenticate.ts'
import { ConfigError } from '../platform/config.ts'
import type { Deps } from '../platform/deps.ts'
import { Problem, Unavailable } from '../platform/errors.ts'
import { toProblemBody } from '../platform/http/problems.ts'
import { createRateLimit } from '../platform/http/rate-limit.ts'
import { buildServer, RequestId } from '../platform/http/server.ts'
import type { Metrics } from '../platform/metrics.ts'
import { ping } from './store.ts'
import { registerSystemRoutes } from './system-routes.ts'

export interface HttpServer {
  /** From now on the process is ready. */
  open(): void
  /** It still answers, but whoever chooses among processes should choose another. */
  shut(): void
  stop(graceMs: number): Promise<void>
}

export async function startHttp(deps: Deps, metrics: Metrics): Promise<HttpServer> {
  const { config, keys } = deps
  let open = false
  const authenticate = createAuthenticator(deps)
  const app = await buildServer({
    deps,
    routes,
    authenticate,
    pageKey: keys.current('page-tokens'),
    ...(config.rateLimit ? { callerLimit: createRateLimit({ name: 'caller', ...config.rateLimit }) } : {}),
    corsOrigins: config.corsOrigins,
    trustProxy: config.trustProxy,
    observe: metrics.observeRequest,
  })
  await registerSystemRoutes(app, {
    routes,
    metrics,
    metricsToken: config.metricsToken,
    ready: async () => open && (await isReachable(deps)),
  })
  const realtime = openRealtime(deps, authenticate)
  metrics.addGauge('parley_sockets_open', 'Realtime connections', realtime.count)
  app.server.on('upgrade', (request, socket, head) => {
    if (request.url?.split('?')[0] === '/v1/realtime') realtime.upgrade(request, socket, head)
    else socket.destroy()
  })
  await listen(app, deps)
  return {
    open: () => {
      open = true
    },
    shut: () => {
      open = false
    },
    stop: async graceMs => {
      await realtime.stop()
      await stopServer(app, graceMs)
    },
  }
}

/** A port that was left to the system is known from here on. */
async function listen(app: FastifyInstance, { config, log }: Deps): Promise<void> {
  await app.listen({ host: config.host, port: config.port }).catch(error => {
    throw new ConfigError(
      `cannot listen on ${config.host}:${config.port} (${error.code}): ${remedyOf(error.code)}`,
    )
  })
  const { port } = app.server.address() as AddressInfo
  config.publicUrl = config.publicUrl.replace(/:0$/, `:${port}`)
  config.port = port
  log.info({ host: config.host, port }, 'listening')
}

const remedies: Record<string, string> = {
  EADDRINUSE: 'stop what uses that port, or set PORT to another',
  EACCES: 'this user may not use that port, set PORT to one above 1023',
}

function remedyOf(code: string): string {
  return remedies[code] ?? 'set HOST to an address of this machine'
}

async function isReachable(deps: Deps): Promise<boolean> {
  const answer = ping(deps.db).then(
    () => true,
    () => false,
  )
  return Promise.race([answer, sleep(1_000, false, { ref: false })])
}

/** Whoever comes now is sent away, whoever is being served is served; who takes too long is cut off. */
async function stopServer(app: FastifyInstance, graceMs: number): Promise<void> {
  app.server.removeAllListeners('request')
  app.server.on('request', turnAway)
  const closed = app.close()
  await Promise.race([closed, sleep(graceMs, undefined, { ref: false })])
  app.server.closeAllConnections()
  await Promise.race([closed, sleep(500, undefined, { ref: false })])
}

function turnAway(request: IncomingMessage, response: ServerResponse): void {
  const problem = new Problem(Unavailable, { detail: 'the service is stopping; try again shortly' })
  const body = toProblemBody(problem, request.url?.split('?')[0] ?? '/', RequestId.create())
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'retry-after': '1',
    connection: 'close',
  }
  response.writeHead(problem.kind.status, headers).end(JSON.stringify(body))
}
