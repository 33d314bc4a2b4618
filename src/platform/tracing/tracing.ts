/**
 * Where time goes, across processes: a request, the jobs it left behind and the calls those make are one trace. Spans
 * say what was done, for how long and how it ended, never what was in it: no body, no token, no address of a person.
 * It is off unless an endpoint is configured, and then nothing of it is loaded.
 */
export interface SpanOptions {
  name: string
  kind: 'server' | 'consumer' | 'client'
  /** What it belongs to, in W3C's form; without one, the span that is under way here. */
  parent?: string | undefined
  attributes?: Record<string, string | number>
}

export interface Span {
  /** In W3C's form, for whoever continues the trace elsewhere. */
  readonly traceparent: string
  setAttribute(name: string, value: string | number): void
  /** It did not go well; a word for why, never the text of an error, which may repeat what it was about. */
  fail(reason: string): void
  end(): void
  /** What is done and begun in here belongs to this span. */
  run<T>(work: () => T): T
}

export interface Tracing {
  startSpan(options: SpanOptions): Span
  /** The span under way here. */
  currentSpan(): Span | undefined
  /** What is not sent yet is sent, for a moment. */
  close(): Promise<void>
}

export interface TracingSettings {
  /** Of a collector that takes OTLP over HTTP, without /v1/traces. */
  endpoint: string
  serviceName: string
  /** The part of traces that is kept, from 0 to 1, where nobody before us decided. */
  ratio: number
}

/** Runs the work as one span. */
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
