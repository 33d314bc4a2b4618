/**
 * Sending one accepted message. That a send began is on record before the provider is called, so a process that dies
 * leaves either nothing said to the provider or an uncertain send, for which evidence is sought before it is repeated.
 * The lane of the conversation keeps the order: what is being retried or sought holds back what comes after it.
 */
import { findAccount, providers } from '../../inboxes/accounts.ts'
import { markDegraded } from '../../inboxes/health.ts'
import type { Account, Failure, OutboundMessage } from '../../inboxes/provider.ts'
import { ProviderCallError } from '../../inboxes/providers/http-client.ts'
import { canSend, issueFor } from '../../inboxes/troubles.ts'
import { batched } from '../../platform/db/batched.ts'
import { transact, transactPipelined } from '../../platform/db/transact.ts'
import type { Deps } from '../../platform/deps.ts'
import { job, RetryLater, type Work } from '../../platform/jobs/job.ts'
import { addTimelineEntry, applyStatus, applyStatusBatched } from '../delivery-status.ts'
import { findAnsweredComment, isCommentReply } from '../inbound/comments.ts'
import { loadAttachment } from '../media/attachments.ts'
import { clearSendStarted, markSendsStarted, type PendingSend } from '../store/deliveries.ts'
import { findMessage, findMessageByChannelId, type MessageRow } from '../store/messages.ts'
import { acquireInboxSlot, acquireRecipientSlot } from './rate-limiter.ts'
import { shouldKeepSearching } from './reconcile.ts'
import { evaluateSend, isOutsideWindow, type Refusal } from './send-policy.ts'

const maxAgeMs = 24 * 3_600_000
const retryInboxMs = 5_000
const retrySearchMs = 500

/** Jobs of earlier versions do not name the inbox. */
interface DeliveryPayload {
  messageId: string
  inboxId?: string
}

export const deliverMessage = job<DeliveryPayload>({
  name: 'send_message',
  priority: 'urgent',
  retry: { maxAttempts: 100_000, initialDelayMs: 1_000, maxDelayMs: 5 * 60_000 },
  handle: deliver,
})

async function deliver(deps: Deps, task: DeliveryPayload, work: Work): Promise<void> {
  const { messageId } = task
  const { tenantId } = work
  const inboxId = task.inboxId ?? (await findMessage(deps.db, tenantId, messageId))?.inboxId
  const account = inboxId && (await findAccount(deps, tenantId, inboxId))
  if (account) await acquireInboxSlot(deps, account, messageId)
  const message = await startSend(deps.db, { tenantId, messageId })
  // Not accepted after all, or done by an earlier attempt.
  if (message?.status !== 'pending') return
  if (!message.troubles || !account)
    return markFailed(deps, work, message, { code: 'inbox_deleted', message: 'the inbox was deleted' })
  if (message.sendStartedAt) {
    if (await reconcile(deps, account, message, message.sendStartedAt)) return
    return deliver(deps, task, work)
  }
  const refusal = checkDelivery(deps, message)
  if (refusal) return markFailed(deps, work, message, refusal)
  if (!canSend({ troubles: message.troubles }))
    throw new RetryLater(retryInboxMs, 'the provider does not let this inbox send')
  if (message.begunTry === null)
    throw new RetryLater(retrySearchMs, 'another worker has just begun to send it')
  await callProvider(deps, work, account, { ...message, sendTries: message.begunTry })
}

/** That a send begins is on record before the provider hears of it. */
const startSend = batched<{ tenantId: string; messageId: string }, PendingSend | undefined>(
  { batchSize: 64, concurrency: 2 },
  async (db, keys) => {
    const found = await transactPipelined(db, tx => markSendsStarted(tx, keys))
    const messages = new Map(found.map(message => [message.id, message]))
    return keys.map(({ messageId }) => messages.get(messageId))
  },
)

/** What has waited for too long, or what the gate knows will fail, fails here, without asking the provider. */
function checkDelivery(deps: Deps, message: PendingSend): Refusal | undefined {
  if (Date.parse(message.createdAt) + maxAgeMs < deps.clock.now().getTime())
    return { code: 'expired', message: 'it could not be sent within 24 hours' }
  const passing = {
    conversation: message,
    contentType: message.content.type,
    senderType: message.senderType,
    toComment: isCommentReply(message.channel, message.context),
  }
  return evaluateSend(deps, passing, message.optedOut)
}

async function buildOutboundMessage(deps: Deps, message: PendingSend): Promise<OutboundMessage> {
  const replied = message.context?.find(one => one.type === 'message')
  const original =
    replied?.type === 'message' ? await findMessage(deps.db, message.tenantId, replied.messageId) : undefined
  const commentId = message.channel === 'socialapp' ? findAnsweredComment(message.context) : undefined
  return {
    messageId: message.id,
    to: message.externalId,
    content: message.content,
    sentByHuman: message.senderType === 'user',
    ...(isOutsideWindow(deps, message, message.content.type) ? { outsideWindow: true } : {}),
    ...(commentId ? { commentId } : {}),
    ...(original?.channelMessageId ? { replyTo: original.channelMessageId } : {}),
  }
}

async function callProvider(deps: Deps, work: Work, account: Account, message: PendingSend): Promise<void> {
  const request = await prepareRequest(deps, account, message).catch(async error => {
    await transact(deps.db, tx => clearSendStarted(tx, message.tenantId, message.id, message.sendTries))
    throw error
  })
  if ('refused' in request) return markFailed(deps, work, message, request.refused)
  // A process that was stopped for longer than its lease must not send what another has taken over.
  const result = await providers[message.channel].send({ ...account, mayCall: work.holdsLease }, request)
  if (result.ok) return markSent(deps, message, result.channelMessageId)
  await handleFailure(deps, work, message, result.failure)
}

async function prepareRequest(
  deps: Deps,
  account: Account,
  message: PendingSend,
): Promise<OutboundMessage | { refused: Refusal }> {
  const media = await loadAttachment(deps, message.tenantId, message.channel, message.content)
  if ('refused' in media) return media
  const request = await buildOutboundMessage(deps, message)
  await acquireRecipientSlot(deps, account, message)
  return { ...request, ...(media.file ? { media: media.file } : {}) }
}

/** Done again after a crash, it would find the message sent. */
async function markSent(deps: Deps, message: MessageRow, channelMessageId: string): Promise<void> {
  const { tenantId, id: messageId } = message
  await applyStatusBatched(deps.db, { tenantId, messageId, update: { status: 'sent', channelMessageId } })
}

async function markFailed(
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

async function handleFailure(deps: Deps, work: Work, message: PendingSend, failure: Failure): Promise<void> {
  const trouble = issueFor(failure)
  await transact(deps.db, async tx => {
    if (trouble) await markDegraded(tx, message.tenantId, message.inboxId, trouble)
    if (failure.kind === 'permanent') return
    const details = { code: failure.code, message: failure.message }
    await addTimelineEntry(tx, message.tenantId, message.id, `send_${failure.kind}`, details)
    if (failure.kind !== 'uncertain')
      await clearSendStarted(tx, message.tenantId, message.id, message.sendTries)
  })
  if (failure.kind === 'permanent') return markFailed(deps, work, message, failure)
  throw new RetryLater(getRetryDelay(failure, message.sendTries), failure.message)
}

function getRetryDelay(failure: Failure, tries: number): number {
  if (failure.kind === 'uncertain') return retrySearchMs
  if (failure.kind === 'auth') return retryInboxMs
  return failure.retryAfterMs ?? getBackoff(tries)
}

function getBackoff(tries: number): number {
  return Math.min(60_000, 500 * 2 ** Math.min(tries - 1, 10)) * (0.75 + Math.random() / 2)
}

/** True when it turned out to have been sent; otherwise it may begin anew. */
async function reconcile(
  deps: Deps,
  account: Account,
  message: PendingSend,
  since: string,
): Promise<boolean> {
  for (const id of await findProviderCopy(deps, account, message, since)) {
    const taken = await findMessageByChannelId(deps.db, message.tenantId, message.inboxId, id)
    if (taken && taken.id !== message.id) continue
    await markSent(deps, message, id)
    return true
  }
  if (await shouldKeepSearching(deps, message))
    throw new RetryLater(retrySearchMs, 'looking for a send that may have been accepted')
  await transact(deps.db, async tx => {
    await addTimelineEntry(tx, message.tenantId, message.id, 'sent_again', {
      reason: 'there was no sign that the provider accepted it',
    })
    await clearSendStarted(tx, message.tenantId, message.id, message.sendTries)
  })
  return false
}

async function findProviderCopy(
  deps: Deps,
  account: Account,
  message: PendingSend,
  since: string,
): Promise<string[]> {
  try {
    return await providers[message.channel].findSent(
      account,
      await buildOutboundMessage(deps, message),
      since,
    )
  } catch (error) {
    if (error instanceof ProviderCallError) throw new RetryLater(retrySearchMs, error.message)
    throw error
  }
}
