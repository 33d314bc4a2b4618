/** What every provider does with a message it is asked to send, whatever its protocol. */
import { type Telling, usualStatuses } from './callbacks/plan.ts'
import type { AccountRef } from './channels.ts'
import type { Answer } from './http.ts'
import type { Behaviour } from './symptoms.ts'
import type { World } from './world.ts'

/** Faults that were asked for come before the recipient's own fate. */
export function behaviourFor(world: World, account: AccountRef, peer: string, to: string): Behaviour {
  return world.faults.request(account, to) ?? world.magic.of(account.account, peer)
}

/** Silence or a cut connection before the provider took note of anything. */
export function unheard({ answering }: Behaviour): Answer | undefined {
  return answering === 'hang' || answering === 'reset' ? { status: 0, ending: answering } : undefined
}

/** The answer to an accepted message, as far as it reaches the caller. */
export function answered({ answering, slowMs }: Behaviour, answer: Answer, error: () => Answer): Answer {
  if (answering === 'acceptThenHang') return { status: answer.status, ending: 'hang' }
  if (answering === 'acceptThenReset') return { status: answer.status, ending: 'reset' }
  if (answering === 'acceptThenError') return error()
  return answering === 'slow' ? { ...answer, delayMs: slowMs } : answer
}

/** The statuses that a message will be reported with: those of a good course, or of a failure with this code. */
export function tellings(
  world: World,
  account: AccountRef,
  behaviour: Behaviour,
  failure?: { tells: string; code: number },
): Telling[] {
  if (!failure) return usualStatuses(world.faults, account, behaviour).map(tells => ({ tells }))
  const before = (behaviour.beforeFailure ?? []).map(tells => ({ tells }))
  return [...before, { tells: failure.tells, error: failure.code }]
}

const customerMs = 250

/** Some recipients answer by themselves. */
export function customerActs(
  world: World,
  account: AccountRef,
  behaviour: Behaviour,
  { from, text }: { from: string; text: string },
): void {
  if (!behaviour.customer) return
  const body = behaviour.customer === 'stops' ? 'STOP' : `You said: ${text}`
  const hidePhone = behaviour.customer === 'hides'
  setTimeout(() => {
    world
      .customer(account, {
        from,
        content: { type: 'text', text: { body } },
        ...(hidePhone ? { hidePhone } : {}),
      })
      .catch(error => world.log.error({ err: error }, 'sandbox: a customer could not answer'))
  }, customerMs).unref()
}
