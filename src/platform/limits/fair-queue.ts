/**
 * Runs expensive work with limited concurrency, fairly between tenants: work of a tenant waits for its own share, and
 * tenants take turns. One tenant never has more than half of the slots, so that the next one finds a free slot.
 */
import { fail, TooManyRequests } from '../errors.ts'

interface Tenant {
  running: number
  waiting: (() => void)[]
}

export interface FairQueue {
  /** 429 if `maxWaiting` of the tenant wait already. */
  run<T>(tenantId: string, work: () => Promise<T>): Promise<T>
}

export function fairQueue(what: string, slots: number, maxWaiting: number): FairQueue {
  /** Tenants with work; those who waited longest for a turn come first. */
  const tenants = new Map<string, Tenant>()
  const share = Math.ceil(slots / 2)
  let running = 0

  const canStart = (tenant: Tenant): boolean => running < slots && tenant.running < share

  function moveToEnd(tenantId: string, tenant: Tenant): void {
    tenants.delete(tenantId)
    if (tenant.running > 0 || tenant.waiting.length > 0) tenants.set(tenantId, tenant)
  }

  function begin(tenantId: string, tenant: Tenant): void {
    running++
    tenant.running++
    moveToEnd(tenantId, tenant)
  }

  function end(tenantId: string, tenant: Tenant): void {
    running--
    tenant.running--
    moveToEnd(tenantId, tenant)
    startNext()
  }

  function startNext(): void {
    const next = [...tenants].find(([, tenant]) => tenant.waiting.length > 0 && canStart(tenant))
    if (!next) return
    begin(...next)
    next[1].waiting.shift()!()
  }

  async function waitForTurn(tenantId: string, tenant: Tenant): Promise<void> {
    if (tenant.waiting.length === 0 && canStart(tenant)) return begin(tenantId, tenant)
    if (tenant.waiting.length >= maxWaiting)
      fail(TooManyRequests, `more than ${maxWaiting} ${what} of the workspace wait; try again later`, {
        headers: { 'retry-after': '5' },
      })
    await new Promise<void>(resolve => tenant.waiting.push(resolve))
  }

  return {
    async run(tenantId, work) {
      const tenant = tenants.get(tenantId) ?? { running: 0, waiting: [] }
      tenants.set(tenantId, tenant)
      await waitForTurn(tenantId, tenant)
      try {
        return await work()
      } finally {
        end(tenantId, tenant)
      }
    },
  }
}
