/**
 * Messages of visitors. A message becomes a provider event, like a message on the other channels: stored
 * before it is acknowledged, once whatever the number of retries, and applied in the order of the visitor.
 */

import {
  listCustomerMessages,
  listCustomerMessagesByIds,
  listSentCards,
} from '../../conversations/customer-view.ts'
import { storeProviderEvents } from '../../conversations/inbound/store-provider-events.ts'
import { findMedia } from '../../conversations/media/media.ts'
import type { Content } from '../../inboxes/content.ts'
import { findInbox } from '../../inboxes/inboxes.ts'
import type { InboundMessage } from '../../inboxes/providers/provider.ts'
import { transact } from '../../platform/db/transact.ts'
import type { Deps } from '../../platform/deps.ts'
import { fail, invalid, violation } from '../../platform/errors.ts'
import { getLatestSeq } from '../../platform/events/log.ts'
import type { Visitor } from '../../platform/http/caller.ts'
import { IdentityRequired } from '../errors.ts'
import type { SendWidgetMessage, WidgetContent, WidgetConversation, WidgetMessage } from '../schemas.ts'
import { updateVisitor } from '../store/visitors.ts'
import { describeConversation, findConversationOf } from '../visitors/sessions.ts'
import { toAddress } from '../visitors/visitors.ts'
import { toChannelMessageId, toWidgetMessages } from './message-view.ts'

export interface MessagePage {
  conversation: WidgetConversation | null
  messages: WidgetMessage[]
  hasMore: boolean
  seq: number
}

/** Lists messages oldest first. `before` is the id or the `seq` of a message. */
export async function listMessages(
  deps: Deps,
  visitor: Visitor,
  { before, limit }: { before: string | undefined; limit: number },
): Promise<MessagePage> {
  const { tenantId } = visitor
  // Read first: what happens after it is in the socket's frames since this number.
  const seq = await getLatestSeq(deps.db, tenantId)
  const conversation = await findConversationOf(deps, visitor)
  if (!conversation) return { conversation: null, messages: [], hasMore: false, seq }
  const position =
    before === undefined ? undefined : await findPosition(deps, visitor, conversation.id, before)
  const rows = await listCustomerMessages(deps.db, tenantId, conversation.id, {
    before: position,
    limit: limit + 1,
  })
  const [view, messages] = await Promise.all([
    describeConversation(deps, visitor, conversation),
    toWidgetMessages(deps, tenantId, rows.slice(0, limit).reverse()),
  ])
  return { conversation: view, messages, hasMore: rows.length > limit, seq }
}

async function findPosition(
  deps: Deps,
  visitor: Visitor,
  conversationId: string,
  before: string,
): Promise<number> {
  if (/^\d{1,9}$/.test(before)) return Number(before)
  return (await findOwnMessage(deps, visitor, conversationId, before, 'before')).position
}

/** Finds a message that the visitor can see. */
async function findOwnMessage(
  { db }: Deps,
  { tenantId }: Visitor,
  conversationId: string | undefined,
  id: string,
  field: string,
) {
  const [row] = conversationId === undefined ? [] : await listCustomerMessagesByIds(db, tenantId, [id])
  if (row?.conversationId === conversationId && row) return row
  return invalid(violation(field, 'unknown_message', 'is not a message of this conversation'))
}

export async function sendMessage(deps: Deps, visitor: Visitor, message: SendWidgetMessage): Promise<void> {
  await checkIdentity(deps, visitor)
  const { clientMessageId, content, replyTo, page } = message
  const checked = await checkContent(deps, visitor, content)
  const quoted = replyTo ? await findQuoted(deps, visitor, replyTo) : checked.replyTo
  await rememberPage(deps, visitor, content, page)
  const channelMessageId = toChannelMessageId(visitor.id, clientMessageId)
  const event: InboundMessage = {
    type: 'message',
    accountId: visitor.inboxKey,
    dedupeKey: channelMessageId,
    at: deps.clock.now().toISOString(),
    ...describeSender(visitor),
    channelMessageId,
    content: checked.content,
    ...(quoted ? { replyTo: quoted } : {}),
  }
  await storeProviderEvents(deps, 'webchat', [event])
}

/** The id of the visitor orders its messages, also when the site identifies it between two of them. */
export function describeSender(visitor: Visitor) {
  return {
    from: toAddress(visitor),
    alsoKnownAs: visitor.subject === null ? [] : [visitor.id],
    orderedBy: visitor.id,
    ...(visitor.name ? { profileName: visitor.name } : {}),
  }
}

export async function checkIdentity({ db }: Deps, visitor: Visitor): Promise<void> {
  if (visitor.subject !== null) return
  const inbox = await findInbox(db, visitor.tenantId, visitor.inboxId)
  if (inbox?.webchat?.identity.isRequired) fail(IdentityRequired)
}

async function findQuoted(deps: Deps, visitor: Visitor, id: string): Promise<string | undefined> {
  const conversation = await findConversationOf(deps, visitor)
  const row = await findOwnMessage(deps, visitor, conversation?.id, id, 'replyTo')
  return row.channelMessageId ?? undefined
}

interface CheckedContent {
  content: Content
  /** The message on the channel that the content answers. */
  replyTo?: string | undefined
}

async function checkContent(deps: Deps, visitor: Visitor, content: WidgetContent): Promise<CheckedContent> {
  if (content.type === 'text') return { content: checkText(content) }
  if (content.type === 'media') return { content: await checkFile(deps, visitor, content) }
  if (content.type === 'reply') return checkReply(deps, visitor, content.reply.id)
  return { content: { type: 'formResponse', formResponse: { flowToken: null, ...content.formResponse } } }
}

const maxTextBytes = 4096

function checkText(content: Extract<WidgetContent, { type: 'text' }>): Content {
  if (Buffer.byteLength(content.text.body) > maxTextBytes)
    invalid(violation('content.text.body', 'too_long', `must have at most ${maxTextBytes} bytes`))
  return content
}

/** A visitor can send the files that it uploaded itself. */
async function checkFile(
  { db }: Deps,
  { tenantId, id }: Visitor,
  content: Extract<WidgetContent, { type: 'media' }>,
): Promise<Content> {
  const file = await findMedia(db, tenantId, content.media.mediaId)
  if (file?.status !== 'ready' || file.uploadedBy !== id)
    invalid(violation('content.media.mediaId', 'unknown_media', 'is not a file that you uploaded'))
  const { filename } = file
  return { type: 'media', media: { ...content.media, ...(filename ? { filename } : {}) } }
}

/** The title is that of the button, so that nothing else can be put in the visitor's mouth. */
async function checkReply(deps: Deps, visitor: Visitor, id: string): Promise<CheckedContent> {
  const conversation = await findConversationOf(deps, visitor)
  const cards = conversation ? await listSentCards(deps.db, visitor.tenantId, conversation.id) : []
  for (const { content, channelMessageId } of cards) {
    const choice = content.type === 'rich' ? findChoice(content.rich.actions, id) : undefined
    if (choice) {
      const { title, description } = choice
      const reply = { id, title, ...(description === undefined ? {} : { description }) }
      return { content: { type: 'reply', reply }, replyTo: channelMessageId ?? undefined }
    }
  }
  return invalid(violation('content.reply.id', 'unknown_choice', 'is not a choice of this conversation'))
}

type Actions = Extract<Content, { type: 'rich' }>['rich']['actions']

function findChoice(
  actions: Actions,
  id: string,
): { title: string; description?: string | undefined } | undefined {
  for (const action of actions) {
    if (action.type === 'reply' && action.id === id) return action
    if (action.type !== 'list') continue
    const row = action.sections.flatMap(({ rows }) => rows).find(one => one.id === id)
    if (row) return row
  }
  return undefined
}

/** Stores the page that the visitor writes from, and what it answered to a question about itself. */
async function rememberPage(
  { db }: Deps,
  visitor: Visitor,
  content: WidgetContent,
  page: string | undefined,
): Promise<void> {
  const values =
    content.type === 'formResponse' && visitor.subject === null ? content.formResponse.values : {}
  const update = { ...values, ...(page !== undefined && page !== visitor.page ? { page } : {}) }
  if (Object.keys(update).length > 0) await transact(db, tx => updateVisitor(tx, visitor, update))
}
