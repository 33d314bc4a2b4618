/**
 * Circuit breaker of an endpoint. It opens after several consecutive failures, for longer each time, and is then half-open:
 * one delivery at a time until one succeeds. A dead endpoint costs one attempt every few minutes, however many deliveries
 * are waiting. After five days without a success the endpoint is disabled.
 */
export interface CircuitState {
  consecutiveFailures: number
  /** Number of times the circuit has opened since the last success. */
  backoffLevel: number
  circuitOpenUntil: string | null
  failedAt: string | null
  /** The first failure since the last success. */
  failingSince: string | null
}

export const closedCircuit: CircuitState = {
  consecutiveFailures: 0,
  backoffLevel: 0,
  circuitOpenUntil: null,
  failedAt: null,
  failingSince: null,
}

const minute = 60_000
const day = 24 * 60 * minute
/** Higher than the consecutive failures that one unprocessable event causes. */
const failureThreshold = 10
/** Failures further apart are retries of single events and not consecutive. */
const maxFailureGapMs = 5 * minute
const minBackoffMs = 5_000
const maxBackoffMs = 5 * minute
const disableAfterMs = 5 * day

const msSince = (from: string, now: Date) => now.getTime() - Date.parse(from)

export function isOpen({ circuitOpenUntil }: CircuitState, now: Date): boolean {
  return circuitOpenUntil !== null && msSince(circuitOpenUntil, now) < 0
}

/** True if deliveries are sent one at a time. */
export function isHalfOpen({ consecutiveFailures }: CircuitState): boolean {
  return consecutiveFailures >= failureThreshold
}

export function circuitAfterFailure(circuit: CircuitState, now: Date): CircuitState {
  if (isOpen(circuit, now)) return circuit // the call started before the circuit opened
  const { failedAt } = circuit
  const isFirst = failedAt === null || (msSince(failedAt, now) > maxFailureGapMs && !isHalfOpen(circuit))
  const consecutiveFailures = isFirst ? 1 : circuit.consecutiveFailures + 1
  const isNewPeriod = failedAt === null || msSince(failedAt, now) > disableAfterMs
  const failing = {
    ...circuit,
    consecutiveFailures,
    failedAt: now.toISOString(),
    failingSince: isNewPeriod ? now.toISOString() : (circuit.failingSince ?? now.toISOString()),
  }
  return consecutiveFailures < failureThreshold ? failing : openCircuit(failing, now)
}

function openCircuit(circuit: CircuitState, now: Date): CircuitState {
  const ms = Math.min(maxBackoffMs, minBackoffMs * 2 ** Math.min(circuit.backoffLevel, 20))
  const until = now.getTime() + Math.round(ms * (0.8 + Math.random() * 0.4))
  return {
    ...circuit,
    backoffLevel: circuit.backoffLevel + 1,
    circuitOpenUntil: new Date(until).toISOString(),
  }
}

/** True after five days of failures without a success. */
export function shouldDisable({ failingSince }: CircuitState, now: Date): boolean {
  return failingSince !== null && msSince(failingSince, now) >= disableAfterMs
}
