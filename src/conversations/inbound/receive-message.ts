/** Receives a customer's message, unless it answers a survey: opens the conversation, stores the message, and applies STOP and START. */
import { recordInteractions } from '../../contacts/activity.ts'
import { canonicalPhone } from '../../contacts/identities/phones.ts'
import { setOptOut } from '../../contacts/opt-outs.ts'
import { findInbox } from '../../inboxes/inboxes.ts'
import type { InboundMessage } from '../../inboxes/providers/provider.ts'
import { count } from '../../platform/counters.ts'
import type { Tx } from '../../platform/db/db.ts'
import type { Deps } from '../../platform/deps.ts'
import { emitFromSelect } from '../../platform/events/event.ts'
import { emitConversationUpdated } from '../conversation-events.ts'
import { messageCreated } from '../events.ts'
import { attachMedia } from '../media/attachments.ts'
import { enqueueInboundFetch } from '../media/fetch-inbound.ts'
import { buildMessage } from '../messages/message-row.ts'
import { openConversation } from '../opening/open-conversations.ts'
import { enqueueAutomaticReplies } from '../outbound/automatic-replies.ts'
import { MediaId, type StoredContext } from '../schemas.ts'
import type { ConversationRow } from '../store/conversations/conversation-rows.ts'
import { buildAcceptMessages } from '../store/messages/insert-messages.ts'
import { findMessageByChannelId } from '../store/messages/messages.ts'
import { receiveAnswer } from '../surveys/receive-answer.ts'
import { enqueueProfile } from './customer-profile.ts'

const stopKeywords = /^\s*(stop|unsubscribe|end|quit|stopall|revoke|optout|cancel)\s*$/i
const startKeywords = /^\s*(start|unstop|yes)\s*$/i

const isKeyword = (text: string) => stopKeywords.test(text) || startKeywords.test(text)

/** The parts of a provider's event that make a message. */
export type ReceivedMessage = Omit<InboundMessage, 'type' | 'accountId' | 'dedupeKey' | 'echo' | 'orderedBy'>

/** Without `deps`, an answer to a survey is received as a message. */
export async function receiveMessage(
  tx: Tx,
  { tenantId, inboxId }: { tenantId: string; inboxId: string },
  event: ReceivedMessage,
  deps?: Deps,
): Promise<void> {
  const inbox = await findInbox(tx, tenantId, inboxId)
  // The inbox was disconnected since the event was stored.
  if (!inbox) return
  const counterpart = {
    externalId: toAddress(event.from),
    alsoKnownAs: event.alsoKnownAs.map(toAddress),
    name: event.profileName ?? null,
  }
  const { externalId, alsoKnownAs } = counterpart
  const answer = { addresses: [externalId, ...alsoKnownAs], content: event.content, at: event.at }
  if (deps && (await receiveAnswer(deps, tx, inbox, answer, isKeyword))) return
  const conversation = await openConversation(tx, tenantId, counterpart, inbox)
  const context = await buildContext(tx, tenantId, inboxId, event)
  const mediaId = MediaId.create()
  // Sent together; the times of a message that exists already change nothing.
  const [messageId] = await Promise.all([
    insertInboundMessage(tx, tenantId, conversation, withMedia(event, mediaId), context),
    recordInteractions(tx, tenantId, [{ contactId: conversation.contactId, at: event.at }]),
  ])
  if (messageId === undefined) return
  if (!event.media)
    await attachMedia(tx, tenantId, [{ conversationId: conversation.id, content: event.content }])
  if (event.media)
    await enqueueInboundFetch(
      tx,
      { tenantId, inboxId, conversationId: conversation.id, mediaId },
      event.media,
    )
  await enqueueProfile(tx, tenantId, conversation, event)
  await applyOptOutKeywords(tx, tenantId, conversation, event)
  await enqueueAutomaticReplies(tx, inbox, conversation, messageId)
}

/** Providers report numbers in legacy formats too; a customer has one conversation whatever the format. */
const toAddress = (address: string) => canonicalPhone(address) ?? address

/** Fills in our media id, which the provider's adapter leaves empty. */
function withMedia(event: ReceivedMessage, mediaId: string): ReceivedMessage {
  if (!event.media || event.content.type !== 'media') return event
  return { ...event, content: { ...event.content, media: { ...event.content.media, mediaId } } }
}

/**
 * Opts the contact out on a message that is STOP and nothing else, and in again on START. Visitors of a website close the
 * chat instead.
 */
async function applyOptOutKeywords(
  tx: Tx,
  tenantId: string,
  conversation: ConversationRow,
  event: ReceivedMessage,
): Promise<void> {
  if (event.content.type !== 'text' || conversation.channel === 'webchat') return
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
  event: ReceivedMessage,
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

/** Returns the id of the new message; undefined when the provider's message exists already. */
async function insertInboundMessage(
  tx: Tx,
  tenantId: string,
  conversation: ConversationRow,
  { content, channelMessageId }: ReceivedMessage,
  context: StoredContext[],
): Promise<string | undefined> {
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
  if (rows.length === 0) return undefined
  count(tx, 'parley_messages_total', { channel: conversation.channel, status: 'received' })
  if (conversation.snoozed)
    await emitConversationUpdated(tx, tenantId, conversation, {
      ...conversation,
      snoozed: false,
      snoozedUntil: null,
    })
  return row.id
}
