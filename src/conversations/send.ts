/**
 * Sending one accepted message. That a send began is on record before the provider is called, so a process that dies
 * leaves either nothing said to the provider or an uncertain send, for which evidence is sought before it is repeated.
 * The lane of the conversation keeps the order: what is being retried or sought holds back what comes after it.
 */
import { findAccount, providers } from '../inboxes/accounts.ts'
import type { Account, Failure, Outgoing } from '../inboxes/provider.ts'
import { CallFailed } from '../inboxes/providers/call.ts'
import { markDegraded } from '../inboxes/status.ts'
import { canSend, troubleOf } from '../inboxes/troubles.ts'
import { batching } from '../platform/db/batching.ts'
import { transact, transactAtOnce } from '../platform/db/transact.ts'
import type { Deps } from '../platform/deps.ts'
import { job, RetryLater, type Work } from '../platform/jobs/job.ts'
import { answeredComment, answersComment } from './comments.ts'
import { isWorthWaiting } from './evidence.ts'
import { isLate, type Refusal, refusalFor } from './gate.ts'
import { mediaFor } from './media/carrying.ts'
import { awaitTurn, takeTurn } from './pace.ts'
import { applyStatus, applyStatusSoon, noteTimeline } from './statuses.ts'
import { findByChannelId, findMessage, type MessageRow } from './store/messages.ts'
import { beginSends, type ToSend, takeBackSend } from './store/sending.ts'

const expiresMs = 24 * 3_600_000
const waitForInboxMs = 5_000
const lookAgainMs = 500

/** Jobs of earlier versions do not name the inbox. */
interface Task {
  messageId: string
  inboxId?: string
}

export const sendMessage = job<Task>({
  name: 'send_message',
  priority: 'urgent',
  retry: { attempts: 100_000, firstMs: 1_000, maxMs: 5 * 60_000 },
  handle: send,
})

async function send(deps: Deps, task: Task, work: Work): Promise<void> {
  const { messageId } = task
  const { tenantId } = work
  const inboxId = task.inboxId ?? (await findMessage(deps.db, tenantId, messageId))?.inboxId
  const account = inboxId && (await findAccount(deps, tenantId, inboxId))
  if (account) await awaitTurn(deps, account, messageId)
  const message = await beginSoon(deps.db, { tenantId, messageId })
  // Not accepted after all, or done by an earlier attempt.
  if (message?.status !== 'pending') return
  if (!message.troubles || !account)
    return failWith(deps, work, message, { code: 'inbox_deleted', message: 'the inbox was deleted' })
  if (message.sendStartedAt) {
    if (await foundEvidence(deps, account, message, message.sendStartedAt)) return
    return send(deps, task, work)
  }
  const refusal = gate(deps, message)
  if (refusal) return failWith(deps, work, message, refusal)
  if (!canSend({ troubles: message.troubles }))
    throw new RetryLater(waitForInboxMs, 'the provider does not let this inbox send')
  if (message.begunTry === null) throw new RetryLater(lookAgainMs, 'another worker has just begun to send it')
  await callOut(deps, work, account, { ...message, sendTries: message.begunTry })
}

/** That a send begins is on record before the provider hears of it. */
const beginSoon = batching<{ tenantId: string; messageId: string }, ToSend | undefined>(
  { most: 64, atOnce: 2 },
  async (db, keys) => {
    const found = await transactAtOnce(db, tx => beginSends(tx, keys))
    const messages = new Map(found.map(message => [message.id, message]))
    return keys.map(({ messageId }) => messages.get(messageId))
  },
)

/** What has waited for too long, or what the gate knows will fail, fails here, without asking the provider. */
function gate(deps: Deps, message: ToSend): Refusal | undefined {
  if (Date.parse(message.createdAt) + expiresMs < deps.clock.now().getTime())
    return { code: 'expired', message: 'it could not be sent within 24 hours' }
  const passing = {
    conversation: message,
    contentType: message.content.type,
    senderType: message.senderType,
    toComment: answersComment(message.channel, message.context),
  }
  return refusalFor(deps, passing, message.optedOut)
}

async function outgoing(deps: Deps, message: ToSend): Promise<Outgoing> {
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

async function callOut(deps: Deps, work: Work, account: Account, message: ToSend): Promise<void> {
  const request = await requestFor(deps, account, message).catch(async error => {
    await transact(deps.db, tx => takeBackSend(tx, message.tenantId, message.id, message.sendTries))
    throw error
  })
  if ('refused' in request) return failWith(deps, work, message, request.refused)
  // A process that was stopped for longer than its lease must not send what another has taken over.
  const result = await providers[message.channel].send({ ...account, mayCall: work.stillMine }, request)
  if (result.ok) return succeed(deps, message, result.channelMessageId)
  await handleFailure(deps, work, message, result.failure)
}

async function requestFor(
  deps: Deps,
  account: Account,
  message: ToSend,
): Promise<Outgoing | { refused: Refusal }> {
  const media = await mediaFor(deps, message.tenantId, message.channel, message.content)
  if ('refused' in media) return media
  const request = await outgoing(deps, message)
  await takeTurn(deps, account, message)
  return { ...request, ...(media.file ? { media: media.file } : {}) }
}

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

async function handleFailure(deps: Deps, work: Work, message: ToSend, failure: Failure): Promise<void> {
  const trouble = troubleOf(failure)
  await transact(deps.db, async tx => {
    if (trouble) await markDegraded(tx, message.tenantId, message.inboxId, trouble)
    if (failure.kind === 'permanent') return
    const details = { code: failure.code, message: failure.message }
    await noteTimeline(tx, message.tenantId, message.id, `send_${failure.kind}`, details)
    if (failure.kind !== 'uncertain') await takeBackSend(tx, message.tenantId, message.id, message.sendTries)
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
  return Math.min(60_000, 500 * 2 ** Math.min(tries - 1, 10)) * (0.75 + Math.random() / 2)
}

/** True when it turned out to have been sent; otherwise it may begin anew. */
async function foundEvidence(deps: Deps, account: Account, message: ToSend, since: string): Promise<boolean> {
  for (const id of await look(deps, account, message, since)) {
    const taken = await findByChannelId(deps.db, message.tenantId, message.inboxId, id)
    if (taken && taken.id !== message.id) continue
    await succeed(deps, message, id)
    return true
  }
  if (await isWorthWaiting(deps, message))
    throw new RetryLater(lookAgainMs, 'looking for a send that may have been accepted')
  await transact(deps.db, async tx => {
    await noteTimeline(tx, message.tenantId, message.id, 'sent_again', {
      reason: 'there was no sign that the provider accepted it',
    })
    await takeBackSend(tx, message.tenantId, message.id, message.sendTries)
  })
  return false
}

async function look(deps: Deps, account: Account, message: ToSend, since: string): Promise<string[]> {
  try {
    return await providers[message.channel].findSent(account, await outgoing(deps, message), since)
  } catch (error) {
    if (error instanceof CallFailed) throw new RetryLater(lookAgainMs, error.message)
    throw error
  }
}
