/**
 * From when on a claim looks for workspaces that are due. Looking at all of them visits every row processed since the
 * last vacuum (and an old snapshot can prevent vacuum), so a full sweep happens once a second. In between, claims look
 * at rows that became due recently or, while there are more than one claim takes, after the last claimed ones.
 */
import type { ClaimedWorkspace, ClaimOptions } from './store/consumers.ts'

const sweepEveryMs = 1_000
const recently = { agoMs: 2_000 }
const always = { agoMs: 1e12 }

export function claimWindow() {
  let sweptAt = Number.NEGATIVE_INFINITY
  let from: ClaimOptions['from'] = recently
  return {
    next(now: number): ClaimOptions['from'] {
      if (now - sweptAt < sweepEveryMs) return from
      sweptAt = now
      return always
    },
    update(claims: readonly ClaimedWorkspace[], full: boolean): void {
      const latest = claims.reduce((last, { dueAt }) => (dueAt > last ? dueAt : last), '')
      from = full && latest ? latest : recently
    },
  }
}
