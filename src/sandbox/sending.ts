/** Steps of accepting a message that all providers share: behaviour, response, callbacks and customer reaction. */
import { getStatuses, type PlannedCallback } from './callbacks/plan.ts'
import type { SandboxContext } from './context.ts'
import type { Behaviour } from './failure-modes.ts'
import type { HttpResponse } from './http/server.ts'
import type { AccountRef } from './identifiers.ts'

/** Returns the behaviour for this send. Configured faults take precedence over magic numbers. */
export function getBehaviour(
  context: SandboxContext,
  account: AccountRef,
  customer: string,
  to: string,
): Behaviour {
  return (
    context.faults.matchRequest(account, to) ?? context.magicNumbers.getBehaviour(account.account, customer)
  )
}

/** Returns a hanging or reset connection if the message is not to be accepted at all. */
export function noResponse({ responseMode }: Behaviour): HttpResponse | undefined {
  return responseMode === 'hang' || responseMode === 'reset' ? { status: 0, ending: responseMode } : undefined
}

/** Applies the response mode to the response of an accepted message. */
export function toResponse(
  { responseMode, delayMs }: Behaviour,
  response: HttpResponse,
  error: () => HttpResponse,
): HttpResponse {
  if (responseMode === 'acceptThenHang') return { status: response.status, ending: 'hang' }
  if (responseMode === 'acceptThenReset') return { status: response.status, ending: 'reset' }
  if (responseMode === 'acceptThenError') return error()
  return responseMode === 'slow' ? { ...response, delayMs } : response
}

/** Returns the status callbacks of a message: those of a successful delivery, or of a failure with this code. */
export function planCallbacks(
  context: SandboxContext,
  account: AccountRef,
  behaviour: Behaviour,
  failure?: { type: string; code: number },
): PlannedCallback[] {
  if (!failure) return getStatuses(context.faults, account, behaviour).map(type => ({ type }))
  const before = (behaviour.statusesBeforeFailure ?? []).map(type => ({ type }))
  return [...before, { type: failure.type, errorCode: failure.code }]
}

const customerDelayMs = 250

/** Makes the customer reply if the behaviour asks for it. */
export function scheduleCustomerReply(
  context: SandboxContext,
  account: AccountRef,
  behaviour: Behaviour,
  { from, text }: { from: string; text: string },
): void {
  if (!behaviour.customerReaction) return
  const body = behaviour.customerReaction === 'stops' ? 'STOP' : `You said: ${text}`
  const hidePhone = behaviour.customerReaction === 'hides'
  setTimeout(() => {
    context
      .simulateInbound(account, {
        from,
        content: { type: 'text', text: { body } },
        ...(hidePhone ? { hidePhone } : {}),
      })
      .catch(error => context.log.error({ err: error }, 'sandbox: simulated customer reply failed'))
  }, customerDelayMs).unref()
}
