/**
 * Registers webhook URLs with the providers, by a job that is enqueued with the inbox and retried. After repeated
 * failures the inbox has the issue `webhook_failing` until a registration succeeds. A new public URL re-registers all
 * inboxes. Registrations are verified periodically: one that was removed is repeated; one that was replaced by another
 * URL is left alone and opens `webhook_failing`, because the number may have been moved on purpose.
 */
import { remoteChannels } from '../../platform/config.ts'
import type { Queryable, Tx } from '../../platform/db/db.ts'
import { transact } from '../../platform/db/transact.ts'
import type { Deps } from '../../platform/deps.ts'
import { fail } from '../../platform/errors.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { enqueueMany } from '../../platform/jobs/enqueue.ts'
import { job } from '../../platform/jobs/job.ts'
import { InboxNotFound } from '../errors.ts'
import { inboxToApi, markDegraded, recordRegistration, resolveIssues } from '../health.ts'
import { ProviderCallError } from '../providers/http-client.ts'
import type { Account } from '../providers/provider.ts'
import type { Inbox } from '../schemas.ts'
import { findInbox, type InboxRow } from '../store/inboxes.ts'
import {
  hasOtherUrl,
  listRegistrations,
  type RegistrationFilter,
  type RegistrationRow,
} from '../store/registrations.ts'
import { buildRegistration, findAccount, providers, registerWebhook } from './accounts.ts'

export { isRegistered } from '../store/registrations.ts'

const attemptsBeforeIssue = 3

export const registerInboxWebhook = job<{ inboxId: string }>({
  name: 'inboxes.register_webhook',
  priority: 'urgent',
  retry: { maxAttempts: 12, initialDelayMs: 500, maxDelayMs: 10 * 60_000 },
  handle: async (deps, { inboxId }, { tenantId, attempt }) => {
    const account = await findAccount(deps, tenantId, inboxId)
    if (!account || account.channel === 'webchat') return
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
  await enqueueMany(tx, registerInboxWebhook, inboxes.map(toJobInput))
}

const toJobInput = ({ tenantId, id }: Pick<InboxRow, 'tenantId' | 'id'>) => ({
  tenantId,
  orderingKey: id,
  payload: { inboxId: id },
})

const batchSize = 1_000

/** Calls `handle` with all inboxes in pages, in the order of their ids. */
async function forEachPage(
  on: Queryable,
  handle: (rows: RegistrationRow[]) => Promise<void>,
  filter: RegistrationFilter = {},
): Promise<void> {
  for (let after = ''; ; ) {
    const rows = await listRegistrations(on, filter, after, batchSize)
    await handle(rows)
    if (rows.length < batchSize) return
    after = rows.at(-1)!.id
  }
}

/** Enqueues a registration for every inbox whose registration is missing or outdated. Runs at startup and by cron. */
export async function reregisterChanged(deps: Deps): Promise<number> {
  let count = 0
  await forEachPage(deps.db, async rows => {
    const changed = rows.filter(row => row.registration !== buildRegistration(deps, row))
    await transact(deps.db, tx => enqueueRegistration(tx, changed))
    count += changed.length
  })
  return count
}

/** Enqueues a registration for the selected inboxes, whatever the provider has now. Returns their number. */
export async function reregisterAll({ db }: Deps, filter: RegistrationFilter): Promise<number> {
  let count = 0
  await forEachPage(
    db,
    async rows => {
      await transact(db, tx => enqueueRegistration(tx, rows))
      count += rows.length
    },
    filter,
  )
  return count
}

export async function reregisterInbox(tx: Tx, { tenantId }: Caller, id: string): Promise<Inbox> {
  const inbox = (await findInbox(tx, tenantId, id)) ?? fail(InboxNotFound)
  await enqueueRegistration(tx, [inbox])
  return inboxToApi(inbox)
}

/** Enqueues a verification for every inbox that is registered. Runs by cron. */
export async function verifyRegistrations(deps: Deps): Promise<void> {
  await forEachPage(deps.db, async rows => {
    const registered = rows.filter(row => row.registration === buildRegistration(deps, row))
    await transact(deps.db, tx => enqueueMany(tx, verifyInboxWebhook, registered.map(toJobInput)))
  })
}

export const verifyInboxWebhook = job<{ inboxId: string }>({
  name: 'inboxes.verify_webhook',
  priority: 'bulk',
  handle: async (deps, { inboxId }, { tenantId }) => {
    const account = await findAccount(deps, tenantId, inboxId)
    if (!account) return
    try {
      await applyWebhookState(deps, account)
    } catch (error) {
      if (!(error instanceof ProviderCallError)) throw error
      // The next run tries again; a rejected token also fails sends and health checks.
      deps.log.info({ err: error, inboxId }, 'webhook registration not verified')
      if (error.failure.kind === 'auth')
        await transact(deps.db, tx => markDegraded(tx, tenantId, inboxId, 'auth_expired'))
    }
  },
})

async function applyWebhookState(deps: Deps, account: Account): Promise<void> {
  const { tenantId, inboxId, channel } = account
  const state = await providers[channel].checkWebhook(account)
  if (state === 'elsewhere')
    deps.log.warn(
      { tenantId, inboxId },
      'the provider sends events to another URL; see `parley inbox register`',
    )
  await transact(deps.db, async tx => {
    if (state === 'elsewhere') await markDegraded(tx, tenantId, inboxId, 'webhook_failing')
    else if (state === 'missing') await enqueueRegistration(tx, [{ tenantId, id: inboxId }])
    else await resolveIssues(tx, tenantId, inboxId, ['webhook_failing'])
  })
}

/** Whether providers outside this machine call another URL than that of this process. */
export function isRegisteredElsewhere(
  deps: Pick<Deps, 'config' | 'channels'>,
  on: Queryable,
): Promise<boolean> {
  const real = remoteChannels.filter(channel => !deps.channels[channel].isSandbox)
  return hasOtherUrl(on, deps.config.publicUrl, real)
}
