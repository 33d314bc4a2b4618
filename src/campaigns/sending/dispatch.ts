/**
 * Dispatches a campaign batch by batch, within its rate limits. One transaction checks the eligibility of the next
 * recipients, accepts their messages and records message id or skip reason: after a crash a recipient has both or
 * neither, so each recipient gets exactly one message.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { getFieldDefinitions } from '../../contacts/tags-and-fields/custom-fields.ts'
import { acceptMany } from '../../conversations/outbound/accept-message.ts'
import { canSend } from '../../inboxes/health.ts'
import { findInbox, type InboxRow } from '../../inboxes/inboxes.ts'
import type { Tx } from '../../platform/db/db.ts'
import { raw } from '../../platform/db/sql.ts'
import { transact } from '../../platform/db/transact.ts'
import type { Deps } from '../../platform/deps.ts'
import { job, LeaseLost, RetryLater, type Work } from '../../platform/jobs/job.ts'
import { type CampaignRow, findCampaign, lockCampaign } from '../store/campaigns.ts'
import { loadNextCandidates } from '../store/candidates.ts'
import {
  advanceProgress,
  findProgress,
  lockRateLimit,
  type ProgressRow,
  updateRateLimit,
} from '../store/progress.ts'
import { type RecipientResult, recordResults } from '../store/recipients.ts'
import { findContentViolations } from '../validation.ts'
import { completeIfDone, failCampaign } from './complete.ts'
import { type CheckedRecipient, checkRecipients } from './eligibility.ts'
import { withFairShare } from './fair-share.ts'
import { computeAllowance, getCampaignShare, type RateAllowance } from './rate.ts'

export const dispatchCampaign = job<{ campaignId: string }>({
  name: 'dispatch_campaign',
  priority: 'bulk',
  retry: { maxAttempts: 100_000, initialDelayMs: 500, maxDelayMs: 30_000 },
  handle: (deps, { campaignId }, work) => dispatch(deps, campaignId, work),
})

/** After this time the job is rescheduled, so that other campaigns get the worker. */
const sliceMs = 2_000
const capacityTimeoutMs = 1_000
const inboxRetryMs = 5_000
/** Upper limit of recipients per batch; the batch grows while all recipients are skipped. */
const maxExamined = 500

interface BatchResult {
  isDone: boolean
  waitMs: number
  messages: number
  examined: number
}
const nothing = { messages: 0, examined: 0 }
const done: BatchResult = { isDone: true, waitMs: 0, ...nothing }
const waiting = (waitMs: number): BatchResult => ({ isDone: false, waitMs, ...nothing })

async function dispatch(deps: Deps, campaignId: string, work: Work): Promise<void> {
  await failIfNotSendable(deps, work.tenantId, campaignId)
  let look = 0
  for (const end = performance.now() + sliceMs; performance.now() < end; ) {
    if (!work.holdsLease()) throw new LeaseLost(work.id)
    const turn = (room: number) =>
      transact(deps.db, tx =>
        sendBatch(tx, deps, work.tenantId, campaignId, { maxMessages: room, minExamined: look }),
      )
    const outcome = (await withFairShare(deps, work.tenantId, capacityTimeoutMs, turn)) ?? waiting(0)
    if (outcome.isDone) return
    look = outcome.messages === 0 ? Math.min(maxExamined, 2 * outcome.examined) : 0
    if (outcome.waitMs > sliceMs) throw new RetryLater(outcome.waitMs, 'rate limited or inbox blocked')
    if (outcome.waitMs > 0) await sleep(outcome.waitMs)
  }
  throw new RetryLater(1, 'time slice used up')
}

/** Fails the campaign if its template is deleted or no longer approved, instead of failing each message. */
async function failIfNotSendable(deps: Deps, tenantId: string, campaignId: string): Promise<void> {
  const campaign = await findCampaign(deps.db, tenantId, campaignId, raw('true'))
  if (campaign?.status !== 'sending' || !campaign.inboxId || !campaign.content) return
  const inbox = await findInbox(deps.db, tenantId, campaign.inboxId)
  const [fault] = inbox ? await findContentViolations(deps, inbox, campaign.content) : []
  if (!fault) return
  const text = `${fault.code}: ${fault.field} ${fault.message}`
  await transact(deps.db, tx => failCampaign(tx, campaign, text))
}

interface BatchLimits {
  maxMessages: number
  minExamined: number
}

async function sendBatch(
  tx: Tx,
  deps: Deps,
  tenantId: string,
  campaignId: string,
  { maxMessages: room, minExamined: look }: BatchLimits,
): Promise<BatchResult> {
  const campaign = await lockCampaign(tx, tenantId, campaignId, raw('true'))
  const progress = await findProgress(tx, tenantId, campaignId)
  if (campaign?.status !== 'sending' || !progress || progress.drained) return done
  const inbox = await findInbox(tx, tenantId, campaign.inboxId!)
  if (!inbox) {
    await failCampaign(tx, campaign, 'inbox_deleted: the inbox was deleted')
    return done
  }
  if (!canSend(inbox)) return waiting(inboxRetryMs)
  const paces = await loadRateLimits(tx, campaign, inbox, progress)
  const granted = Math.min(room, paces.own?.available ?? room, paces.inbox?.available ?? room)
  if (granted === 0) return waiting(Math.max(getWaitMs(paces.own), getWaitMs(paces.inbox)))
  return dispatchBatch(tx, deps, {
    campaign,
    inbox,
    progress,
    rateLimits: paces,
    maxMessages: granted,
    minExamined: look,
  })
}

interface RateLimits {
  own: RateAllowance | undefined
  inbox: RateAllowance | undefined
}

const getWaitMs = (pace: RateAllowance | undefined) => (pace && pace.available === 0 ? pace.waitMs : 0)

async function loadRateLimits(
  tx: Tx,
  { tenantId, sendRate }: CampaignRow,
  inbox: InboxRow,
  progress: ProgressRow,
): Promise<RateLimits> {
  const now = tx.clock.now().getTime()
  const share = getCampaignShare(inbox.rate)
  return {
    own: sendRate === null ? undefined : computeAllowance(sendRate, progress.pacedTo, now),
    inbox:
      share === null ? undefined : computeAllowance(share, await lockRateLimit(tx, tenantId, inbox.id), now),
  }
}

interface Batch {
  campaign: CampaignRow
  inbox: InboxRow
  progress: ProgressRow
  rateLimits: RateLimits
  maxMessages: number
  minExamined: number
}

async function dispatchBatch(tx: Tx, deps: Deps, batch: Batch): Promise<BatchResult> {
  const { campaign, inbox, progress, rateLimits: paces, maxMessages: room } = batch
  const { tenantId, id } = campaign
  const limit = Math.max(room, batch.minExamined)
  const channel = inbox.channel
  const candidates = await loadNextCandidates(tx, tenantId, id, { after: progress.reached, limit, channel })
  const rules = {
    inbox,
    content: campaign.content!,
    book: await getFieldDefinitions(tx, tenantId),
    alwaysOpen: deps.channels[inbox.channel].isLenient,
    clock: tx.clock,
  }
  const decided = checkRecipients(candidates, rules, room)
  const messages = await acceptMessages(tx, campaign, inbox, decided)
  const verdicts = toResults(decided, messages)
  if (verdicts.length > 0) await recordResults(tx, tenantId, id, verdicts)
  if (paces.inbox) await updateRateLimit(tx, tenantId, inbox.id, paces.inbox.limitedUntil(messages.size))
  const drained = candidates.length < limit && decided.length === candidates.length
  const now = await advanceProgress(tx, tenantId, id, {
    reached: decided.at(-1)?.candidate.recipientId ?? progress.reached,
    drained,
    skipped: verdicts.length - messages.size,
    pacedTo: paces.own?.limitedUntil(messages.size) ?? null,
  })
  await completeIfDone(tx, tenantId, now)
  return { isDone: drained, waitMs: 0, messages: messages.size, examined: decided.length }
}

function toResults(
  decided: readonly CheckedRecipient[],
  messages: ReadonlyMap<string, string>,
): RecipientResult[] {
  return decided.map(({ candidate: { recipientId }, eligibility: decision }) =>
    'reason' in decision
      ? { recipientId, contactId: recipientId, messageId: null, reason: decision.reason }
      : { recipientId, contactId: decision.contactId, messageId: messages.get(recipientId)!, reason: null },
  )
}

/** Returns the message ids by recipient id. */
async function acceptMessages(
  tx: Tx,
  campaign: CampaignRow,
  inbox: InboxRow,
  decided: readonly CheckedRecipient[],
): Promise<Map<string, string>> {
  const { id } = campaign
  const wanted = decided.flatMap(({ candidate, eligibility: decision }) =>
    'reason' in decision ? [] : [{ ...candidate, ...decision }],
  )
  const messages = wanted.map(({ address, content, contactId, name }) => ({
    counterpart: { contactId, externalId: address, name },
    // clientMessageId is unique per campaign: a second message to the same recipient cannot be inserted.
    draft: { sender: { type: 'campaign' as const, id }, content, context: [], clientMessageId: contactId },
  }))
  const accepted = await acceptMany(tx, inbox, messages)
  return new Map(
    wanted.map(({ recipientId }, i) => {
      const message = accepted[i]?.message
      if (!message) throw new Error('a campaign message was not accepted')
      return [recipientId, message.id]
    }),
  )
}
