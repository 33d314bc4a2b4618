/**
 * Exports spans with the OpenTelemetry SDK, as OTLP over HTTP. Loaded only if tracing is configured. Spans that cannot
 * be exported are dropped and logged; requests never fail because of them.
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
import { traceOutboundCalls } from './outbound-calls.ts'
import type { Span, SpanOptions, Tracing, TracingSettings } from './tracing.ts'

const exportIntervalMs = 1_000
const exportTimeoutMs = 5_000
const shutdownTimeoutMs = 1_500
const warnIntervalMs = 60_000

const kinds = { server: SpanKind.SERVER, consumer: SpanKind.CONSUMER, client: SpanKind.CLIENT }

export function openTracing({ endpoint, serviceName, ratio }: TracingSettings, log: Logger): Tracing {
  const url = `${endpoint.replace(/\/+$/, '')}/v1/traces`
  const exporter = withWarnings(new OTLPTraceExporter({ url, timeoutMillis: exportTimeoutMs }), log)
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': serviceName, 'process.pid': process.pid }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    spanProcessors: [new BatchSpanProcessor({ exporter, scheduledDelayMillis: exportIntervalMs })],
  })
  const tracer = provider.getTracer('parley')
  const activeSpan = new AsyncLocalStorage<Span & { context: Context }>()

  function begin({ name, kind, parent, attributes }: SpanOptions): Span {
    const parentContextOfSpan = parentContext(parent) ?? activeSpan.getStore()?.context ?? ROOT_CONTEXT
    const span = tracer.startSpan(
      name,
      { kind: kinds[kind], ...(attributes ? { attributes } : {}) },
      parentContextOfSpan,
    )
    const open: Span & { context: Context } = {
      context: trace.setSpan(ROOT_CONTEXT, span),
      traceparent: formatTraceparent(span.spanContext()),
      setAttribute: (attribute, value) => void span.setAttribute(attribute, value),
      fail: reason => void span.setAttribute('error.type', reason).setStatus({ code: SpanStatusCode.ERROR }),
      end: () => span.end(),
      run: work => activeSpan.run(open, work),
    }
    return open
  }

  const tracing: Tracing = {
    startSpan: begin,
    currentSpan: () => activeSpan.getStore(),
    async close() {
      stopTracingCalls()
      const sent = provider.shutdown().catch(() => {})
      await Promise.race([sent, new Promise(resolve => setTimeout(resolve, shutdownTimeoutMs).unref())])
    },
  }
  const stopTracingCalls = traceOutboundCalls(tracing)
  return tracing
}

function formatTraceparent({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`
}

const traceparentPattern =
  /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-|$)/

/** Returns undefined for a missing or malformed traceparent. */
function parentContext(traceparent: string | undefined): Context | undefined {
  const [, traceId, spanId, flags] = traceparentPattern.exec(traceparent ?? '') ?? []
  if (!traceId || !spanId || !flags) return undefined
  const traceFlags = Number.parseInt(flags, 16) & 1
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true })
}

function withWarnings(exporter: SpanExporter, log: Logger): SpanExporter {
  let warnedAt = Number.NEGATIVE_INFINITY
  return {
    export: (spans, done) =>
      exporter.export(spans, result => {
        if (result.error && performance.now() - warnedAt > warnIntervalMs) {
          warnedAt = performance.now()
          log.warn({ reason: result.error.message.slice(0, 200) }, 'trace export failed')
        }
        done(result)
      }),
    shutdown: () => exporter.shutdown(),
    ...(exporter.forceFlush ? { forceFlush: () => exporter.forceFlush!() } : {}),
  }
}
