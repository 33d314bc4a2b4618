/** A job carries the trace of whoever enqueued it, as a member of its payload, and only where tracing is on. */
const member = '$traceparent'

/** The payload as it is stored. */
export function withTraceparent(payload: unknown, traceparent: string | undefined): unknown {
  if (traceparent === undefined || typeof payload !== 'object' || Array.isArray(payload))
    return payload ?? null
  return { ...payload, [member]: traceparent }
}

/** Takes the trace out again, also where tracing is off and another process put it in: handlers never see it. */
export function extractTraceparent(payload: unknown): string | undefined {
  if (typeof payload !== 'object' || payload === null || !(member in payload)) return undefined
  const { [member]: traceparent } = payload
  delete payload[member]
  return typeof traceparent === 'string' ? traceparent : undefined
}
