/**
 * Which callbacks providers know of. The wish is recorded with the inbox, the call is a job that is tried again; an
 * inbox whose provider cannot be told is shown as `webhook_failing`, and recovers when it can. A new public address
 * makes all of them due.
 */
import type { Tx } from '../platform/db/db.ts'
import { transact } from '../platform/db/transact.ts'
import type { Deps } from '../platform/deps.ts'
import { enqueueMany } from '../platform/jobs/enqueue.ts'
import { job } from '../platform/jobs/job.ts'
import { findAccount } from './accounts.ts'
import { markDegraded } from './health.ts'
import { ProviderCallError } from './providers/http-client.ts'
import { buildRegistration, register } from './registering.ts'
import type { InboxRow } from './store/inboxes.ts'
import { listRegistrations } from './store/registrations.ts'

export { isRegistered } from './store/registrations.ts'

/** Failures before it is worth telling anybody. */
const attemptsBeforeIssue = 3

export const registerWebhooks = job<{ inboxId: string }>({
  name: 'inboxes.register-callbacks',
  priority: 'urgent',
  retry: { maxAttempts: 12, initialDelayMs: 500, maxDelayMs: 10 * 60_000 },
  handle: async (deps, { inboxId }, { tenantId, attempt }) => {
    const account = await findAccount(deps, tenantId, inboxId)
    if (!account) return
    try {
      await register(deps, account)
    } catch (error) {
      const isRefused = error instanceof ProviderCallError && error.failure.kind === 'auth'
      if (isRefused) await transact(deps.db, tx => markDegraded(tx, tenantId, inboxId, 'auth_expired'))
      else if (attempt >= attemptsBeforeIssue)
        await transact(deps.db, tx => markDegraded(tx, tenantId, inboxId, 'webhook_failing'))
      throw error
    }
  },
})

export async function enqueueRegistration(
  tx: Tx,
  inboxes: readonly Pick<InboxRow, 'tenantId' | 'id'>[],
): Promise<void> {
  await enqueueMany(
    tx,
    registerWebhooks,
    inboxes.map(({ tenantId, id }) => ({ tenantId, orderingKey: id, payload: { inboxId: id } })),
  )
}

const batchSize = 1_000

/** At start, when we may have moved, and now and then: every inbox whose provider knows another address or none. */
export async function reregisterChanged(deps: Deps): Promise<number> {
  let count = 0
  for (let after = ''; ; ) {
    const rows = await listRegistrations(deps.db, after, batchSize)
    const moved = rows.filter(row => row.registration !== buildRegistration(deps, row))
    await transact(deps.db, tx => enqueueRegistration(tx, moved))
    count += moved.length
    if (rows.length < batchSize) return count
    after = rows.at(-1)!.id
  }
}
