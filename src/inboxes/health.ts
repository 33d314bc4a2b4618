/**
 * Inbox health. Sends, webhooks and checks open issues; the status of the inbox is derived from them. While an issue is
 * open, the provider is checked repeatedly, and issues that a check resolves are closed automatically.
 */
import type { Channel } from '../platform/config.ts'
import type { Tx } from '../platform/db/db.ts'
import { transact } from '../platform/db/transact.ts'
import type { Deps } from '../platform/deps.ts'
import { enqueue } from '../platform/jobs/enqueue.ts'
import { job, RetryLater } from '../platform/jobs/job.ts'
import {
  buildRegistration,
  findAccount,
  inboxChanged,
  providers,
  registerWebhook,
  resolveRate,
} from './accounts/accounts.ts'
import { emitInboxUpdated } from './events.ts'
import type { Account, AccountEvent, Failure, HealthCheck } from './providers/provider.ts'
import { type Inbox, type InboxIssue, type InboxIssues, issueReasons } from './schemas.ts'
import {
  findInbox,
  findInboxByExternal,
  type InboxRow,
  listInboxesOfResource,
  lockInbox,
  updateHealthIssues,
  updateRate,
} from './store/inboxes.ts'
import { findRegistration, updateRegistration } from './store/registrations.ts'

/** Issues that block sending: messages wait until they are resolved. */
export const blockingIssues: readonly InboxIssue[] = [
  'auth_expired',
  'payment_issue',
  'account_locked',
  'account_unknown',
]

export function inboxToApi(row: InboxRow): Inbox {
  const { resourceId: _resource, rate: _rate, healthIssues, webchat, ...inbox } = row
  const settings = webchat && { inboxKey: inbox.externalId, ...webchat }
  return { ...inbox, status: toStatus(healthIssues), webchat: settings }
}

export function toStatus(issues: InboxIssues): Inbox['status'] {
  const reasons = issueReasons.filter(reason => issues[reason] !== undefined)
  if (issues.account_locked || issues.account_unknown) return { state: 'disconnected', reasons }
  return { state: reasons.length > 0 ? 'degraded' : 'active', reasons }
}

export function canSend({ healthIssues }: { healthIssues: InboxIssues }): boolean {
  return !blockingIssues.some(issue => healthIssues[issue] !== undefined)
}

const issueByCode: Record<string, InboxIssue> = {
  payment_issue: 'payment_issue',
  account_locked: 'account_locked',
  account_unknown: 'account_unknown',
  spam_limited: 'quality_low',
}

/** Returns the inbox issue that a failure indicates, if it concerns more than one message. */
export function issueFor(failure: Failure): InboxIssue | undefined {
  return failure.kind === 'auth' ? 'auth_expired' : issueByCode[failure.code]
}

interface IssueChange {
  before: InboxIssues
  after: InboxIssues
}

/** Idempotent: undefined when the issue was open already or the inbox was deleted. */
function openIssue(
  tx: Tx,
  tenantId: string,
  inboxId: string,
  issue: InboxIssue,
): Promise<IssueChange | undefined> {
  return changeIssues(tx, tenantId, inboxId, issues => ({ [issue]: tx.now, ...issues }))
}

/** Returns false if none of the issues was open. */
export async function resolveIssues(
  tx: Tx,
  tenantId: string,
  inboxId: string,
  resolved: readonly InboxIssue[],
): Promise<boolean> {
  const staysOpen = ([name]: [string, unknown]) => !resolved.includes(name as InboxIssue)
  const change = await changeIssues(tx, tenantId, inboxId, issues =>
    Object.fromEntries(Object.entries(issues).filter(staysOpen)),
  )
  return change !== undefined
}

type Edit = (issues: InboxIssues) => InboxIssues

function hasEffect(edit: Edit, inbox: InboxRow | undefined): inbox is InboxRow {
  if (!inbox) return false
  return Object.keys(edit(inbox.healthIssues)).length !== Object.keys(inbox.healthIssues).length
}

async function changeIssues(
  tx: Tx,
  tenantId: string,
  inboxId: string,
  edit: Edit,
): Promise<IssueChange | undefined> {
  // Called for every send and usually without effect: checked without a lock first.
  if (!hasEffect(edit, await findInbox(tx, tenantId, inboxId))) return undefined
  const inbox = await lockInbox(tx, tenantId, inboxId)
  if (!hasEffect(edit, inbox)) return undefined
  const before = inbox.healthIssues
  const after = edit(before)
  const changed = await updateHealthIssues(tx, tenantId, inboxId, after)
  await emitInboxUpdated(tx, tenantId, inboxToApi(changed), ['status'])
  tx.signal(inboxChanged, inboxId)
  return { before, after }
}

/** Opens an issue and schedules health checks. Returns false if the issue was open already. */
export async function markDegraded(
  tx: Tx,
  tenantId: string,
  inboxId: string,
  issue: InboxIssue,
): Promise<boolean> {
  const change = await openIssue(tx, tenantId, inboxId, issue)
  // With another open issue, checks are scheduled already.
  if (change && Object.keys(change.before).length === 0)
    await enqueue(tx, recheckInbox, {
      tenantId,
      orderingKey: inboxId,
      payload: { inboxId },
      delayMs: minCheckDelayMs,
    })
  return change !== undefined
}

export async function applyAccountEvent(tx: Tx, channel: Channel, event: AccountEvent): Promise<void> {
  for (const { tenantId, id } of await findAffectedInboxes(tx, channel, event)) {
    if (event.isResolved) await resolveIssues(tx, tenantId, id, [event.issue])
    else await markDegraded(tx, tenantId, id, event.issue)
  }
}

const digits = (text = ''): string => text.replace(/\D/g, '')

async function findAffectedInboxes(tx: Tx, channel: Channel, event: AccountEvent): Promise<InboxRow[]> {
  const { accountId, resourceId, phoneNumber } = event
  const inbox = accountId ? await findInboxByExternal(tx, channel, accountId) : undefined
  if (inbox) return [inbox]
  if (!resourceId) return []
  const all = await listInboxesOfResource(tx, channel, resourceId)
  return phoneNumber
    ? all.filter(({ config }) => digits(config.displayPhoneNumber) === digits(phoneNumber))
    : all
}

const minute = 60_000
const minCheckDelayMs = 1_000
const maxCheckDelayMs = 5 * minute

/** A quarter of the age of the oldest open issue, within bounds. */
function getCheckDelay(issues: InboxIssues, now: number): number {
  const since = Math.min(...Object.values(issues).map(at => Date.parse(at)))
  return Math.min(Math.max((now - since) / 4, minCheckDelayMs), maxCheckDelayMs)
}

/** Repeats until no issue is open. */
export const recheckInbox = job<{ inboxId: string }>({
  name: 'inboxes.recheck',
  priority: 'normal',
  handle: async (deps, { inboxId }, { tenantId }) => {
    const inbox = await findInbox(deps.db, tenantId, inboxId)
    if (!inbox || Object.keys(inbox.healthIssues).length === 0) return
    await recheck(deps, inbox)
    const after = await findInbox(deps.db, tenantId, inboxId)
    if (after && Object.keys(after.healthIssues).length > 0)
      throw new RetryLater(
        getCheckDelay(after.healthIssues, deps.clock.now().getTime()),
        'inbox still has open issues',
      )
  },
})

async function recheck(deps: Deps, inbox: InboxRow): Promise<void> {
  const account = await findAccount(deps, inbox.tenantId, inbox.id)
  if (!account) return
  const check = await providers[inbox.channel].checkHealth(account)
  const registration =
    check.ok && inbox.healthIssues.webhook_failing
      ? await repairRegistration(deps, inbox, account).catch(
          error => void deps.log.info({ err: error, inboxId: inbox.id }, 'webhook registration still fails'),
        )
      : undefined
  await transact(deps.db, async tx => {
    if (registration) await recordRegistration(tx, inbox, registration)
    await recordHealthCheck(deps, tx, inbox, check)
  })
}

/** Returns undefined if the URL was registered and was replaced since: only a command registers it again. */
async function repairRegistration(
  deps: Deps,
  { tenantId, id, channel }: InboxRow,
  account: Account,
): Promise<string | undefined> {
  const current = buildRegistration(deps, { id, channel })
  const state = await providers[channel].checkWebhook(account)
  if (state === 'elsewhere' && (await findRegistration(deps.db, tenantId, id)) === current) return undefined
  return state === 'registered' ? current : registerWebhook(deps, account)
}

export async function recordRegistration(
  tx: Tx,
  { tenantId, id }: Pick<InboxRow, 'tenantId' | 'id'>,
  registration: string,
): Promise<void> {
  await updateRegistration(tx, tenantId, id, registration)
  await resolveIssues(tx, tenantId, id, ['webhook_failing'])
}

export async function recordHealthCheck(
  deps: Deps,
  tx: Tx,
  inbox: InboxRow,
  check: HealthCheck,
): Promise<void> {
  const { tenantId, id, channel } = inbox
  const rate = check.ok ? resolveRate(deps.channels[channel], channel, check.ratePerSecond) : inbox.rate
  await updateRate(tx, tenantId, id, rate)
  const issue = check.ok ? undefined : issueFor(check.failure)
  if (issue) await openIssue(tx, tenantId, id, issue)
  if (check.ok) await resolveIssues(tx, tenantId, id, issuesResolvedBy(check, inbox, deps.clock.now()))
}

/**
 * Returns the issues that a successful health check resolves. Providers do not report payment issues and rate limits;
 * those expire after a while, and the next failing send opens them again.
 */
export function issuesResolvedBy(
  check: Extract<HealthCheck, { ok: true }>,
  { healthIssues }: { healthIssues: InboxIssues },
  now: Date,
): InboxIssue[] {
  const age = (issue: InboxIssue) => now.getTime() - Date.parse(healthIssues[issue] ?? now.toISOString())
  const resolved: [InboxIssue, boolean][] = [
    ['auth_expired', true],
    ['account_unknown', true],
    ['quality_low', !check.lowQuality],
    ['account_locked', !check.locked],
    ['rate_limited', age('rate_limited') > minute],
    ['payment_issue', age('payment_issue') > 15 * minute],
  ]
  return resolved.filter(([, isResolved]) => isResolved).map(([issue]) => issue)
}
