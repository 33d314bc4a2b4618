/** Creates a span for each request. It continues the client's trace, and the response names the trace. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Span, Tracing } from '../tracing/tracing.ts'

export function traceRequests(app: FastifyInstance, tracing: Tracing): void {
  const spans = new WeakMap<FastifyRequest, Span>()
  app.addHook('onRequest', (request, reply, done) => {
    const { method, routeOptions, headers, id } = request
    const route = routeOptions.url ?? 'none'
    const span = tracing.startSpan({
      name: `${method} ${route}`,
      kind: 'server',
      parent: typeof headers.traceparent === 'string' ? headers.traceparent : undefined,
      attributes: { 'http.request.method': method, 'http.route': route, 'parley.request_id': id },
    })
    spans.set(request, span)
    reply.header('traceparent', span.traceparent)
    done()
  })
  // Set in preHandler: reading the body runs in the connection's async context, which would lose the span.
  app.addHook('preHandler', (request, _reply, done) => {
    const span = spans.get(request)
    if (span) span.run(done)
    else done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    const span = spans.get(request)
    span?.setAttribute('http.response.status_code', reply.statusCode)
    if (reply.statusCode >= 500) span?.fail(String(reply.statusCode))
    span?.end()
    done()
  })
  app.addHook('onRequestAbort', (request, done) => {
    spans.get(request)?.fail('aborted')
    spans.get(request)?.end()
    done()
  })
}
