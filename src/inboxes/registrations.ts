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
import { CallFailed } from './providers/call.ts'
import { register, wantedRegistration } from './registering.ts'
import { markDegraded } from './status.ts'
import type { InboxRow } from './store/inboxes.ts'
import { listRegistrations } from './store/registrations.ts'

export { isRegistered } from './store/registrations.ts'

/** Failures before it is worth telling anybody. */
const patience = 3

export const registerCallbacks = job<{ inboxId: string }>({
  name: 'inboxes.register-callbacks',
  priority: 'urgent',
  retry: { attempts: 12, firstMs: 500, maxMs: 10 * 60_000 },
  handle: async (deps, { inboxId }, { tenantId, attempt }) => {
    const account = await findAccount(deps, tenantId, inboxId)
    if (!account) return
    try {
      await register(deps, account)
    } catch (error) {
      const isRefused = error instanceof CallFailed && error.failure.kind === 'auth'
      if (isRefused) await transact(deps.db, tx => markDegraded(tx, tenantId, inboxId, 'auth_expired'))
      else if (attempt >= patience)
        await transact(deps.db, tx => markDegraded(tx, tenantId, inboxId, 'webhook_failing'))
      throw error
    }
  },
})

export async function registerLater(
  tx: Tx,
  inboxes: readonly Pick<InboxRow, 'tenantId' | 'id'>[],
): Promise<void> {
  await enqueueMany(
    tx,
    registerCallbacks,
    inboxes.map(({ tenantId, id }) => ({ tenantId, key: id, payload: { inboxId: id } })),
  )
}

const batch = 1_000

/** At start, when we may have moved, and now and then: every inbox whose provider knows another address or none. */
export async function registerMoved(deps: Deps): Promise<number> {
  let count = 0
  for (let after = ''; ; ) {
    const rows = await listRegistrations(deps.db, after, batch)
    const moved = rows.filter(row => row.registration !== wantedRegistration(deps, row))
    await transact(deps.db, tx => registerLater(tx, moved))
    count += moved.length
    if (rows.length < batch) return count
    after = rows.at(-1)!.id
  }
}
