/** Compares a run with the accepted run: a ratio that is worse by more than a fifth is a regression. */
import type { Measurement } from './environment.ts'
import { parseTarget } from './plot.ts'

const maxChange = 0.2

export function findRegressions(now: readonly Measurement[], accepted: readonly Measurement[]): string[] {
  const before = new Map(accepted.map(measurement => [measurement.name, measurement]))
  return now.flatMap(({ name, ratio, wanted }) => {
    const old = before.get(name)
    const atLeast = parseTarget(wanted)?.atLeast ?? true
    if (!old || !Number.isFinite(old.ratio) || old.ratio === 0) return []
    const change = atLeast ? 1 - ratio / old.ratio : ratio / old.ratio - 1
    return change > maxChange ? [`${name}: ${old.ratio} before, ${ratio} now`] : []
  })
}
