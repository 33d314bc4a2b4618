/** Asking the provider how an inbox is, for as long as something is wrong with it. */
import type { Tx } from '../platform/db/db.ts'
import { transact } from '../platform/db/transact.ts'
import type { Deps } from '../platform/deps.ts'
import { job, RetryLater } from '../platform/jobs/job.ts'
import { findAccount, providers } from './accounts.ts'
import { openIssue, resolveIssues } from './changes.ts'
import type { HealthCheck } from './provider.ts'
import { resolveRate } from './rates.ts'
import { register } from './registering.ts'
import { findInbox, type InboxRow, updateHealthCheck } from './store/inboxes.ts'
import { type InboxIssue, type InboxIssues, issueFor } from './troubles.ts'

const minute = 60_000
export const minCheckDelayMs = 1_000
const maxCheckDelayMs = 5 * minute

/** The longer it has been, the longer the pauses. */
function getCheckDelay(troubles: InboxIssues, now: number): number {
  const since = Math.min(...Object.values(troubles).map(at => Date.parse(at)))
  return Math.min(Math.max((now - since) / 4, minCheckDelayMs), maxCheckDelayMs)
}

/**
 * What the answer says is over. What it cannot tell, money and speed, is given another try after a while: if it is
 * still wrong, the next send says so.
 */
export function issuesResolvedBy(
  answer: Extract<HealthCheck, { ok: true }>,
  troubles: InboxIssues,
  now: Date,
): InboxIssue[] {
  const age = (trouble: InboxIssue) => now.getTime() - Date.parse(troubles[trouble] ?? now.toISOString())
  const over: [InboxIssue, boolean][] = [
    ['auth_expired', true],
    ['account_unknown', true],
    ['quality_low', !answer.lowQuality],
    ['account_locked', !answer.locked],
    ['rate_limited', age('rate_limited') > minute],
    ['payment_issue', age('payment_issue') > 15 * minute],
  ]
  return over.filter(([, isOver]) => isOver).map(([trouble]) => trouble)
}

/** Goes on until nothing is wrong any more. */
export const recheckInbox = job<{ inboxId: string }>({
  name: 'inboxes.recheck',
  priority: 'normal',
  handle: async (deps, { inboxId }, { tenantId }) => {
    const inbox = await findInbox(deps.db, tenantId, inboxId)
    if (!inbox || Object.keys(inbox.troubles).length === 0) return
    await recheck(deps, inbox)
    const after = await findInbox(deps.db, tenantId, inboxId)
    if (after && Object.keys(after.troubles).length > 0)
      throw new RetryLater(getCheckDelay(after.troubles, deps.clock.now().getTime()), 'not over yet')
  },
})

async function recheck(deps: Deps, inbox: InboxRow): Promise<void> {
  const account = await findAccount(deps, inbox.tenantId, inbox.id)
  if (!account) return
  const answer = await providers[inbox.channel].checkHealth(account)
  if (answer.ok && inbox.troubles.webhook_failing)
    await register(deps, account).catch(error =>
      deps.log.info({ err: error, inboxId: inbox.id }, 'the provider still does not take our callback'),
    )
  await transact(deps.db, tx => recordHealthCheck(deps, tx, inbox, answer))
}

async function recordHealthCheck(deps: Deps, tx: Tx, inbox: InboxRow, answer: HealthCheck): Promise<void> {
  const { tenantId, id, channel } = inbox
  const reported = answer.ok ? answer.ratePerSecond : undefined
  const rate = answer.ok ? resolveRate(deps.channels[channel], channel, reported) : inbox.rate
  await updateHealthCheck(tx, tenantId, id, rate)
  const trouble = answer.ok ? undefined : issueFor(answer.failure)
  if (trouble) await openIssue(tx, tenantId, id, trouble)
  if (answer.ok)
    await resolveIssues(tx, tenantId, id, issuesResolvedBy(answer, inbox.troubles, deps.clock.now()))
}
