/**
 * Logs one line per response: the route instead of the URL, which may contain secrets, and neither headers nor bodies.
 * Probes are logged at `debug`, because load balancers and scrapers send them every few seconds.
 */
import type { FastifyInstance } from 'fastify'
import type { Logger } from '../log.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The code of the problem that the request was answered with. */
    problemCode?: string
  }
}

const probes = new Set(['/healthz', '/readyz', '/metrics'])

export function logResponses(app: FastifyInstance, log: Logger): void {
  app.addHook('onResponse', (request, reply, done) => {
    const { caller, routeOptions } = request
    const level = probes.has(routeOptions.url ?? '') ? 'debug' : 'info'
    if (log.isLevelEnabled(level))
      log[level](
        {
          requestId: request.id,
          method: request.method,
          route: routeOptions.url ?? 'none',
          status: reply.statusCode,
          code: request.problemCode,
          ms: Math.round(reply.elapsedTime * 10) / 10,
          address: request.ip,
          tenantId: caller?.tenantId,
          callerId: caller?.id,
        },
        'request',
      )
    done()
  })
}
