/**
 * Sending on request: whom it is for, whether the channel can carry it, and then accepting it. An agent cannot write to
 * a conversation outside their scope: to them there is no such recipient, and nothing is made.
 */

import { loadContacts } from '../../contacts/contact-views.ts'
import { findContact } from '../../contacts/contacts.ts'
import { canonicalPhone } from '../../contacts/phones.ts'
import { findContentViolation } from '../../inboxes/capabilities/content.ts'
import { findTemplate, templateViolations } from '../../inboxes/catalogue/templates.ts'
import type { SendableContent } from '../../inboxes/content.ts'
import { InboxNotFound } from '../../inboxes/errors.ts'
import type { InboxRow } from '../../inboxes/inboxes.ts'
import { findInboxBatched, getCachedInbox } from '../../inboxes/inboxes.ts'
import { canSend } from '../../inboxes/troubles.ts'
import type { Channel } from '../../platform/channels.ts'
import type { Queryable } from '../../platform/db/db.ts'
import type { Deps } from '../../platform/deps.ts'
import { fail, invalid, violation } from '../../platform/errors.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { toFingerprint } from '../../platform/http/idempotency.ts'
import type { Write } from '../../platform/http/route.ts'
import { canSee, visibleTo } from '../access.ts'
import { acceptFirst, acceptFirstBatched, type FirstMessage } from '../beginning.ts'
import { loadConversationByAddress, loadVisibleConversation } from '../conversation-loader.ts'
import { ClientMessageIdReused, ConversationNotFound, RecipientNotFound, SendRefused } from '../errors.ts'
import { isCommentReply } from '../inbound/comments.ts'
import { getSendableMedia } from '../media/attachments.ts'
import type { ChannelCounterpart } from '../merge-conversations.ts'
import type { Recipient, StoredContext } from '../schemas.ts'
import { type ConversationRow, conversationToApi, findConversation } from '../store/conversations.ts'
import { findMessage, findMessageByClientId, messageToApi } from '../store/messages.ts'
import { type AcceptedMessage, acceptReply, type Draft } from './accept-message.ts'
import { getSendDelay } from './rate-limiter.ts'
import { checkSend, type SendAttempt } from './send-policy.ts'

export interface SendInput {
  content: SendableContent
  inboxId?: string
  contexts?: ({ type: 'message'; messageId: string } | Extract<StoredContext, { type: 'resource' }>)[]
  clientMessageId?: string
}

export interface SendContext {
  deps: Deps
  caller: Caller
  /** Refuse at once what the gate knows will fail. */
  strict: boolean
  /** Where the answer must be stored with the message: then it goes alone, not in a batch. */
  exclusiveWrite?: Write | undefined
}

export async function sendMessage(
  asking: SendContext,
  recipient: Recipient,
  input: SendInput,
): Promise<AcceptedMessage> {
  const { deps, caller } = asking
  if (recipient.type === 'conversation')
    return sendReply(asking, recipient.conversationId, input, RecipientNotFound)
  const inbox = await findRequestedInbox(deps, caller, input.inboxId)
  const party = await resolveRecipient(deps, caller, recipient, inbox)
  const known = await findExisting(deps, caller, party)
  if (known)
    return sendInConversation(
      asking,
      known,
      inbox ?? (await getConversationInbox(deps, caller, known)),
      input,
    )
  if (!inbox) invalid(violation('inboxId', 'required', 'is required for the first message to somebody'))
  if (inbox.channel !== party.channel) invalid(channelMismatch(inbox, party.channel))
  await checkContent(deps, caller, inbox, input.content)
  const draft = await buildDraft(deps, caller, input)
  if (asking.strict)
    await checkPolicy(deps, draft, inbox, { channel: party.channel, contactId: '', lastCustomerAt: null })
  return openAndAccept(asking, { counterpart: party, inbox, draft })
}

export async function sendReply(
  asking: SendContext,
  conversationId: string,
  input: SendInput,
  absent = ConversationNotFound,
): Promise<AcceptedMessage> {
  const { deps, caller } = asking
  const row = (await loadVisibleConversation(deps.db, caller, conversationId)) ?? fail(absent)
  const inbox =
    (await findRequestedInbox(deps, caller, input.inboxId)) ?? (await getConversationInbox(deps, caller, row))
  return sendInConversation(asking, row, inbox, input)
}

async function sendInConversation(
  asking: SendContext,
  row: ConversationRow,
  inbox: InboxRow,
  input: SendInput,
): Promise<AcceptedMessage> {
  const { deps, caller } = asking
  if (inbox.channel !== row.channel) invalid(channelMismatch(inbox, row.channel))
  await checkContent(deps, caller, inbox, input.content)
  const draft = await buildDraft(deps, caller, input)
  if (asking.strict) await checkPolicy(deps, draft, inbox, row)
  const current = row.status === 'open' && row.inboxId === inbox.id
  if (current && !asking.exclusiveWrite) {
    const accepted = await acceptReply(deps, caller.tenantId, row, draft)
    if (accepted) return accepted
  }
  return openAndAccept(asking, { counterpart: { externalId: row.externalId }, inbox, draft })
}

/** Opens the conversation for it; a clientMessageId that is there already answers with its first message. */
async function openAndAccept(asking: SendContext, asked: FirstMessage): Promise<AcceptedMessage> {
  const { deps, caller, exclusiveWrite: alone } = asking
  const { draft } = asked
  const key = { tenantId: caller.tenantId, inboxId: asked.inbox.id }
  const beginning = { ...asked, inbox: (await findInboxBatched(deps.db, key)) ?? fail(InboxNotFound) }
  if (alone)
    return alone(async tx => (await acceptFirst(tx, beginning)) ?? (await findAccepted(tx, caller, draft)))
  const traceparent = deps.tracing?.currentSpan()?.traceparent
  const accepted = await acceptFirstBatched(deps.db, { ...beginning, draft: { ...draft, traceparent } })
  return accepted ?? findAccepted(deps.db, caller, draft)
}

async function findAccepted(tx: Queryable, caller: Caller, draft: Draft): Promise<AcceptedMessage> {
  const first =
    draft.clientMessageId &&
    (await findMessageByClientId(tx, caller.tenantId, caller.id, draft.clientMessageId))
  if (!first) throw new Error('a message was neither accepted nor there already')
  if (first.clientFingerprint !== draft.fingerprint)
    fail(ClientMessageIdReused, 'use a new id for a new message')
  const conversation = await findConversation(tx, caller.tenantId, first.conversationId, visibleTo(caller))
  return {
    message: messageToApi(first),
    conversation: conversationToApi(conversation ?? fail(RecipientNotFound)),
  }
}

async function findRequestedInbox(
  { db }: Deps,
  { tenantId }: Caller,
  inboxId: string | undefined,
): Promise<InboxRow | undefined> {
  if (inboxId === undefined) return undefined
  return (await getCachedInbox(db, { tenantId, inboxId })) ?? fail(InboxNotFound)
}

async function getConversationInbox(deps: Deps, caller: Caller, row: ConversationRow): Promise<InboxRow> {
  const inbox = await getCachedInbox(deps.db, { tenantId: caller.tenantId, inboxId: row.inboxId })
  return (
    inbox ??
    invalid(violation('inboxId', 'required', 'is required: the inbox of this conversation was deleted'))
  )
}

function channelMismatch(inbox: InboxRow, channel: Channel) {
  return violation('inboxId', 'inbox_channel_mismatch', `is an inbox of ${inbox.channel}, not of ${channel}`)
}

/** What the channel cannot carry, and what does not fit the template it names. */
async function checkContent(
  deps: Deps,
  caller: Caller,
  inbox: InboxRow,
  content: SendableContent,
): Promise<void> {
  const fault = findContentViolation(inbox.channel, content)
  if (fault) invalid(violation(fault.field, 'content_unsupported', fault.message))
  const media = await getSendableMedia(deps, caller, inbox.channel, content)
  if (content.type !== 'template') return
  const template = await findTemplate(deps, inbox, content.template.name, content.template.language)
  if (template === null)
    invalid(
      violation(
        'content.template.name',
        'template_unknown',
        'is not a template of this inbox in this language',
      ),
    )
  // One that could not be asked about is left to the provider, which has the last word.
  const faults = template ? templateViolations(template, content, media?.mediaType) : []
  if (faults.length > 0) invalid(...faults)
}

async function checkPolicy(
  deps: Deps,
  draft: Draft,
  inbox: InboxRow,
  conversation: SendAttempt['conversation'] & { id?: string },
): Promise<void> {
  const { tenantId } = inbox
  const refusal = await checkSend(deps, {
    tenantId,
    conversation,
    contentType: draft.content.type,
    senderType: draft.sender.type,
    isCommentReply: isCommentReply(inbox.channel, draft.context),
  })
  if (refusal) fail({ ...SendRefused, code: refusal.code }, refusal.message)
  const delay = await getSendDelay(deps, { ...inbox, inboxId: inbox.id }, conversation.id)
  if (delay) {
    const at = new Date(deps.clock.now().getTime() + delay.waitMs).toISOString()
    const headers = { 'retry-after': String(Math.ceil(delay.waitMs / 1000)) }
    fail({ ...SendRefused, code: delay.code }, delay.message, { headers, members: { nextAllowedAt: at } })
  }
  if (!canSend(inbox))
    fail({ ...SendRefused, code: 'inbox_inactive' }, 'the provider does not let this inbox send')
}

async function findExisting(
  deps: Deps,
  caller: Caller,
  party: ChannelCounterpart,
): Promise<ConversationRow | undefined> {
  const at = { tenantId: caller.tenantId, channel: party.channel, address: party.externalId }
  const found = await loadConversationByAddress(deps.db, at)
  return found && !canSee(caller, found) ? fail(RecipientNotFound) : found
}

async function resolveRecipient(
  deps: Deps,
  caller: Caller,
  recipient: Exclude<Recipient, { type: 'conversation' }>,
  inbox: InboxRow | undefined,
): Promise<ChannelCounterpart> {
  if (recipient.type === 'phone')
    return {
      channel: inbox?.channel ?? 'chatapp',
      externalId: toPhone(recipient.phoneNumber, 'recipient.phoneNumber'),
      alsoKnownAs: [],
    }
  if (recipient.type === 'channel') {
    const isPhone = recipient.channel !== 'socialapp' && recipient.externalId.startsWith('+')
    const externalId = isPhone ? toPhone(recipient.externalId, 'recipient.externalId') : recipient.externalId
    return { channel: recipient.channel, externalId, alsoKnownAs: [] }
  }
  return resolveContact(deps, caller, recipient.contactId, recipient.channel ?? inbox?.channel)
}

function toPhone(text: string, field: string): string {
  return (
    canonicalPhone(text) ??
    invalid(
      violation(field, 'invalid_phone', 'must be a phone number with its country code, such as +14155550100'),
    )
  )
}

async function resolveContact(
  deps: Deps,
  caller: Caller,
  contactId: string,
  channel: Channel | undefined,
): Promise<ChannelCounterpart> {
  const id = await findContact(deps.db, caller, contactId).catch(() => fail(RecipientNotFound))
  const [contact] = await loadContacts(deps.db, caller.tenantId, [id])
  const identities = contact?.identities ?? []
  const phone = identities.find(one => one.metadata.phoneNumber)?.metadata.phoneNumber
  const wanted = channel ?? identities[0]?.channel
  if (!wanted) invalid(violation('recipient.contactId', 'no_identity', 'has no address on any channel'))
  const externalId = wanted === 'socialapp' ? undefined : phone
  if (!externalId) invalid(violation('recipient.contactId', 'no_identity', `has no address on ${wanted}`))
  return { channel: wanted, externalId, alsoKnownAs: [], ...(contact?.name ? { name: contact.name } : {}) }
}

async function buildDraft(deps: Deps, caller: Caller, input: SendInput): Promise<Draft> {
  const context = await checkContexts(deps, caller, input)
  return {
    sender: { type: caller.kind === 'service' ? 'service' : 'user', id: caller.id },
    content: input.content,
    context,
    ...(input.clientMessageId
      ? { clientMessageId: input.clientMessageId, fingerprint: toFingerprint(input) }
      : {}),
  }
}

async function checkContexts(deps: Deps, caller: Caller, input: SendInput): Promise<StoredContext[]> {
  for (const [i, context] of (input.contexts ?? []).entries()) {
    if (context.type !== 'message') continue
    const found = await findMessage(deps.db, caller.tenantId, context.messageId)
    const visible =
      found && (await findConversation(deps.db, caller.tenantId, found.conversationId, visibleTo(caller)))
    if (!visible)
      invalid(violation(`contexts[${i}].messageId`, 'unknown_message', 'is not a message of this workspace'))
  }
  return input.contexts ?? []
}
