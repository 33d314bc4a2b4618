/**
 * Delivers accepted messages. That a send started is committed before the provider is called, so a process that dies
 * leaves either an unsent message or one that is reconciled before it is sent again. The job's ordering key is the
 * conversation: a message that is retried holds back the messages after it.
 */
import { findAccount, providers } from '../../inboxes/accounts/accounts.ts'
import { renderContent } from '../../inboxes/catalogue/render.ts'
import { canSend, issueFor, markDegraded } from '../../inboxes/health.ts'
import type { Account, Failure, OutboundMessage } from '../../inboxes/providers/provider.ts'
import { batched } from '../../platform/db/batched.ts'
import { transact, transactPipelined } from '../../platform/db/transact.ts'
import type { Deps } from '../../platform/deps.ts'
import { job, RetryLater, type Work } from '../../platform/jobs/job.ts'
import { findAnsweredComment, isCommentReply } from '../inbound/comments.ts'
import { loadAttachment } from '../media/attachments.ts'
import {
  addTimelineEntry,
  applyStatus,
  applyStatusBatched,
  type StatusUpdate,
} from '../messages/delivery-status.ts'
import { replaceContent } from '../messages/message-content.ts'
import { clearSendStarted, markSendsStarted, type PendingSend } from '../store/messages/deliveries.ts'
import { findMessage, type MessageRow } from '../store/messages/messages.ts'
import { acquireInboxSlot, acquireRecipientSlot } from './rate-limiter.ts'
import { reconcile, retrySearchMs } from './reconcile.ts'
import { evaluateSend, isOutsideWindow, type Refusal } from './send-policy.ts'

const maxAgeMs = 24 * 3_600_000
const retryInboxMs = 5_000

interface DeliveryPayload {
  messageId: string
  inboxId: string
}

export const deliverMessage = job<DeliveryPayload>({
  name: 'conversations.deliver_message',
  priority: 'urgent',
  background: true,
  retry: { maxAttempts: 100_000, initialDelayMs: 1_000, maxDelayMs: 5 * 60_000 },
  handle: deliver,
})

async function deliver(deps: Deps, payload: DeliveryPayload, work: Work): Promise<void> {
  const { messageId, inboxId } = payload
  const { tenantId } = work
  const account = await findAccount(deps, tenantId, inboxId)
  if (account) await acquireInboxSlot(deps, account, messageId)
  const message = await startSend(deps.db, { tenantId, messageId })
  // The message was not inserted, or an earlier attempt finished it.
  if (message?.status !== 'pending') return
  if (!message.healthIssues || !account)
    return markFailed(deps, work, message, { code: 'inbox_deleted', message: 'the inbox was deleted' })
  if (message.sendStartedAt) {
    const request = await buildOutboundMessage(deps, message)
    const channelMessageId = await reconcile(deps, account, message, request)
    if (channelMessageId !== undefined) return markSent(deps, message, channelMessageId)
    return deliver(deps, payload, work)
  }
  const refusal = checkDelivery(deps, message)
  if (refusal) return markFailed(deps, work, message, refusal)
  if (!canSend({ healthIssues: message.healthIssues }))
    throw new RetryLater(retryInboxMs, 'the provider does not let this inbox send')
  if (message.attempt === null)
    throw new RetryLater(retrySearchMs, 'another worker has just started to send it')
  await callProvider(deps, work, account, { ...message, sendAttempts: message.attempt })
}

/** Marks the send as started and returns the message; concurrent deliveries share a statement. */
const startSend = batched<{ tenantId: string; messageId: string }, PendingSend | undefined>(
  { batchSize: 64, concurrency: 2, ownerOf: ({ tenantId }) => tenantId },
  async (db, keys) => {
    const rows = await transactPipelined(db, tx => markSendsStarted(tx, keys))
    const messages = new Map(rows.map(message => [message.id, message]))
    return keys.map(({ messageId }) => messages.get(messageId))
  },
)

/** Refuses expired messages and messages that the send policy forbids, without calling the provider. */
function checkDelivery(deps: Deps, message: PendingSend): Refusal | undefined {
  if (Date.parse(message.retriedAt ?? message.createdAt) + maxAgeMs < deps.clock.now().getTime())
    return { code: 'expired', message: 'the message could not be sent within 24 hours' }
  const isAutomated = message.senderType === 'journey' || message.senderType === 'bot'
  if (isAutomated && message.contactState === 'deleted')
    return { code: 'contact_deleted', message: 'the contact was deleted' }
  return evaluateSend(
    deps,
    {
      conversation: message,
      contentType: message.content.type,
      senderType: message.senderType,
      isCommentReply: isCommentReply(message.channel, message.context),
    },
    message.optedOut,
    isAutomated && message.contactState === 'archived',
  )
}

async function buildOutboundMessage(deps: Deps, message: PendingSend): Promise<OutboundMessage> {
  const { context, channel, content } = message
  const quoted = context?.find(item => item.type === 'message')
  const original = quoted && (await findMessage(deps.db, message.tenantId, quoted.messageId))
  const commentId = channel === 'socialapp' ? findAnsweredComment(context) : undefined
  return {
    messageId: message.id,
    to: message.externalId,
    content,
    sentByHuman: message.senderType === 'user',
    ...(isOutsideWindow(deps, message, content.type) ? { outsideWindow: true } : {}),
    ...(commentId ? { commentId } : {}),
    ...(original?.channelMessageId ? { replyTo: original.channelMessageId } : {}),
  }
}

async function callProvider(deps: Deps, work: Work, account: Account, message: PendingSend): Promise<void> {
  const request = await prepareRequest(deps, account, message).catch(async error => {
    await transact(deps.db, tx => clearSendStarted(tx, message.tenantId, message.id, message.sendAttempts))
    throw error
  })
  if ('refused' in request) return markFailed(deps, work, message, request.refused)
  // A process that was paused for longer than its lease must not send what another worker has taken over.
  const result = await providers[message.channel].send({ ...account, holdsLease: work.holdsLease }, request)
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
  await storeRenderedText(deps, account, message)
  const request = await buildOutboundMessage(deps, message)
  await acquireRecipientSlot(deps, account, message)
  return { ...request, ...(media.file ? { media: media.file } : {}) }
}

/** For templates that were not cached when the message was accepted. */
async function storeRenderedText(
  deps: Deps,
  { config }: Account,
  { tenantId, id, inboxId, content }: PendingSend,
): Promise<void> {
  if (content.type !== 'template' || content.template.renderedText !== undefined) return
  const rendered = await renderContent(deps, { tenantId, id: inboxId, config }, content)
  if (rendered !== content) await transact(deps.db, tx => replaceContent(tx, tenantId, id, () => rendered))
}

/** Idempotent: repeated after a crash, it finds the message sent. */
async function markSent(deps: Deps, message: MessageRow, channelMessageId: string): Promise<void> {
  const { tenantId, id: messageId } = message
  await applyStatusBatched(deps.db, { tenantId, messageId, update: { status: 'sent', channelMessageId } })
}

async function markFailed(
  deps: Deps,
  work: Work,
  { tenantId, id }: MessageRow,
  { code, message, inboxIssue }: Refusal & Pick<StatusUpdate, 'inboxIssue'>,
): Promise<void> {
  const error = { code, message, retryable: false }
  await transact(deps.db, async tx => {
    await applyStatus(tx, tenantId, id, { status: 'failed', error, inboxIssue })
    await work.finish(tx)
  })
}

async function handleFailure(deps: Deps, work: Work, message: PendingSend, failure: Failure): Promise<void> {
  const { tenantId, id, inboxId, sendAttempts } = message
  const issue = issueFor(failure)
  if (failure.kind === 'permanent') return markFailed(deps, work, message, { ...failure, inboxIssue: issue })
  await transact(deps.db, async tx => {
    if (issue) await markDegraded(tx, tenantId, inboxId, issue)
    const details = { code: failure.code, message: failure.message }
    await addTimelineEntry(tx, tenantId, id, `send_${failure.kind}`, details)
    if (failure.kind !== 'uncertain') await clearSendStarted(tx, tenantId, id, sendAttempts)
  })
  throw new RetryLater(getRetryDelay(failure, sendAttempts), failure.message)
}

function getRetryDelay(failure: Failure, attempts: number): number {
  if (failure.kind === 'uncertain') return retrySearchMs
  if (failure.kind === 'auth') return retryInboxMs
  return failure.retryAfterMs ?? getBackoff(attempts)
}

function getBackoff(attempts: number): number {
  return Math.min(60_000, 500 * 2 ** Math.min(attempts - 1, 10)) * (0.75 + Math.random() / 2)
}
