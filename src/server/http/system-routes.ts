/** Serves routes outside the API: health and metrics. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isSameSecret } from '../../platform/encryption/keys.ts'
import { Problem, Unauthenticated } from '../../platform/errors.ts'
import { sendProblem } from '../../platform/http/response/problems.ts'
import type { Metrics } from '../../platform/metrics.ts'
import type { ServedCell } from '../cells/work.ts'
import { remedy } from '../installation/adoption.ts'

export interface SystemRoutesOptions {
  metrics: Metrics
  metricsToken: string | undefined
  isReady: () => Promise<boolean>
  works: readonly ServedCell[]
}

export function registerSystemRoutes(
  app: FastifyInstance,
  { metrics, metricsToken, isReady, works }: SystemRoutesOptions,
): void {
  app.get('/healthz', async () => ({ status: 'ok' }))
  app.get('/readyz', async (_request, reply) => {
    const ready = await isReady()
    const cells = works.length > 1 ? { cells: describeCells(works) } : {}
    if (!ready) return reply.code(503).send({ status: 'not ready', ...cells })
    const obstacle = works.find(({ cell }) => cell.isUsable)?.getObstacle()
    const detail = obstacle ? { detail: `not adopted: ${obstacle}; ${remedy}` } : {}
    return { status: 'ready', ...detail, ...cells }
  })
  app.get('/metrics', async (request, reply) => {
    if (!canReadMetrics(request, metricsToken))
      return sendProblem(new Problem(Unauthenticated), request, reply)
    return reply.type(metrics.contentType).send(await metrics.text())
  })
}

function describeCells(works: readonly ServedCell[]): Record<string, 'usable' | 'unreachable'> {
  return Object.fromEntries(
    works.map(({ cell }) => [cell.name, cell.isUsable ? 'usable' : 'unreachable'] as const),
  )
}

/** Allows requests with the token; without a token, requests from this machine that came through no proxy. */
function canReadMetrics(request: FastifyRequest, token: string | undefined): boolean {
  if (token === undefined) {
    const direct = request.headers['x-forwarded-for'] === undefined && request.headers.forwarded === undefined
    return direct && /^(::ffff:)?127\.|^::1$/.test(request.socket.remoteAddress ?? '')
  }
  return isSameSecret(request.headers.authorization ?? '', `Bearer ${token}`)
}
