/**
 * Runs work with limited concurrency, fairly between tenants: work of a tenant waits for its own share, and tenants take
 * turns. A tenant that has been alone for a second may use more than its share.
 */
import { fail, TooManyRequests } from '../errors.ts'

export interface FairQueueOptions {
  /** The work, in the plural; used in errors. */
  what: string
  /** Work of all tenants that runs at a time. */
  slots: number
  /** Returns how much work of one tenant runs at a time while others are active. */
  share: () => number
  /** The same while no other tenant is active; default `share`. */
  shareAlone?: () => number
  /** Work of one tenant that may wait. */
  maxWaiting: number
}

export interface FairQueue {
  /** 429 if `maxWaiting` of the tenant wait already. */
  run<T>(tenantId: string, work: () => Promise<T>): Promise<T>
}

interface Tenant {
  running: number
  waiting: (() => void)[]
}

export function fairQueue(options: FairQueueOptions): FairQueue {
  const { what, slots, share, shareAlone = share, maxWaiting } = options
  /** Tenants with work; those who waited longest for a turn come first. */
  const tenants = new Map<string, Tenant>()
  const company = watchCompany()
  let running = 0

  const isAlone = () => tenants.size === 1 && company.isOver()
  const canStart = (tenant: Tenant): boolean =>
    running < slots && tenant.running < (isAlone() ? shareAlone() : share())

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
    while (startNext());
  }

  function startNext(): boolean {
    const next = [...tenants].find(([, tenant]) => tenant.waiting.length > 0 && canStart(tenant))
    if (!next) return false
    begin(...next)
    next[1].waiting.shift()!()
    return true
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
      company.note(tenantId)
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

const aloneAfterMs = 1_000

/** Notes whether the work of the last second is of several tenants. */
function watchCompany() {
  let last: string | undefined
  let lastAt = Number.NEGATIVE_INFINITY
  let sharedUntil = Number.NEGATIVE_INFINITY
  return {
    note(tenantId: string): void {
      const now = performance.now()
      if (tenantId !== last && now - lastAt < aloneAfterMs) sharedUntil = now + aloneAfterMs
      last = tenantId
      lastAt = now
    },
    isOver: () => performance.now() >= sharedUntil,
  }
}
