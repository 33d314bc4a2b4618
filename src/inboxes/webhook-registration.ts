/**
 * Registers webhook URLs with the providers, by a job that is enqueued with the inbox and retried. After repeated
 * failures the inbox has the issue `webhook_failing` until a registration succeeds. A new public URL re-registers all
 * inboxes.
 */
import type { Tx } from '../platform/db/db.ts'
import { transact } from '../platform/db/transact.ts'
import type { Deps } from '../platform/deps.ts'
import { enqueueMany } from '../platform/jobs/enqueue.ts'
import { job } from '../platform/jobs/job.ts'
import { buildRegistration, findAccount, registerWebhook } from './accounts.ts'
import { markDegraded, recordRegistration } from './health.ts'
import { ProviderCallError } from './providers/http-client.ts'
import type { InboxRow } from './store/inboxes.ts'
import { listRegistrations } from './store/registrations.ts'

export { isRegistered } from './store/registrations.ts'

const attemptsBeforeIssue = 3

export const registerInboxWebhook = job<{ inboxId: string }>({
  name: 'inboxes.register_webhook',
  priority: 'urgent',
  retry: { maxAttempts: 12, initialDelayMs: 500, maxDelayMs: 10 * 60_000 },
  handle: async (deps, { inboxId }, { tenantId, attempt }) => {
    const account = await findAccount(deps, tenantId, inboxId)
    if (!account) return
    try {
      const registration = await registerWebhook(deps, account)
      await transact(deps.db, tx => recordRegistration(tx, { tenantId, id: inboxId }, registration))
    } catch (error) {
      const isRejected = error instanceof ProviderCallError && error.failure.kind === 'auth'
      const issue = isRejected ? 'auth_expired' : 'webhook_failing'
      if (isRejected || attempt >= attemptsBeforeIssue)
        await transact(deps.db, tx => markDegraded(tx, tenantId, inboxId, issue))
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
    registerInboxWebhook,
    inboxes.map(({ tenantId, id }) => ({ tenantId, orderingKey: id, payload: { inboxId: id } })),
  )
}

const batchSize = 1_000

/** Enqueues a registration for every inbox whose registration is missing or outdated. Runs at startup and by cron. */
export async function reregisterChanged(deps: Deps): Promise<number> {
  let count = 0
  for (let after = ''; ; ) {
    const rows = await listRegistrations(deps.db, after, batchSize)
    const changed = rows.filter(row => row.registration !== buildRegistration(deps, row))
    await transact(deps.db, tx => enqueueRegistration(tx, changed))
    count += changed.length
    if (rows.length < batchSize) return count
    after = rows.at(-1)!.id
  }
}
