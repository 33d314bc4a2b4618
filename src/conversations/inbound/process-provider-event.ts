/** What a provider told becomes ours: messages, statuses, reactions. Each happening takes effect once. */
import { recordInteraction } from '../../contacts/activity.ts'
import { setOptOut } from '../../contacts/opt-outs.ts'
import { buildPreview } from '../../inboxes/content.ts'
import { findInbox } from '../../inboxes/inboxes.ts'
import type { InboundMessage, InboundReaction, StatusEvent } from '../../inboxes/provider.ts'
import { batched } from '../../platform/db/batched.ts'
import type { Tx } from '../../platform/db/db.ts'
import { transact } from '../../platform/db/transact.ts'
import type { Deps } from '../../platform/deps.ts'
import { EventId, emitFromSelect } from '../../platform/events/event.ts'
import { job, RetryLater, type Work } from '../../platform/jobs/job.ts'
import { toAudience } from '../access.ts'
import { applyStatus, applyStatusBatched } from '../delivery-status.ts'
import { enqueueInboundFetch } from '../media/fetch-inbound.ts'
import { openConversation } from '../open-conversations.ts'
import { putReaction } from '../reactions.ts'
import { MediaId, type Message, MessageId, type StoredContext } from '../schemas.ts'
import { type ConversationRow, conversationToApi } from '../store/conversations.ts'
import {
  buildAcceptMessages,
  findMessageByChannelId,
  listUnreadBefore,
  toAssignmentKey,
} from '../store/messages.ts'
import { listProviderEvents, type ProviderEventRow } from '../store/provider-events.ts'
import { receiveComment } from './comments.ts'

export const processProviderEvent = job<{ id: number }>({
  name: 'process_happening',
  priority: 'urgent',
  retry: { maxAttempts: 50, initialDelayMs: 500, maxDelayMs: 60_000 },
  handle: (deps, { id }, work) => handleProviderEvent(deps, work, id),
})

const loadProviderEvent = batched<number, ProviderEventRow | undefined>(
  { batchSize: 64, concurrency: 2 },
  async (db, ids) => {
    const found = new Map((await listProviderEvents(db, ids)).map(one => [one.id, one]))
    return ids.map(id => found.get(id))
  },
)

async function handleProviderEvent(deps: Deps, work: Work, id: number): Promise<void> {
  const stored = await loadProviderEvent(deps.db, id)
  if (!stored) return
  if (stored.told.type === 'status') return handleStatus(deps, work, stored, stored.told)
  await transact(deps.db, async tx => {
    await applyProviderEvent(tx, stored)
    await work.finish(tx)
  })
}

async function applyProviderEvent(tx: Tx, stored: ProviderEventRow): Promise<void> {
  const { told } = stored
  if (told.type === 'message')
    return told.echo ? handleEcho(tx, stored, told) : handleMessage(tx, stored, told)
  if (told.type === 'reaction') return handleReaction(tx, stored, told)
  if (told.type === 'comment') return receiveComment(tx, stored, told)
}

const stopKeywords = /^\s*(stop|unsubscribe|end|quit|stopall|revoke|optout|cancel)\s*$/i
const startKeywords = /^\s*(start|unstop|yes)\s*$/i

async function handleMessage(
  tx: Tx,
  { tenantId, inboxId }: ProviderEventRow,
  event: InboundMessage,
): Promise<void> {
  const inbox = await findInbox(tx, tenantId, inboxId)
  // Disconnected meanwhile: there is nobody to show it to.
  if (!inbox) return
  const person = { externalId: event.from, alsoKnownAs: event.alsoKnownAs, name: event.profileName ?? null }
  const conversation = await openConversation(tx, tenantId, person, inbox)
  const context = await buildContext(tx, tenantId, inboxId, event)
  const mediaId = MediaId.create()
  if (!(await insertInboundMessage(tx, tenantId, conversation, withMedia(event, mediaId), context))) return
  if (event.media)
    await enqueueInboundFetch(
      tx,
      { tenantId, inboxId, conversationId: conversation.id, mediaId },
      event.media,
    )
  await recordInteraction(tx, tenantId, { contactId: conversation.contactId, at: event.at })
  await applyOptOutKeywords(tx, tenantId, conversation, event)
}

/** The adapter leaves the place of our id empty. */
function withMedia(event: InboundMessage, mediaId: string): InboundMessage {
  if (!event.media || event.content.type !== 'media') return event
  return { ...event, content: { ...event.content, media: { ...event.content.media, mediaId } } }
}

/** STOP and START, alone in a message, are for us. */
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
  const out: StoredContext[] = []
  if (event.replyTo) {
    const original = await findMessageByChannelId(tx, tenantId, inboxId, event.replyTo)
    out.push(
      original
        ? { type: 'message', messageId: original.id }
        : { type: 'unavailable', channelMessageId: event.replyTo },
    )
  }
  if (event.resource) out.push({ type: 'resource', resource: event.resource })
  return out
}

async function insertInboundMessage(
  tx: Tx,
  tenantId: string,
  conversation: ConversationRow,
  event: InboundMessage,
  context: StoredContext[],
): Promise<boolean> {
  const id = MessageId.create()
  const preview = buildPreview(event.content)
  const message: Message = {
    id,
    createdAt: tx.now,
    updatedAt: tx.now,
    tenantId,
    conversationId: conversation.id,
    senderType: 'customer',
    senderId: conversation.contactId,
    content: event.content,
    deliveryStatus: 'received',
    channelMessageId: event.channelMessageId,
    ...(context.length > 0 ? { context } : {}),
  }
  const wire = {
    ...conversationToApi(conversation),
    lastMessageAt: tx.now,
    lastMessagePreview: preview,
    lastMessageSender: 'customer',
  }
  const audience = toAudience(conversation)
  const rows = await tx.rows(
    buildAcceptMessages(
      tx,
      [
        {
          id,
          tenantId,
          conversationId: conversation.id,
          sessionId: conversation.sessionId,
          direction: 'in',
          senderType: 'customer',
          senderId: conversation.contactId,
          content: JSON.stringify(event.content),
          context: context.length > 0 ? JSON.stringify(context) : null,
          status: 'received',
          channelMessageId: event.channelMessageId,
          clientMessageId: null,
          clientFingerprint: null,
          preview,
          event: JSON.stringify({ message, conversation: wire }),
          audience: audience ? JSON.stringify(audience) : null,
          eventId: EventId.create(),
          whose: toAssignmentKey(conversation),
        },
      ],
      select => emitFromSelect(tx, select),
    ),
  )
  return rows.length > 0
}

/** Our own message seen from outside: evidence that it was sent. */
async function handleEcho(tx: Tx, { tenantId }: ProviderEventRow, event: InboundMessage): Promise<void> {
  if (event.echo?.messageId)
    await applyStatus(tx, tenantId, event.echo.messageId, {
      status: 'sent',
      channelMessageId: event.channelMessageId,
      at: event.at,
    })
}

/** A status may overtake the answer of the send that it is about. */
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
  const news = { status: event.status, channelMessageId, at, ...(error ? { error } : {}) }
  if (event.upTo && messageId !== undefined)
    for (const { id } of await listUnreadBefore(deps.db, tenantId, messageId))
      await applyStatusBatched(deps.db, { tenantId, messageId: id, update: { status: event.status, at } })
  const found =
    messageId !== undefined &&
    (await applyStatusBatched(deps.db, { tenantId, messageId, update: news, work }))
  if (!found && ageMs < maxStatusWaitMs) throw new RetryLater(retryStatusMs, 'its message is not there yet')
}

async function handleReaction(
  tx: Tx,
  { tenantId, inboxId }: ProviderEventRow,
  event: InboundReaction,
): Promise<void> {
  const target = await findMessageByChannelId(tx, tenantId, inboxId, event.channelMessageId)
  if (target) await putReaction(tx, tenantId, target.id, { type: 'customer', id: event.from }, event.emoji)
}
