/**
 * Traces across processes: a request, the jobs it enqueues and the calls of those jobs are one trace. Spans contain
 * names, durations and outcomes, never contents: no body, no token, no personal data. Without a configured endpoint
 * nothing is loaded.
 */
export interface SpanOptions {
  name: string
  kind: 'server' | 'consumer' | 'client'
  /** W3C traceparent of the parent; the current span if undefined. */
  parent?: string | undefined
  attributes?: Record<string, string | number>
}

export interface Span {
  /** W3C traceparent, to continue the trace in another process. */
  readonly traceparent: string
  setAttribute(name: string, value: string | number): void
  /** Marks the span as failed. The reason is one word, never an error message, which may contain data. */
  fail(reason: string): void
  end(): void
  run<T>(work: () => T): T
}

export interface Tracing {
  startSpan(options: SpanOptions): Span
  currentSpan(): Span | undefined
  /** Exports the remaining spans, with a short timeout. */
  close(): Promise<void>
}

export interface TracingSettings {
  /** URL of an OTLP/HTTP collector, without /v1/traces. */
  endpoint: string
  serviceName: string
  /** Ratio of sampled traces, from 0 to 1, for traces that begin here. */
  ratio: number
}

export async function withSpan<T>(
  tracing: Tracing,
  options: SpanOptions,
  work: (span: Span) => Promise<T>,
): Promise<T> {
  const span = tracing.startSpan(options)
  try {
    return await span.run(() => work(span))
  } catch (error) {
    span.fail((error as Error)?.name ?? 'Error')
    throw error
  } finally {
    span.end()
  }
}
