/**
 * Sending to the ledger, batch by batch. A row becomes a message only when its slot is granted, and gets it in the
 * transaction that accepts the message: a process that dies leaves either both or neither, so nobody is written to
 * twice and nobody is forgotten. Who is left out, and why, is decided at the same moment.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { fieldBook } from '../contacts/fields.ts'
import { acceptMany } from '../conversations/accept.ts'
import { openConversations } from '../conversations/opening.ts'
import { findInbox, type InboxRow } from '../inboxes/inboxes.ts'
import { canSend } from '../inboxes/troubles.ts'
import type { Tx } from '../platform/db/db.ts'
import { raw } from '../platform/db/sql.ts'
import { transact } from '../platform/db/transact.ts'
import type { Deps } from '../platform/deps.ts'
import { job, LeaseLost, RetryLater, type Work } from '../platform/jobs/job.ts'
import { failCampaign, finishIfDone } from './ending.ts'
import { inboxShare, type Pace, paceOf } from './pace.ts'
import { contentFaults } from './readiness.ts'
import { type CampaignRow, findCampaign, lockCampaign } from './store/campaigns.ts'
import { loadBatch } from './store/candidates.ts'
import { recordVerdicts, type Verdict } from './store/ledger.ts'
import {
  advanceProgress,
  findProgress,
  lockInboxPace,
  type ProgressRow,
  updateInboxPace,
} from './store/progress.ts'
import { inTurn } from './turns.ts'
import { type Decided, decideAll } from './verdicts.ts'

export const dispatchCampaign = job<{ campaignId: string }>({
  name: 'dispatch_campaign',
  priority: 'bulk',
  retry: { attempts: 100_000, firstMs: 500, maxMs: 30_000 },
  handle: (deps, { campaignId }, work) => dispatch(deps, campaignId, work),
})

/** Then the worker's place goes to another campaign, if one waits for it. */
const shiftMs = 2_000
const patienceMs = 1_000
const waitForInboxMs = 5_000
/** Where everybody is left out, more are looked at. */
const mostLookedAt = 500

interface Outcome {
  over: boolean
  waitMs: number
  messages: number
  /** How many were looked at, and were there more. */
  lookedAt: number
}
const nothing = { messages: 0, lookedAt: 0 }
const over: Outcome = { over: true, waitMs: 0, ...nothing }
const waiting = (waitMs: number): Outcome => ({ over: false, waitMs, ...nothing })

async function dispatch(deps: Deps, campaignId: string, work: Work): Promise<void> {
  await failUnlessSendable(deps, work.tenantId, campaignId)
  let look = 0
  for (const end = performance.now() + shiftMs; performance.now() < end; ) {
    if (!work.stillMine()) throw new LeaseLost(work.id)
    const turn = (room: number) =>
      transact(deps.db, tx => sendBatch(tx, deps, work.tenantId, campaignId, { room, look }))
    const outcome = (await inTurn(deps.db, work.tenantId, patienceMs, turn)) ?? waiting(0)
    if (outcome.over) return
    look = outcome.messages === 0 ? Math.min(mostLookedAt, 2 * outcome.lookedAt) : 0
    if (outcome.waitMs > shiftMs) throw new RetryLater(outcome.waitMs, 'not yet')
    if (outcome.waitMs > 0) await sleep(outcome.waitMs)
  }
  throw new RetryLater(1, 'others have their turn')
}

/** A template that is gone or no longer approved fails the campaign once, instead of each of its messages. */
async function failUnlessSendable(deps: Deps, tenantId: string, campaignId: string): Promise<void> {
  const campaign = await findCampaign(deps.db, tenantId, campaignId, raw('true'))
  if (campaign?.status !== 'sending' || !campaign.inboxId || !campaign.content) return
  const inbox = await findInbox(deps.db, tenantId, campaign.inboxId)
  const [fault] = inbox ? await contentFaults(deps, inbox, campaign.content) : []
  if (!fault) return
  const text = `${fault.code}: ${fault.field} ${fault.message}`
  await transact(deps.db, tx => failCampaign(tx, campaign, text))
}

interface Wanted {
  /** Messages at most. */
  room: number
  /** Look at this many at least. */
  look: number
}

async function sendBatch(
  tx: Tx,
  deps: Deps,
  tenantId: string,
  campaignId: string,
  { room, look }: Wanted,
): Promise<Outcome> {
  const campaign = await lockCampaign(tx, tenantId, campaignId, raw('true'))
  const progress = await findProgress(tx, tenantId, campaignId)
  if (campaign?.status !== 'sending' || !progress || progress.drained) return over
  const inbox = await findInbox(tx, tenantId, campaign.inboxId!)
  if (!inbox) {
    await failCampaign(tx, campaign, 'inbox_deleted: the inbox was deleted')
    return over
  }
  if (!canSend(inbox)) return waiting(waitForInboxMs)
  const paces = await pacesOf(tx, campaign, inbox, progress)
  const granted = Math.min(room, paces.own?.room ?? room, paces.inbox?.room ?? room)
  if (granted === 0) return waiting(Math.max(waitOf(paces.own), waitOf(paces.inbox)))
  return handOver(tx, deps, { campaign, inbox, progress, paces, room: granted, look })
}

interface Paces {
  own: Pace | undefined
  inbox: Pace | undefined
}

const waitOf = (pace: Pace | undefined) => (pace && pace.room === 0 ? pace.waitMs : 0)

async function pacesOf(
  tx: Tx,
  { tenantId, sendRate }: CampaignRow,
  inbox: InboxRow,
  progress: ProgressRow,
): Promise<Paces> {
  const now = tx.clock.now().getTime()
  const share = inboxShare(inbox.rate)
  return {
    own: sendRate === null ? undefined : paceOf(sendRate, progress.pacedTo, now),
    inbox: share === null ? undefined : paceOf(share, await lockInboxPace(tx, tenantId, inbox.id), now),
  }
}

interface Batch {
  campaign: CampaignRow
  inbox: InboxRow
  progress: ProgressRow
  paces: Paces
  room: number
  look: number
}

async function handOver(tx: Tx, deps: Deps, batch: Batch): Promise<Outcome> {
  const { campaign, inbox, progress, paces, room } = batch
  const { tenantId, id } = campaign
  const limit = Math.max(room, batch.look)
  const channel = inbox.channel
  const candidates = await loadBatch(tx, tenantId, id, { after: progress.reached, limit, channel })
  const rules = {
    inbox,
    content: campaign.content!,
    book: await fieldBook(tx, tenantId),
    alwaysOpen: deps.channels[inbox.channel].isLenient,
    clock: tx.clock,
  }
  const decided = decideAll(candidates, rules, room)
  const messages = await accept(tx, campaign, inbox, decided)
  const verdicts = verdictsOf(decided, messages)
  if (verdicts.length > 0) await recordVerdicts(tx, tenantId, id, verdicts)
  if (paces.inbox) await updateInboxPace(tx, tenantId, inbox.id, paces.inbox.after(messages.size))
  const drained = candidates.length < limit && decided.length === candidates.length
  const now = await advanceProgress(tx, tenantId, id, {
    reached: decided.at(-1)?.candidate.recipientId ?? progress.reached,
    drained,
    skipped: verdicts.length - messages.size,
    pacedTo: paces.own?.after(messages.size) ?? null,
  })
  await finishIfDone(tx, tenantId, now)
  return { over: drained, waitMs: 0, messages: messages.size, lookedAt: decided.length }
}

function verdictsOf(decided: readonly Decided[], messages: ReadonlyMap<string, string>): Verdict[] {
  return decided.map(({ candidate: { recipientId }, decision }) =>
    'reason' in decision
      ? { recipientId, contactId: recipientId, messageId: null, reason: decision.reason }
      : { recipientId, contactId: decision.contactId, messageId: messages.get(recipientId)!, reason: null },
  )
}

/** The ids of the messages by the recipients' ids in the ledger. */
async function accept(
  tx: Tx,
  campaign: CampaignRow,
  inbox: InboxRow,
  decided: readonly Decided[],
): Promise<Map<string, string>> {
  const { tenantId, id } = campaign
  const wanted = decided.flatMap(({ candidate, decision }) =>
    'reason' in decision ? [] : [{ ...candidate, ...decision }],
  )
  const parties = wanted.map(({ contactId, address, name }) => ({ contactId, externalId: address, name }))
  const conversations = await openConversations(tx, tenantId, parties, inbox)
  const items = wanted.map(({ address, content, contactId }) => ({
    conversation: conversations.get(address)!,
    // The recipient's id makes a second message of this campaign to them impossible, whatever else goes wrong.
    draft: { sender: { type: 'campaign' as const, id }, content, context: [], clientMessageId: contactId },
  }))
  const accepted = await acceptMany(tx, tenantId, items)
  return new Map(
    wanted.map(({ recipientId }, i) => {
      const message = accepted[i]?.message
      if (!message) throw new Error('a message of a campaign was not accepted')
      return [recipientId, message.id]
    }),
  )
}
