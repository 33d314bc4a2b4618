/** Asking the provider how an inbox is, for as long as something is wrong with it. */
import type { Tx } from '../platform/db/db.ts'
import { transact } from '../platform/db/transact.ts'
import type { Deps } from '../platform/deps.ts'
import { job, RetryLater } from '../platform/jobs/job.ts'
import { findAccount, providers } from './accounts.ts'
import { addTrouble, dropTroubles } from './changes.ts'
import type { Checked } from './provider.ts'
import { rateOf } from './rates.ts'
import { register } from './registering.ts'
import { findInbox, type InboxRow, updateChecked } from './store/inboxes.ts'
import { type Trouble, type Troubles, troubleOf } from './troubles.ts'

const minute = 60_000
export const soonMs = 1_000
const longestMs = 5 * minute

/** The longer it has been, the longer the pauses. */
function pauseAfter(troubles: Troubles, now: number): number {
  const since = Math.min(...Object.values(troubles).map(at => Date.parse(at)))
  return Math.min(Math.max((now - since) / 4, soonMs), longestMs)
}

/**
 * What the answer says is over. What it cannot tell, money and speed, is given another try after a while: if it is
 * still wrong, the next send says so.
 */
export function overBy(answer: Extract<Checked, { ok: true }>, troubles: Troubles, now: Date): Trouble[] {
  const age = (trouble: Trouble) => now.getTime() - Date.parse(troubles[trouble] ?? now.toISOString())
  const over: [Trouble, boolean][] = [
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
      throw new RetryLater(pauseAfter(after.troubles, deps.clock.now().getTime()), 'not over yet')
  },
})

async function recheck(deps: Deps, inbox: InboxRow): Promise<void> {
  const account = await findAccount(deps, inbox.tenantId, inbox.id)
  if (!account) return
  const answer = await providers[inbox.channel].check(account)
  if (answer.ok && inbox.troubles.webhook_failing)
    await register(deps, account).catch(error =>
      deps.log.info({ err: error, inboxId: inbox.id }, 'the provider still does not take our callback'),
    )
  await transact(deps.db, tx => record(deps, tx, inbox, answer))
}

async function record(deps: Deps, tx: Tx, inbox: InboxRow, answer: Checked): Promise<void> {
  const { tenantId, id, channel } = inbox
  const reported = answer.ok ? answer.ratePerSecond : undefined
  const rate = answer.ok ? rateOf(deps.channels[channel], channel, reported) : inbox.rate
  await updateChecked(tx, tenantId, id, rate)
  const trouble = answer.ok ? undefined : troubleOf(answer.failure)
  if (trouble) await addTrouble(tx, tenantId, id, trouble)
  if (answer.ok) await dropTroubles(tx, tenantId, id, overBy(answer, inbox.troubles, deps.clock.now()))
}
