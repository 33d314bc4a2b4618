/**
 * Dispatches a campaign batch by batch, within its rate limits. One transaction checks the eligibility of the next
 * recipients, accepts their messages and records message id or skip reason: after a crash a recipient has both or
 * neither, so each recipient gets exactly one message.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { getFieldDefinitions } from '../../contacts/tags-and-fields/custom-fields.ts'
import { acceptMany } from '../../conversations/outbound/accept-message.ts'
import { renderCachedContent } from '../../inboxes/catalogue/render.ts'
import { canSend } from '../../inboxes/health.ts'
import { findInbox, type InboxRow } from '../../inboxes/inboxes.ts'
import type { Tx } from '../../platform/db/db.ts'
import { transact } from '../../platform/db/transact.ts'
import type { Deps } from '../../platform/deps.ts'
import { job, LeaseLost, RetryLater, type Work } from '../../platform/jobs/job.ts'
import type { BucketReading } from '../../platform/limits/token-bucket.ts'
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
import { findContentViolations, toDispatchError } from '../validation.ts'
import { completeIfDone, failCampaign } from './complete.ts'
import { buildTerms, type CheckedRecipient, checkRecipients } from './eligibility.ts'
import { withFairShare } from './fair-share.ts'
import { countAllowed, getCampaignShare, readRate } from './rate.ts'

export const dispatchCampaign = job<{ campaignId: string }>({
  name: 'campaigns.dispatch',
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
  let minExamined = 0
  for (const end = performance.now() + sliceMs; performance.now() < end; ) {
    if (!work.holdsLease()) throw new LeaseLost(work.id)
    const run = (maxMessages: number) =>
      transact(deps.db, tx => dispatchNext(tx, deps, work.tenantId, campaignId, { maxMessages, minExamined }))
    const result = (await withFairShare(deps, work.tenantId, capacityTimeoutMs, run)) ?? waiting(0)
    if (result.isDone) return
    minExamined = result.messages === 0 ? Math.min(maxExamined, 2 * result.examined) : 0
    if (result.waitMs > sliceMs) throw new RetryLater(result.waitMs, 'rate limited or inbox blocked')
    if (result.waitMs > 0) await sleep(result.waitMs)
  }
  throw new RetryLater(1, 'time slice used up')
}

/** Fails the campaign if its template is deleted or no longer approved, instead of failing each message. */
async function failIfNotSendable(deps: Deps, tenantId: string, campaignId: string): Promise<void> {
  const campaign = await findCampaign(deps.db, tenantId, campaignId)
  if (campaign?.status !== 'sending' || !campaign.inboxId || !campaign.content) return
  const inbox = await findInbox(deps.db, tenantId, campaign.inboxId)
  const [violation] = inbox ? await findContentViolations(deps, inbox, campaign.content) : []
  if (violation) await transact(deps.db, tx => failCampaign(tx, campaign, toDispatchError(violation)))
}

interface BatchLimits {
  maxMessages: number
  minExamined: number
}

async function dispatchNext(
  tx: Tx,
  deps: Deps,
  tenantId: string,
  campaignId: string,
  limits: BatchLimits,
): Promise<BatchResult> {
  const campaign = await lockCampaign(tx, tenantId, campaignId)
  const progress = await findProgress(tx, tenantId, campaignId)
  if (campaign?.status !== 'sending' || !progress || progress.dispatchComplete) return done
  const inbox = await findInbox(tx, tenantId, campaign.inboxId!)
  if (!inbox) {
    await failCampaign(tx, campaign, 'inbox_deleted: the inbox was deleted')
    return done
  }
  if (!canSend(inbox)) return waiting(inboxRetryMs)
  const rates = await loadRates(tx, campaign, inbox, progress)
  const known = [rates.own, rates.inbox].filter(rate => rate !== undefined)
  const maxMessages = Math.min(limits.maxMessages, ...known.map(countAllowed))
  if (maxMessages === 0) return waiting(Math.max(1, ...known.map(({ waitMs }) => waitMs)))
  return dispatchBatch(tx, deps, { campaign, inbox, progress, rates, ...limits, maxMessages })
}

interface Rates {
  own: BucketReading | undefined
  inbox: BucketReading | undefined
}

async function loadRates(
  tx: Tx,
  { tenantId, sendRate }: CampaignRow,
  inbox: InboxRow,
  progress: ProgressRow,
): Promise<Rates> {
  const now = tx.clock.now().getTime()
  const share = getCampaignShare(inbox.rate)
  return {
    own: sendRate === null ? undefined : readRate(sendRate, progress.reservedUntil, now),
    inbox: share === null ? undefined : readRate(share, await lockRateLimit(tx, tenantId, inbox.id), now),
  }
}

interface Batch extends BatchLimits {
  campaign: CampaignRow
  inbox: InboxRow
  progress: ProgressRow
  rates: Rates
}

async function dispatchBatch(tx: Tx, deps: Deps, batch: Batch): Promise<BatchResult> {
  const { campaign, inbox, progress, rates, maxMessages } = batch
  const { tenantId, id } = campaign
  const content = campaign.content!
  const limit = Math.max(maxMessages, batch.minExamined)
  const page = { after: progress.cursor, limit, channel: inbox.channel }
  const candidates = await loadNextCandidates(tx, tenantId, id, page)
  const context = {
    content,
    terms: buildTerms({ channels: deps.channels, clock: tx.clock }, inbox, content),
    fieldDefinitions: await getFieldDefinitions(tx, tenantId),
  }
  const checked = checkRecipients(candidates, context, maxMessages)
  const messages = await acceptMessages(tx, deps, { campaign, inbox }, checked)
  const results = toResults(checked, messages)
  if (results.length > 0) await recordResults(tx, tenantId, id, results)
  if (rates.inbox) await updateRateLimit(tx, tenantId, inbox.id, rates.inbox.reserve(messages.size))
  const dispatchComplete = candidates.length < limit && checked.length === candidates.length
  const updated = await advanceProgress(tx, tenantId, id, {
    cursor: checked.at(-1)?.candidate.recipientId ?? progress.cursor,
    dispatchComplete,
    skipped: results.length - messages.size,
    reservedUntil: rates.own?.reserve(messages.size) ?? null,
  })
  await completeIfDone(tx, tenantId, updated)
  return { isDone: dispatchComplete, waitMs: 0, messages: messages.size, examined: checked.length }
}

function toResults(
  checked: readonly CheckedRecipient[],
  messages: ReadonlyMap<string, string>,
): RecipientResult[] {
  return checked.map(({ candidate: { recipientId }, eligibility }) =>
    'reason' in eligibility
      ? { recipientId, contactId: recipientId, messageId: null, reason: eligibility.reason }
      : {
          recipientId,
          contactId: eligibility.contactId,
          messageId: messages.get(recipientId)!,
          reason: null,
        },
  )
}

/** Returns the message ids by recipient id. */
async function acceptMessages(
  tx: Tx,
  deps: Deps,
  { campaign: { id }, inbox }: Pick<Batch, 'campaign' | 'inbox'>,
  checked: readonly CheckedRecipient[],
): Promise<Map<string, string>> {
  const eligible = checked.flatMap(({ candidate, eligibility }) =>
    'reason' in eligibility ? [] : [{ ...candidate, ...eligibility }],
  )
  const messages = eligible.map(({ address, content, contactId, name }) => ({
    counterpart: { externalId: address, name },
    // clientMessageId is unique per campaign: a second message to the same recipient cannot be inserted.
    draft: {
      sender: { type: 'campaign' as const, id },
      content: renderCachedContent(deps, inbox, content),
      context: [],
      clientMessageId: contactId,
    },
  }))
  const accepted = await acceptMany(tx, inbox, messages)
  return new Map(
    eligible.map(({ recipientId }, i) => {
      const message = accepted[i]?.message
      if (!message) throw new Error('a campaign message was not accepted')
      return [recipientId, message.id]
    }),
  )
}
