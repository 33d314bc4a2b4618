/** Plans the callbacks of a ledger entry when it is recorded, so that the plan survives a crash. */

import type { Behaviour } from '../failure-modes.ts'
import type { FaultInjector } from '../faults.ts'
import type { AccountRef } from '../identifiers.ts'
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
  type: string
  errorCode?: number
}

/** Returns the statuses of a successful delivery. Magic numbers take precedence over faults. */
export function getStatuses(faults: FaultInjector, account: AccountRef, behaviour: Behaviour): string[] {
  return behaviour.statuses ?? faults.callbackFaults(account).statuses ?? ['sent', 'delivered']
}

function toSteps(callbacks: PlannedCallback[], behaviour: Behaviour, now: number): Step[] {
  if (behaviour.callbacks === 'lost') return []
  const late = behaviour.callbacks === 'late' ? lateMs : 0
  const times = callbacks.map(({ type }) => now + late + (typicalDelayMs[type] ?? 0))
  const ordered = behaviour.callbacks === 'reversed' ? callbacks.toReversed() : callbacks
  const planned = ordered.map((callback, i) => ({ ...callback, at: times[i]! }))
  if (behaviour.callbacks !== 'twice') return planned
  return planned.flatMap(step => [step, { ...step, at: step.at + 25 }])
}

export function planSteps(
  { faults, account, name }: { faults: FaultInjector; account: AccountRef; name: string },
  callbacks: PlannedCallback[],
  behaviour: Behaviour,
  now: number,
): Step[] {
  const applies = (kind: 'lose' | 'duplicate' | 'reorder' | 'delay', i: number) =>
    faults.affectsCallback(account, kind, `${name}/${i}`)
  return toSteps(callbacks, behaviour, now).flatMap((step, i) => {
    if (applies('lose', i)) return []
    const at =
      step.at +
      (applies('delay', i) ? (faults.callbackFaults(account).delay?.ms ?? 0) : 0) +
      (applies('reorder', i) ? Math.round(50 + faults.fraction(account, `reorder/${name}/${i}`) * 500) : 0)
    const first = { ...step, at }
    if (!applies('duplicate', i)) return [first]
    const duplicateAt = at + Math.round(1 + faults.fraction(account, `duplicate/${name}/${i}`) * 300)
    return [first, { ...step, at: duplicateAt }]
  })
}
