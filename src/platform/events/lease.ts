/** The feeds a process has claimed, and until when: told by a clock that does not stand still while we are stopped. */
import type { ClaimedWorkspace } from './store/consumers.ts'

export interface Leases {
  readonly size: number
  has(tenantId: string): boolean
  /** `askedAt`: when the claim was sent, so that we never think we have it longer than the server does. */
  hold(claim: ClaimedWorkspace, askedAt: number): void
  release(claim: ClaimedWorkspace): void
  /** Throws when the time is over, or nearly. */
  check(claim: ClaimedWorkspace): void
  stop(): void
}

export class LeaseLost extends Error {}

export function leases(leaseMs: number, renew: (claim: ClaimedWorkspace) => Promise<boolean>): Leases {
  const held = new Map<ClaimedWorkspace, number>()
  const renewAll = () => {
    for (const claim of held.keys()) void renewOne(claim)
  }
  async function renewOne(claim: ClaimedWorkspace): Promise<void> {
    const askedAt = performance.now()
    const ours = await renew(claim).catch(() => undefined)
    if (!held.has(claim) || ours === undefined) return // no answer: it may still be ours, until its time is over
    held.set(claim, ours ? askedAt + leaseMs : Number.NEGATIVE_INFINITY)
  }
  const timer = setInterval(renewAll, leaseMs / 3)
  timer.unref()
  return {
    get size() {
      return held.size
    },
    has: tenantId => [...held.keys()].some(claim => claim.tenantId === tenantId),
    hold: (claim, askedAt) => held.set(claim, askedAt + leaseMs),
    release: claim => held.delete(claim),
    check(claim) {
      if (performance.now() > (held.get(claim) ?? 0) - leaseMs / 10) throw new LeaseLost('the lease is over')
    },
    stop: () => clearInterval(timer),
  }
}
