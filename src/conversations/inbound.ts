/** What a provider told becomes ours: messages, statuses, reactions. Each happening takes effect once. */
import { recordInteraction } from '../contacts/activity.ts'
import { setOptOut } from '../contacts/opt-outs.ts'
import { previewOf } from '../inboxes/content.ts'
import { findInbox } from '../inboxes/inboxes.ts'
import type { InboundMessage, InboundReaction, StatusUpdate } from '../inboxes/provider.ts'
import { batching } from '../platform/db/batching.ts'
import type { Tx } from '../platform/db/db.ts'
import { transact } from '../platform/db/transact.ts'
import type { Deps } from '../platform/deps.ts'
import { emitting } from '../platform/events/event.ts'
import { newId } from '../platform/ids.ts'
import { job, RetryLater, type Work } from '../platform/jobs/job.ts'
import { audienceOf } from './access.ts'
import { receiveComment } from './comments.ts'
import { expectMedia } from './media/ingesting.ts'
import { openConversation } from './opening.ts'
import { putReaction } from './reactions.ts'
import type { Message, StoredContext } from './schemas.ts'
import { applyStatus, applyStatusSoon } from './statuses.ts'
import { type ConversationRow, toWire } from './store/conversations.ts'
import { listHappenings, type StoredHappening } from './store/happenings.ts'
import { acceptMessages, findByChannelId, listUnseen, whoseOf } from './store/messages.ts'

export const processHappening = job<{ id: number }>({
  name: 'process_happening',
  priority: 'urgent',
  retry: { attempts: 50, firstMs: 500, maxMs: 60_000 },
  handle: (deps, { id }, work) => process(deps, work, id),
})

const findSoon = batching<number, StoredHappening | undefined>({ most: 64, atOnce: 2 }, async (db, ids) => {
  const found = new Map((await listHappenings(db, ids)).map(one => [one.id, one]))
  return ids.map(id => found.get(id))
})

async function process(deps: Deps, work: Work, id: number): Promise<void> {
  const stored = await findSoon(deps.db, id)
  if (!stored) return
  if (stored.told.type === 'status') return status(deps, work, stored, stored.told)
  await transact(deps.db, async tx => {
    await apply(tx, stored)
    await work.finish(tx)
  })
}

async function apply(tx: Tx, stored: StoredHappening): Promise<void> {
  const { told } = stored
  if (told.type === 'message') return told.fromUs ? echo(tx, stored, told) : receive(tx, stored, told)
  if (told.type === 'reaction') return react(tx, stored, told)
  if (told.type === 'comment') return receiveComment(tx, stored, told)
}

const stopWords = /^\s*(stop|unsubscribe|end|quit|stopall|revoke|optout|cancel)\s*$/i
const startWords = /^\s*(start|unstop|yes)\s*$/i

async function receive(tx: Tx, { tenantId, inboxId }: StoredHappening, told: InboundMessage): Promise<void> {
  const inbox = await findInbox(tx, tenantId, inboxId)
  // Disconnected meanwhile: there is nobody to show it to.
  if (!inbox) return
  const person = { externalId: told.from, alsoKnownAs: told.alsoKnownAs, name: told.profileName ?? null }
  const conversation = await openConversation(tx, tenantId, person, inbox)
  const context = await contextOf(tx, tenantId, inboxId, told)
  const mediaId = newId('media')
  if (!(await insertInbound(tx, tenantId, conversation, withMedia(told, mediaId), context))) return
  if (told.media)
    await expectMedia(tx, { tenantId, inboxId, conversationId: conversation.id, mediaId }, told.media)
  await recordInteraction(tx, tenantId, { contactId: conversation.contactId, at: told.at })
  await heed(tx, tenantId, conversation, told)
}

/** The adapter leaves the place of our id empty. */
function withMedia(told: InboundMessage, mediaId: string): InboundMessage {
  if (!told.media || told.content.type !== 'media') return told
  return { ...told, content: { ...told.content, media: { ...told.content.media, mediaId } } }
}

/** STOP and START, alone in a message, are for us. */
async function heed(
  tx: Tx,
  tenantId: string,
  conversation: ConversationRow,
  told: InboundMessage,
): Promise<void> {
  if (told.content.type !== 'text') return
  const { body } = told.content.text
  if (stopWords.test(body)) await setOptOut(tx, tenantId, conversation.contactId, conversation.channel, true)
  else if (startWords.test(body))
    await setOptOut(tx, tenantId, conversation.contactId, conversation.channel, false)
}

async function contextOf(
  tx: Tx,
  tenantId: string,
  inboxId: string,
  told: InboundMessage,
): Promise<StoredContext[]> {
  const out: StoredContext[] = []
  if (told.replyTo) {
    const original = await findByChannelId(tx, tenantId, inboxId, told.replyTo)
    out.push(
      original
        ? { type: 'message', messageId: original.id }
        : { type: 'unavailable', channelMessageId: told.replyTo },
    )
  }
  if (told.resource) out.push({ type: 'resource', resource: told.resource })
  return out
}

async function insertInbound(
  tx: Tx,
  tenantId: string,
  conversation: ConversationRow,
  told: InboundMessage,
  context: StoredContext[],
): Promise<boolean> {
  const id = newId('message')
  const preview = previewOf(told.content)
  const message: Message = {
    id,
    createdAt: tx.now,
    updatedAt: tx.now,
    tenantId,
    conversationId: conversation.id,
    senderType: 'customer',
    senderId: conversation.contactId,
    content: told.content,
    deliveryStatus: 'received',
    channelMessageId: told.channelMessageId,
    ...(context.length > 0 ? { context } : {}),
  }
  const wire = {
    ...toWire(conversation),
    lastMessageAt: tx.now,
    lastMessagePreview: preview,
    lastMessageSender: 'customer',
  }
  const audience = audienceOf(conversation)
  const rows = await tx.rows(
    acceptMessages(
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
          content: JSON.stringify(told.content),
          context: context.length > 0 ? JSON.stringify(context) : null,
          status: 'received',
          channelMessageId: told.channelMessageId,
          clientMessageId: null,
          clientFingerprint: null,
          preview,
          event: JSON.stringify({ message, conversation: wire }),
          audience: audience ? JSON.stringify(audience) : null,
          eventId: newId('event'),
          whose: whoseOf(conversation),
        },
      ],
      select => emitting(tx, select),
    ),
  )
  return rows.length > 0
}

/** Our own message seen from outside: evidence that it was sent. */
async function echo(tx: Tx, { tenantId }: StoredHappening, told: InboundMessage): Promise<void> {
  if (told.fromUs?.messageId)
    await applyStatus(tx, tenantId, told.fromUs.messageId, {
      status: 'sent',
      channelMessageId: told.channelMessageId,
      at: told.at,
    })
}

/** A status may overtake the answer of the send that it is about. */
const waitForAnswerMs = 1_000
const waitsForMs = 10 * 60_000

async function status(
  deps: Deps,
  work: Work,
  { tenantId, inboxId, ageMs }: StoredHappening,
  told: StatusUpdate,
): Promise<void> {
  const messageId =
    told.messageId ?? (await findByChannelId(deps.db, tenantId, inboxId, told.channelMessageId))?.id
  const { failure, channelMessageId, at } = told
  const error = failure && {
    code: failure.code,
    message: failure.message,
    retryable: failure.kind === 'retryable',
  }
  const news = { status: told.status, channelMessageId, at, ...(error ? { error } : {}) }
  if (told.upTo && messageId !== undefined)
    for (const { id } of await listUnseen(deps.db, tenantId, messageId))
      await applyStatusSoon(deps.db, { tenantId, messageId: id, news: { status: told.status, at } })
  const found =
    messageId !== undefined && (await applyStatusSoon(deps.db, { tenantId, messageId, news, work }))
  if (!found && ageMs < waitsForMs) throw new RetryLater(waitForAnswerMs, 'its message is not there yet')
}

async function react(tx: Tx, { tenantId, inboxId }: StoredHappening, told: InboundReaction): Promise<void> {
  const target = await findByChannelId(tx, tenantId, inboxId, told.channelMessageId)
  if (target) await putReaction(tx, tenantId, target.id, { type: 'customer', id: told.from }, told.emoji)
}
