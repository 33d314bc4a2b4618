/** Applies provider events to conversations: messages, edits, statuses, reactions, comments. Each event is applied exactly once. */
import { recordInteractions } from '../../contacts/activity.ts'
import { setOptOut } from '../../contacts/opt-outs.ts'
import { canonicalPhone } from '../../contacts/phones.ts'
import { issueFor } from '../../inboxes/health.ts'
import { findInbox } from '../../inboxes/inboxes.ts'
import type { InboundMessage, InboundReaction, StatusEvent } from '../../inboxes/provider.ts'
import { count } from '../../platform/counters.ts'
import { batched } from '../../platform/db/batched.ts'
import type { Tx } from '../../platform/db/db.ts'
import { transact } from '../../platform/db/transact.ts'
import type { Deps } from '../../platform/deps.ts'
import { emitFromSelect } from '../../platform/events/event.ts'
import { job, RetryLater, type Work } from '../../platform/jobs/job.ts'
import { messageCreated } from '../events.ts'
import { enqueueInboundFetch } from '../media/fetch-inbound.ts'
import { applyStatus, applyStatusBatched } from '../messages/delivery-status.ts'
import { applyEdit } from '../messages/message-content.ts'
import { buildMessage } from '../messages/message-row.ts'
import { applyCustomerReaction } from '../messages/reactions.ts'
import { openConversation } from '../open-conversations.ts'
import { MediaId, type StoredContext } from '../schemas.ts'
import type { ConversationRow } from '../store/conversations.ts'
import { buildAcceptMessages } from '../store/insert-messages.ts'
import { findMessageByChannelId, listUnreadBefore } from '../store/messages.ts'
import { listProviderEvents, type ProviderEventRow } from '../store/provider-events.ts'
import { handleComment } from './comments.ts'
import { enqueueProfile } from './customer-profile.ts'

export const processProviderEvent = job<{ id: number }>({
  name: 'conversations.process_provider_event',
  priority: 'urgent',
  retry: { maxAttempts: 50, initialDelayMs: 500, maxDelayMs: 60_000 },
  handle: (deps, { id }, work) => handleProviderEvent(deps, work, id),
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
    await applyProviderEvent(tx, row)
    await work.finish(tx)
  })
}

async function applyProviderEvent(tx: Tx, row: ProviderEventRow): Promise<void> {
  const { payload: event } = row
  if (event.type === 'message') return event.echo ? handleEcho(tx, row, event) : handleMessage(tx, row, event)
  if (event.type === 'reaction') return handleReaction(tx, row, event)
  if (event.type === 'comment') return handleComment(tx, row, event)
  if (event.type === 'edit') return applyEdit(tx, row.tenantId, row.inboxId, event)
}

const stopKeywords = /^\s*(stop|unsubscribe|end|quit|stopall|revoke|optout|cancel)\s*$/i
const startKeywords = /^\s*(start|unstop|yes)\s*$/i

async function handleMessage(
  tx: Tx,
  { tenantId, inboxId }: ProviderEventRow,
  event: InboundMessage,
): Promise<void> {
  const inbox = await findInbox(tx, tenantId, inboxId)
  // The inbox was disconnected since the event was stored.
  if (!inbox) return
  const counterpart = {
    externalId: toAddress(event.from),
    alsoKnownAs: event.alsoKnownAs.map(toAddress),
    name: event.profileName ?? null,
  }
  const conversation = await openConversation(tx, tenantId, counterpart, inbox)
  const context = await buildContext(tx, tenantId, inboxId, event)
  const mediaId = MediaId.create()
  if (!(await insertInboundMessage(tx, tenantId, conversation, withMedia(event, mediaId), context))) return
  if (event.media)
    await enqueueInboundFetch(
      tx,
      { tenantId, inboxId, conversationId: conversation.id, mediaId },
      event.media,
    )
  await recordInteractions(tx, tenantId, [{ contactId: conversation.contactId, at: event.at }])
  await enqueueProfile(tx, tenantId, conversation, event)
  await applyOptOutKeywords(tx, tenantId, conversation, event)
}

/** Providers report numbers in legacy formats too; a customer has one conversation whatever the format. */
const toAddress = (address: string) => canonicalPhone(address) ?? address

/** Fills in our media id, which the provider's adapter leaves empty. */
function withMedia(event: InboundMessage, mediaId: string): InboundMessage {
  if (!event.media || event.content.type !== 'media') return event
  return { ...event, content: { ...event.content, media: { ...event.content.media, mediaId } } }
}

/** Opts the contact out on a message that is STOP and nothing else, and in again on START. */
async function applyOptOutKeywords(
  tx: Tx,
  tenantId: string,
  conversation: ConversationRow,
  event: InboundMessage,
): Promise<void> {
  if (event.content.type !== 'text') return
  const { body } = event.content.text
  if (stopKeywords.test(body))
    await setOptOut(tx, tenantId, conversation.contactId, conversation.channel, true)
  else if (startKeywords.test(body))
    await setOptOut(tx, tenantId, conversation.contactId, conversation.channel, false)
}

async function buildContext(
  tx: Tx,
  tenantId: string,
  inboxId: string,
  event: InboundMessage,
): Promise<StoredContext[]> {
  const context: StoredContext[] = []
  if (event.replyTo) {
    const original = await findMessageByChannelId(tx, tenantId, inboxId, event.replyTo)
    context.push(
      original
        ? { type: 'message', messageId: original.id }
        : { type: 'unavailable', channelMessageId: event.replyTo },
    )
  }
  if (event.resource) context.push({ type: 'resource', resource: event.resource })
  return context
}

/** False when the message exists already. */
async function insertInboundMessage(
  tx: Tx,
  tenantId: string,
  conversation: ConversationRow,
  { content, channelMessageId }: InboundMessage,
  context: StoredContext[],
): Promise<boolean> {
  const sender = { type: 'customer' as const, id: conversation.contactId }
  const { row } = buildMessage({ now: tx.now, tenantId }, conversation, {
    direction: 'in',
    status: 'received',
    sender,
    content,
    context,
    channelMessageId,
  })
  const rows = await tx.rows(
    buildAcceptMessages(tx, [row], select => emitFromSelect(tx, messageCreated, select)),
  )
  if (rows.length > 0)
    count(tx, 'parley_messages_total', { channel: conversation.channel, status: 'received' })
  return rows.length > 0
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
