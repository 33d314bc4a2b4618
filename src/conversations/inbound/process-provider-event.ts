/** Applies provider events to conversations: messages, edits, statuses, reactions, comments. Each event is applied exactly once. */
import { issueFor } from '../../inboxes/health.ts'
import type { InboundMessage, InboundReaction, StatusEvent } from '../../inboxes/providers/provider.ts'
import { batched } from '../../platform/db/batched.ts'
import type { Tx } from '../../platform/db/db.ts'
import { transact } from '../../platform/db/transact.ts'
import type { Deps } from '../../platform/deps.ts'
import { job, RetryLater, type Work } from '../../platform/jobs/job.ts'
import { linkKnownAddresses } from '../merging/merge-conversations.ts'
import { applyStatus, applyStatusBatched } from '../messages/delivery-status.ts'
import { applyEdit } from '../messages/message-content.ts'
import { applyCustomerReaction } from '../messages/reactions.ts'
import { findMessageByChannelId, listUnreadBefore } from '../store/messages/messages.ts'
import { listProviderEvents, type ProviderEventRow } from '../store/provider-events.ts'
import { handleComment } from './comments.ts'
import { receiveMessage } from './receive-message.ts'

export const processProviderEvent = job<{ id: number }>({
  name: 'conversations.process_provider_event',
  priority: 'urgent',
  retry: { maxAttempts: 50, initialDelayMs: 500, maxDelayMs: 60_000 },
  handle: (deps, { id }, work) => handleProviderEvent(deps, work, id),
})

/** Statuses have workers of their own: a campaign brings thousands, and they must not delay what customers write. */
export const applyProviderStatus = job<{ id: number }>({
  ...processProviderEvent,
  name: 'conversations.apply_provider_status',
  priority: 'normal',
})

const loadProviderEvent = batched<number, ProviderEventRow | undefined>(
  { batchSize: 64, concurrency: 2 },
  async (db, ids) => {
    const rows = new Map((await listProviderEvents(db, ids)).map(row => [row.id, row]))
    return ids.map(id => rows.get(id))
  },
)

async function handleProviderEvent(deps: Deps, work: Work, id: number): Promise<void> {
  const row = await loadProviderEvent(deps.db, id)
  if (!row) return
  if (row.payload.type === 'status') return handleStatus(deps, work, row, row.payload)
  await transact(deps.db, async tx => {
    await applyProviderEvent(deps, tx, row)
    await work.finish(tx)
  })
}

async function applyProviderEvent(deps: Deps, tx: Tx, row: ProviderEventRow): Promise<void> {
  const { payload: event } = row
  if (event.type === 'message')
    return event.echo ? handleEcho(tx, row, event) : receiveMessage(tx, row, event, deps)
  if (event.type === 'reaction') return handleReaction(tx, row, event)
  if (event.type === 'comment') return handleComment(tx, row, event)
  if (event.type === 'identity')
    return linkKnownAddresses(tx, row.tenantId, { ...event, channel: row.channel, externalId: event.from })
  if (event.type === 'edit') return applyEdit(tx, row.tenantId, row.inboxId, event)
}

/** Marks our own message as sent when the provider reports it back. */
async function handleEcho(tx: Tx, { tenantId }: ProviderEventRow, event: InboundMessage): Promise<void> {
  if (event.echo?.messageId)
    await applyStatus(tx, tenantId, event.echo.messageId, {
      status: 'sent',
      channelMessageId: event.channelMessageId,
      at: event.at,
    })
}

/** A status may arrive before the response to the send that it is about. */
const retryStatusMs = 1_000
const maxStatusWaitMs = 10 * 60_000

async function handleStatus(
  deps: Deps,
  work: Work,
  { tenantId, inboxId, ageMs }: ProviderEventRow,
  event: StatusEvent,
): Promise<void> {
  const messageId =
    event.messageId ?? (await findMessageByChannelId(deps.db, tenantId, inboxId, event.channelMessageId))?.id
  const { failure, channelMessageId, at } = event
  const error = failure && {
    code: failure.code,
    message: failure.message,
    retryable: failure.kind === 'retryable',
  }
  const inboxIssue = failure && issueFor(failure)
  const update = { status: event.status, channelMessageId, at, inboxIssue, ...(error ? { error } : {}) }
  if (event.upTo && messageId !== undefined)
    for (const { id } of await listUnreadBefore(deps.db, tenantId, messageId))
      await applyStatusBatched(deps.db, { tenantId, messageId: id, update: { status: event.status, at } })
  const found =
    messageId !== undefined && (await applyStatusBatched(deps.db, { tenantId, messageId, update, work }))
  if (!found && ageMs < maxStatusWaitMs)
    throw new RetryLater(retryStatusMs, 'the message of this status is not stored yet')
}

async function handleReaction(
  tx: Tx,
  { tenantId, inboxId }: ProviderEventRow,
  event: InboundReaction,
): Promise<void> {
  const target = await findMessageByChannelId(tx, tenantId, inboxId, event.channelMessageId)
  if (target) await applyCustomerReaction(tx, tenantId, target.id, event.emoji)
}
