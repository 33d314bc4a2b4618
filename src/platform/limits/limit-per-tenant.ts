/** Limits how much expensive work a process does at a time: for one tenant, and together. */
import { fail, TooManyRequests } from '../errors.ts'

export interface TenantLimit {
  /** Runs the work, waiting while the process does as much as it may. 429 if the tenant has `perTenant` already. */
  run<T>(tenantId: string, work: () => Promise<T>): Promise<T>
  /** Starts work that ends when the returned function is called. 429 as `run`. */
  start(tenantId: string): () => void
}

export function limitPerTenant(
  what: string,
  perTenant: number,
  total = Number.POSITIVE_INFINITY,
): TenantLimit {
  const counts = new Map<string, number>()
  const waiting: (() => void)[] = []
  let running = 0

  function admit(tenantId: string): void {
    const count = counts.get(tenantId) ?? 0
    if (count >= perTenant)
      fail(
        TooManyRequests,
        `at most ${perTenant} ${what} of a workspace run at a time; try again when one has ended`,
        {
          headers: { 'retry-after': '1' },
        },
      )
    counts.set(tenantId, count + 1)
  }

  function release(tenantId: string): void {
    const count = counts.get(tenantId)!
    if (count === 1) counts.delete(tenantId)
    else counts.set(tenantId, count - 1)
  }

  async function waitForSlot(): Promise<void> {
    if (running >= total) await new Promise<void>(resolve => waiting.push(resolve))
    else running++
  }

  /** Passes the slot on to the next that waits. */
  function end(): void {
    const next = waiting.shift()
    if (next) next()
    else running--
  }

  return {
    async run(tenantId, work) {
      admit(tenantId)
      try {
        await waitForSlot()
        return await work().finally(end)
      } finally {
        release(tenantId)
      }
    },
    start(tenantId) {
      admit(tenantId)
      return () => release(tenantId)
    },
  }
}
