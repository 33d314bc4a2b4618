/**
 * Spans over OpenTelemetry's SDK, sent as OTLP over HTTP. Loaded only where tracing is on. What cannot be sent is
 * dropped: a collector that is away costs a line in the log, never a request.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type Context,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { Logger } from '../log.ts'
import { watchCalls } from './calls.ts'
import type { About, Span, Tracing, TracingSettings } from './tracing.ts'

const sendEveryMs = 1_000
const sendTimeoutMs = 5_000
const lastMomentMs = 1_500
const complainEveryMs = 60_000

const kinds = { server: SpanKind.SERVER, consumer: SpanKind.CONSUMER, client: SpanKind.CLIENT }

export function openTracing({ endpoint, serviceName, ratio }: TracingSettings, log: Logger): Tracing {
  const url = `${endpoint.replace(/\/+$/, '')}/v1/traces`
  const exporter = complaining(new OTLPTraceExporter({ url, timeoutMillis: sendTimeoutMs }), log)
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': serviceName, 'process.pid': process.pid }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    spanProcessors: [new BatchSpanProcessor({ exporter, scheduledDelayMillis: sendEveryMs })],
  })
  const tracer = provider.getTracer('parley')
  const underWay = new AsyncLocalStorage<Span & { context: Context }>()

  function begin({ name, kind, parent, attributes }: About): Span {
    const above = parentContext(parent) ?? underWay.getStore()?.context ?? ROOT_CONTEXT
    const span = tracer.startSpan(name, { kind: kinds[kind], ...(attributes ? { attributes } : {}) }, above)
    const open: Span & { context: Context } = {
      context: trace.setSpan(ROOT_CONTEXT, span),
      traceparent: formatted(span.spanContext()),
      set: (attribute, value) => void span.setAttribute(attribute, value),
      fail: reason => void span.setAttribute('error.type', reason).setStatus({ code: SpanStatusCode.ERROR }),
      end: () => span.end(),
      within: work => underWay.run(open, work),
    }
    return open
  }

  const tracing: Tracing = {
    begin,
    current: () => underWay.getStore(),
    async close() {
      ignoreCalls()
      const sent = provider.shutdown().catch(() => {})
      await Promise.race([sent, new Promise(resolve => setTimeout(resolve, lastMomentMs).unref())])
    },
  }
  const ignoreCalls = watchCalls(tracing)
  return tracing
}

function formatted({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`
}

const form = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-|$)/

/** What somebody sent that is not in the form counts as nothing. */
function parentContext(traceparent: string | undefined): Context | undefined {
  const [, traceId, spanId, flags] = form.exec(traceparent ?? '') ?? []
  if (!traceId || !spanId || !flags) return undefined
  const traceFlags = Number.parseInt(flags, 16) & 1
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true })
}

function complaining(exporter: SpanExporter, log: Logger): SpanExporter {
  let complainedAt = Number.NEGATIVE_INFINITY
  return {
    export: (spans, done) =>
      exporter.export(spans, result => {
        if (result.error && performance.now() - complainedAt > complainEveryMs) {
          complainedAt = performance.now()
          log.warn({ reason: result.error.message.slice(0, 200) }, 'traces could not be sent')
        }
        done(result)
      }),
    shutdown: () => exporter.shutdown(),
    ...(exporter.forceFlush ? { forceFlush: () => exporter.forceFlush!() } : {}),
  }
}
