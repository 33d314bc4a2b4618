/** Stores the trace context of the enqueuing transaction in the job's payload, when tracing is enabled. */
const member = '$traceparent'

export function withTraceparent(payload: unknown, traceparent: string | undefined): unknown {
  if (traceparent === undefined || typeof payload !== 'object' || Array.isArray(payload))
    return payload ?? null
  return { ...payload, [member]: traceparent }
}

/** Removes the trace context from a payload and returns it. Done even when tracing is off here: handlers never see it. */
export function extractTraceparent(payload: unknown): string | undefined {
  if (typeof payload !== 'object' || payload === null || !(member in payload)) return undefined
  const { [member]: traceparent } = payload
  delete payload[member]
  return typeof traceparent === 'string' ? traceparent : undefined
}
