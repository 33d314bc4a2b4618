/** What every provider does with a message it is asked to send, whatever its protocol. */
import { getStatuses, type PlannedCallback } from './callbacks/plan.ts'
import type { AccountRef } from './channels.ts'
import type { SandboxContext } from './context.ts'
import type { Behaviour } from './failure-modes.ts'
import type { HttpResponse } from './http/server.ts'

/** Faults that were asked for come before the recipient's own fate. */
export function getBehaviour(
  world: SandboxContext,
  account: AccountRef,
  peer: string,
  to: string,
): Behaviour {
  return world.faults.matchRequest(account, to) ?? world.magicNumbers.getBehaviour(account.account, peer)
}

/** Silence or a cut connection before the provider took note of anything. */
export function noResponse({ responseMode: answering }: Behaviour): HttpResponse | undefined {
  return answering === 'hang' || answering === 'reset' ? { status: 0, ending: answering } : undefined
}

/** The answer to an accepted message, as far as it reaches the caller. */
export function toResponse(
  { responseMode: answering, delayMs: slowMs }: Behaviour,
  answer: HttpResponse,
  error: () => HttpResponse,
): HttpResponse {
  if (answering === 'acceptThenHang') return { status: answer.status, ending: 'hang' }
  if (answering === 'acceptThenReset') return { status: answer.status, ending: 'reset' }
  if (answering === 'acceptThenError') return error()
  return answering === 'slow' ? { ...answer, delayMs: slowMs } : answer
}

/** The statuses that a message will be reported with: those of a good course, or of a failure with this code. */
export function planCallbacks(
  world: SandboxContext,
  account: AccountRef,
  behaviour: Behaviour,
  failure?: { tells: string; code: number },
): PlannedCallback[] {
  if (!failure) return getStatuses(world.faults, account, behaviour).map(tells => ({ tells }))
  const before = (behaviour.statusesBeforeFailure ?? []).map(tells => ({ tells }))
  return [...before, { tells: failure.tells, errorCode: failure.code }]
}

const customerDelayMs = 250

/** Some recipients answer by themselves. */
export function scheduleCustomerReply(
  world: SandboxContext,
  account: AccountRef,
  behaviour: Behaviour,
  { from, text }: { from: string; text: string },
): void {
  if (!behaviour.customerReaction) return
  const body = behaviour.customerReaction === 'stops' ? 'STOP' : `You said: ${text}`
  const hidePhone = behaviour.customerReaction === 'hides'
  setTimeout(() => {
    world
      .simulateInbound(account, {
        from,
        content: { type: 'text', text: { body } },
        ...(hidePhone ? { hidePhone } : {}),
      })
      .catch(error => world.log.error({ err: error }, 'sandbox: a customer could not answer'))
  }, customerDelayMs).unref()
}
