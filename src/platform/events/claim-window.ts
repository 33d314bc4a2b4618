/**
 * From when on to look for feeds that are due. Looking at all of them walks over every one that was dealt with since the
 * last vacuum, and while somebody holds an old snapshot there is none: so that happens once a second. In between, only
 * what became due a moment ago; or, while there is more than can be taken at once, what became due after those.
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
    update(claims: ClaimedWorkspace[], full: boolean): void {
      const latest = claims.reduce((last, { dueAt }) => (dueAt > last ? dueAt : last), '')
      from = full && latest ? latest : recently
    },
  }
}
