/** Holds a run against the one that was accepted: a ratio that got worse by more than a fifth is a fault. */

import type { Measurement } from './environment.ts'
import { formatTarget } from './plot.ts'

const most = 0.2

export function findRegressions(now: readonly Measurement[], accepted: readonly Measurement[]): string[] {
  const before = new Map(accepted.map(one => [one.name, one]))
  return now.flatMap(one => {
    const old = before.get(one.name)
    const atLeast = formatTarget(one.wanted)?.atLeast ?? true
    if (!old || !Number.isFinite(old.ratio) || old.ratio === 0) return []
    const change = atLeast ? 1 - one.ratio / old.ratio : one.ratio / old.ratio - 1
    return change > most ? [`${one.name}: ${old.ratio} before, ${one.ratio} now`] : []
  })
}
