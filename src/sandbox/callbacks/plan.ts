/** Which callbacks a message will cause and when, decided once, when it is recorded: what was planned survives a crash. */
import type { AccountRef } from '../channels.ts'
import type { Behaviour } from '../failure-modes.ts'
import type { FaultInjector } from '../faults.ts'
import type { Step } from '../store/ledger.ts'

const typicalDelayMs: Record<string, number> = {
  received: 0,
  echo: 15,
  sent: 10,
  delivered: 40,
  read: 120,
  failed: 50,
  undelivered: 50,
}
const lateMs = 5000

export interface PlannedCallback {
  tells: string
  errorCode?: number
}

/** The usual course, unless the recipient's fate or the faults ask for other statuses. */
export function getStatuses(faults: FaultInjector, account: AccountRef, behaviour: Behaviour): string[] {
  return behaviour.statuses ?? faults.callbackFaults(account).statuses ?? ['sent', 'delivered']
}

function steps(tellings: PlannedCallback[], behaviour: Behaviour, now: number): Step[] {
  if (behaviour.callbacks === 'lost') return []
  const late = behaviour.callbacks === 'late' ? lateMs : 0
  const times = tellings.map(({ tells }) => now + late + (typicalDelayMs[tells] ?? 0))
  const told = behaviour.callbacks === 'reversed' ? tellings.toReversed() : tellings
  const planned = told.map((telling, i) => ({ ...telling, at: times[i]! }))
  if (behaviour.callbacks !== 'twice') return planned
  return planned.flatMap(step => [step, { ...step, at: step.at + 25 }])
}

export function planSteps(
  { faults, account, name }: { faults: FaultInjector; account: AccountRef; name: string },
  tellings: PlannedCallback[],
  behaviour: Behaviour,
  now: number,
): Step[] {
  const strikes = (kind: 'lose' | 'duplicate' | 'reorder' | 'delay', i: number) =>
    faults.affectsCallback(account, kind, `${name}/${i}`)
  return steps(tellings, behaviour, now).flatMap((step, i) => {
    if (strikes('lose', i)) return []
    const at =
      step.at +
      (strikes('delay', i) ? (faults.callbackFaults(account).delay?.ms ?? 0) : 0) +
      (strikes('reorder', i) ? Math.round(50 + faults.fraction(account, `reorder/${name}/${i}`) * 500) : 0)
    const first = { ...step, at }
    if (!strikes('duplicate', i)) return [first]
    const again = at + Math.round(1 + faults.fraction(account, `duplicate/${name}/${i}`) * 300)
    return [first, { ...step, at: again }]
  })
}
