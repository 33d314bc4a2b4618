/**
 * Sending one accepted message. That a send began is on record before the provider is called, so a process that dies
 * leaves either nothing said to the provider or an uncertain send, for which evidence is sought before it is repeated.
 * The lane of the conversation keeps the order: what is being retried or sought holds back what comes after it.
 */
import { findAccount, providers } from '../inboxes/accounts.ts'
import { findInboxSoon } from '../inboxes/inboxes.ts'
import type { Failure, Outgoing } from '../inboxes/provider.ts'
import { CallFailed } from '../inboxes/providers/call.ts'
import { markDegraded } from '../inboxes/status.ts'
import type { InboxRow } from '../inboxes/store/inboxes.ts'
import { canSend, troubleOf } from '../inboxes/troubles.ts'
import { batching } from '../platform/db/batching.ts'
import { transact, transactAtOnce } from '../platform/db/transact.ts'
import type { Deps } from '../platform/deps.ts'
import { job, LeaseLost, RetryLater, type Work } from '../platform/jobs/job.ts'
import { answeredComment, answersComment } from './comments.ts'
import { isWorthWaiting } from './evidence.ts'
import { isLate, type Refusal, refusalFor } from './gate.ts'
import { mediaFor } from './media/carrying.ts'
import { awaitTurn, takeTurn } from './pace.ts'
import { applyStatus, applyStatusSoon, noteTimeline } from './statuses.ts'
import {
  findByChannelId,
  findMessage,
  type MessageRow,
  markStarted,
  markUnstarted,
} from './store/messages.ts'
import { listToSend, type ToSend } from './store/sending.ts'

const expiresMs = 24 * 3_600_000
const waitForInboxMs = 5_000
const lookAgainMs = 500

export const sendMessage = job<{ messageId: string }>({
  name: 'send_message',
  priority: 'urgent',
  retry: { attempts: 100_000, firstMs: 1_000, maxMs: 5 * 60_000 },
  handle: (deps, { messageId }, work) => send(deps, work, messageId),
})

interface Sending {
  message: ToSend
  inbox: InboxRow
}

/** What is to be sent, and by which inbox, unless that was deleted. */
const findSoon = batching<
  { tenantId: string; messageId: string },
  { message: ToSend; inbox: InboxRow | undefined } | undefined
>({ most: 64, atOnce: 2 }, async (db, keys) => {
  const found = await listToSend(db, keys)
  const inboxes = await Promise.all(found.map(message => findInboxSoon(db, message)))
  const sendings = new Map(found.map((message, i) => [message.id, { message, inbox: inboxes[i] }]))
  return keys.map(({ messageId }) => sendings.get(messageId))
})

async function send(deps: Deps, work: Work, messageId: string): Promise<void> {
  const found = await findSoon(deps.db, { tenantId: work.tenantId, messageId })
  // Not accepted after all, or done by an earlier attempt.
  if (found?.message.status !== 'pending') return
  const { message, inbox } = found
  if (!inbox)
    return failWith(deps, work, message, { code: 'inbox_deleted', message: 'the inbox was deleted' })
  const sending = { message, inbox }
  if (message.sendStartedAt && (await foundEvidence(deps, sending))) return
  const refusal = gate(deps, sending)
  if (refusal) return failWith(deps, work, message, refusal)
  await callOut(deps, work, sending)
}

/** What has waited for too long, or what the gate knows will fail, fails here, without asking the provider. */
function gate(deps: Deps, { message, inbox }: Sending): Refusal | undefined {
  if (Date.parse(message.createdAt) + expiresMs < deps.clock.now().getTime())
    return { code: 'expired', message: 'it could not be sent within 24 hours' }
  const passing = {
    conversation: message,
    contentType: message.content.type,
    senderType: message.senderType,
    toComment: answersComment(inbox.channel, message.context),
  }
  const refusal = refusalFor(deps, passing, message.optedOut)
  if (!refusal && !canSend(inbox))
    throw new RetryLater(waitForInboxMs, 'the provider does not let this inbox send')
  return refusal
}

async function outgoing(deps: Deps, { message }: Sending): Promise<Outgoing> {
  const replied = message.context?.find(one => one.type === 'message')
  const original =
    replied?.type === 'message' ? await findMessage(deps.db, message.tenantId, replied.messageId) : undefined
  const commentId = message.channel === 'socialapp' ? answeredComment(message.context) : undefined
  return {
    messageId: message.id,
    to: message.externalId,
    content: message.content,
    byPerson: message.senderType === 'user',
    ...(isLate(deps, message, message.content.type) ? { outsideWindow: true } : {}),
    ...(commentId ? { commentId } : {}),
    ...(original?.channelMessageId ? { replyTo: original.channelMessageId } : {}),
  }
}

async function callOut(deps: Deps, work: Work, sending: Sending): Promise<void> {
  const { message, inbox } = sending
  const account = await findAccount(deps, message.tenantId, inbox.id)
  if (!account)
    return failWith(deps, work, message, { code: 'inbox_deleted', message: 'the inbox was deleted' })
  const media = await mediaFor(deps, message.tenantId, inbox.channel, message.content)
  if ('refused' in media) return failWith(deps, work, message, media.refused)
  await awaitTurn(deps, inbox, message.id)
  await takeTurn(deps, inbox, message.id, { inboxId: inbox.id, conversationId: message.conversationId })
  const request = { ...(await outgoing(deps, sending)), ...(media.file ? { media: media.file } : {}) }
  await startSoon(deps.db, { tenantId: message.tenantId, messageId: message.id })
  // A process that was stopped for longer than its lease must not send what another has taken over.
  if (!work.stillMine()) throw new LeaseLost(work.id)
  const result = await providers[inbox.channel].send(account, request)
  if (result.ok) return succeed(deps, message, result.channelMessageId)
  await handleFailure(deps, work, sending, result.failure)
}

/** That a send began is on record before the provider hears of it. */
const startSoon = batching<{ tenantId: string; messageId: string }, void>(
  { most: 64, atOnce: 2 },
  async (db, items) => {
    await transactAtOnce(db, tx => markStarted(tx, items))
    return items.map(() => undefined)
  },
)

/** Done again after a crash, it would find the message sent. */
async function succeed(deps: Deps, message: MessageRow, channelMessageId: string): Promise<void> {
  const { tenantId, id: messageId } = message
  await applyStatusSoon(deps.db, { tenantId, messageId, news: { status: 'sent', channelMessageId } })
}

async function failWith(
  deps: Deps,
  work: Work,
  message: MessageRow,
  { code, message: text }: Refusal,
): Promise<void> {
  await transact(deps.db, async tx => {
    await applyStatus(tx, message.tenantId, message.id, {
      status: 'failed',
      error: { code, message: text, retryable: false },
    })
    await work.finish(tx)
  })
}

async function handleFailure(
  deps: Deps,
  work: Work,
  { message, inbox }: Sending,
  failure: Failure,
): Promise<void> {
  const trouble = troubleOf(failure)
  await transact(deps.db, async tx => {
    if (trouble) await markDegraded(tx, message.tenantId, inbox.id, trouble)
    if (failure.kind === 'permanent') return
    const details = { code: failure.code, message: failure.message }
    await noteTimeline(tx, message.tenantId, message.id, `send_${failure.kind}`, details)
    if (failure.kind !== 'uncertain') await markUnstarted(tx, message.tenantId, message.id)
  })
  if (failure.kind === 'permanent') return failWith(deps, work, message, failure)
  throw new RetryLater(waitFor(failure, message.sendTries), failure.message)
}

function waitFor(failure: Failure, tries: number): number {
  if (failure.kind === 'uncertain') return lookAgainMs
  if (failure.kind === 'auth') return waitForInboxMs
  return failure.retryAfterMs ?? backoffMs(tries)
}

function backoffMs(tries: number): number {
  return Math.min(60_000, 500 * 2 ** Math.min(tries, 10)) * (0.75 + Math.random() / 2)
}

/** True when it turned out to have been sent. */
async function foundEvidence(deps: Deps, sending: Sending): Promise<boolean> {
  const { message, inbox } = sending
  const account = await findAccount(deps, message.tenantId, inbox.id)
  const candidates = account ? await look(deps, sending, message.sendStartedAt!) : []
  for (const id of candidates) {
    const taken = await findByChannelId(deps.db, message.tenantId, inbox.id, id)
    if (taken && taken.id !== message.id) continue
    await succeed(deps, message, id)
    return true
  }
  if (await isWorthWaiting(deps, inbox, message))
    throw new RetryLater(lookAgainMs, 'looking for a send that may have been accepted')
  await transact(deps.db, async tx => {
    await noteTimeline(tx, message.tenantId, message.id, 'sent_again', {
      reason: 'there was no sign that the provider accepted it',
    })
    await markUnstarted(tx, message.tenantId, message.id)
  })
  return false
}

async function look(deps: Deps, sending: Sending, since: string): Promise<string[]> {
  const { message, inbox } = sending
  const account = await findAccount(deps, message.tenantId, inbox.id)
  try {
    return account
      ? await providers[inbox.channel].findSent(account, await outgoing(deps, sending), since)
      : []
  } catch (error) {
    if (error instanceof CallFailed) throw new RetryLater(lookAgainMs, error.message)
    throw error
  }
}
