/**
 * Creates spans of outgoing HTTP calls from undici's diagnostics channels, so that callers need no tracing code. Only
 * calls inside a span are traced. The traceparent is not sent to other services.
 */
import diagnostics from 'node:diagnostics_channel'
import type { Span, Tracing } from './tracing.ts'

interface UndiciMessage {
  request: { origin?: string | URL; method: string }
  response?: { statusCode: number }
  error?: Error & { code?: string }
}

export function traceOutboundCalls(tracing: Tracing): () => void {
  const spans = new WeakMap<object, Span>()
  const listeners: Record<string, (message: UndiciMessage) => void> = {
    'undici:request:create': ({ request }) => {
      if (!tracing.currentSpan()) return
      const { hostname, port, protocol } = new URL(String(request.origin))
      spans.set(
        request,
        tracing.startSpan({
          name: `call ${request.method} ${hostname}`,
          kind: 'client',
          attributes: {
            'http.request.method': request.method,
            'server.address': hostname,
            'server.port': Number(port) || (protocol === 'https:' ? 443 : 80),
          },
        }),
      )
    },
    'undici:request:headers': ({ request, response }) => {
      const status = response?.statusCode ?? 0
      spans.get(request)?.setAttribute('http.response.status_code', status)
      if (status >= 400) spans.get(request)?.fail(String(status))
    },
    'undici:request:trailers': ({ request }) => end(request),
    'undici:request:error': ({ request, error }) => {
      spans.get(request)?.fail(error?.code ?? error?.name ?? 'Error')
      end(request)
    },
  }

  function end(request: object): void {
    spans.get(request)?.end()
    spans.delete(request)
  }

  const subscribed = Object.entries(listeners).map(([name, handle]) => {
    const listener = (message: unknown) => handle(message as UndiciMessage)
    diagnostics.subscribe(name, listener)
    return () => void diagnostics.unsubscribe(name, listener)
  })
  return () => {
    for (const unsubscribe of subscribed) unsubscribe()
  }
}
