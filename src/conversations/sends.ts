/**
 * Sending on request: whom it is for, whether the channel can carry it, and then accepting it. An agent cannot write to
 * a conversation outside their scope: to them there is no such recipient, and nothing is made.
 */
import { findContact } from '../contacts/contacts.ts'
import { canonicalPhone } from '../contacts/phones.ts'
import { loadShown } from '../contacts/reading.ts'
import { misfit } from '../inboxes/channel-fit.ts'
import type { SendableContent } from '../inboxes/content.ts'
import { InboxNotFound } from '../inboxes/errors.ts'
import type { InboxRow } from '../inboxes/inboxes.ts'
import { findInboxSoon, recallInbox } from '../inboxes/inboxes.ts'
import { templateOf, templateViolations } from '../inboxes/templates.ts'
import { canSend } from '../inboxes/troubles.ts'
import type { Channel } from '../platform/channels.ts'
import type { Queryable } from '../platform/db/db.ts'
import type { Deps } from '../platform/deps.ts'
import { fail, invalid, violation } from '../platform/errors.ts'
import type { Caller } from '../platform/http/caller.ts'
import { fingerprintOf } from '../platform/http/idempotency.ts'
import type { Write } from '../platform/http/route.ts'
import { type Acceptance, acceptSoon, type Draft } from './accept.ts'
import { canSee, visibleTo } from './access.ts'
import { type Beginning, begin, beginSoon } from './beginning.ts'
import { answersComment } from './comments.ts'
import { ClientMessageIdReused, ConversationNotFound, RecipientNotFound, SendRefused } from './errors.ts'
import { findByAddressSoon, findConversationSoon } from './finding.ts'
import { type Passing, refusalOf } from './gate.ts'
import type { Party } from './joining.ts'
import { mediaToSend } from './media/carrying.ts'
import { delayOf } from './pace.ts'
import type { Recipient, StoredContext } from './schemas.ts'
import { type ConversationRow, findConversation, toWire } from './store/conversations.ts'
import { findByClientId, findMessage, messageToWire } from './store/messages.ts'

export interface SendInput {
  content: SendableContent
  inboxId?: string
  contexts?: ({ type: 'message'; messageId: string } | Extract<StoredContext, { type: 'resource' }>)[]
  clientMessageId?: string
}

export interface Asking {
  deps: Deps
  caller: Caller
  /** Refuse at once what the gate knows will fail. */
  strict: boolean
  /** Where the answer must be stored with the message: then it goes alone, not in a batch. */
  alone?: Write | undefined
}

export async function sendTo(asking: Asking, recipient: Recipient, input: SendInput): Promise<Acceptance> {
  const { deps, caller } = asking
  if (recipient.type === 'conversation')
    return reply(asking, recipient.conversationId, input, RecipientNotFound)
  const inbox = await inboxOf(deps, caller, input.inboxId)
  const party = await partyOf(deps, caller, recipient, inbox)
  const known = await knownTo(deps, caller, party)
  if (known) return continueIn(asking, known, inbox ?? (await currentInbox(deps, caller, known)), input)
  if (!inbox) invalid(violation('inboxId', 'required', 'is required for the first message to somebody'))
  if (inbox.channel !== party.channel) invalid(wrongChannel(inbox, party.channel))
  await mustFit(deps, caller, inbox, input.content)
  const draft = await draftOf(deps, caller, input)
  if (asking.strict)
    await pass(deps, draft, inbox, { channel: party.channel, contactId: '', lastCustomerAt: null })
  return settle(asking, { person: party, inbox, draft })
}

export async function reply(
  asking: Asking,
  conversationId: string,
  input: SendInput,
  absent = ConversationNotFound,
): Promise<Acceptance> {
  const { deps, caller } = asking
  const row = (await findConversationSoon(deps.db, caller, conversationId)) ?? fail(absent)
  const inbox = (await inboxOf(deps, caller, input.inboxId)) ?? (await currentInbox(deps, caller, row))
  return continueIn(asking, row, inbox, input)
}

async function continueIn(
  asking: Asking,
  row: ConversationRow,
  inbox: InboxRow,
  input: SendInput,
): Promise<Acceptance> {
  const { deps, caller } = asking
  if (inbox.channel !== row.channel) invalid(wrongChannel(inbox, row.channel))
  await mustFit(deps, caller, inbox, input.content)
  const draft = await draftOf(deps, caller, input)
  if (asking.strict) await pass(deps, draft, inbox, row)
  const current = row.status === 'open' && row.inboxId === inbox.id
  if (current && !asking.alone) {
    const accepted = await acceptSoon(deps, caller.tenantId, row, draft)
    if (accepted) return accepted
  }
  return settle(asking, { person: { externalId: row.externalId }, inbox, draft })
}

/** Opens the conversation for it; a clientMessageId that is there already answers with its first message. */
async function settle(asking: Asking, asked: Beginning): Promise<Acceptance> {
  const { deps, caller, alone } = asking
  const { draft } = asked
  const key = { tenantId: caller.tenantId, inboxId: asked.inbox.id }
  const beginning = { ...asked, inbox: (await findInboxSoon(deps.db, key)) ?? fail(InboxNotFound) }
  if (alone) return alone(async tx => (await begin(tx, beginning)) ?? (await firstAnswer(tx, caller, draft)))
  const traceparent = deps.tracing?.current()?.traceparent
  const accepted = await beginSoon(deps.db, { ...beginning, draft: { ...draft, traceparent } })
  return accepted ?? firstAnswer(deps.db, caller, draft)
}

async function firstAnswer(tx: Queryable, caller: Caller, draft: Draft): Promise<Acceptance> {
  const first =
    draft.clientMessageId && (await findByClientId(tx, caller.tenantId, caller.id, draft.clientMessageId))
  if (!first) throw new Error('a message was neither accepted nor there already')
  if (first.clientFingerprint !== draft.fingerprint)
    fail(ClientMessageIdReused, 'use a new id for a new message')
  const conversation = await findConversation(tx, caller.tenantId, first.conversationId, visibleTo(caller))
  return { message: messageToWire(first), conversation: toWire(conversation ?? fail(RecipientNotFound)) }
}

async function inboxOf(
  { db }: Deps,
  { tenantId }: Caller,
  inboxId: string | undefined,
): Promise<InboxRow | undefined> {
  if (inboxId === undefined) return undefined
  return (await recallInbox(db, { tenantId, inboxId })) ?? fail(InboxNotFound)
}

async function currentInbox(deps: Deps, caller: Caller, row: ConversationRow): Promise<InboxRow> {
  const inbox = await recallInbox(deps.db, { tenantId: caller.tenantId, inboxId: row.inboxId })
  return (
    inbox ??
    invalid(violation('inboxId', 'required', 'is required: the inbox of this conversation was deleted'))
  )
}

function wrongChannel(inbox: InboxRow, channel: Channel) {
  return violation('inboxId', 'inbox_channel_mismatch', `is an inbox of ${inbox.channel}, not of ${channel}`)
}

/** What the channel cannot carry, and what does not fit the template it names. */
async function mustFit(deps: Deps, caller: Caller, inbox: InboxRow, content: SendableContent): Promise<void> {
  const fault = misfit(inbox.channel, content)
  if (fault) invalid(violation(fault.field, 'content_unsupported', fault.message))
  const media = await mediaToSend(deps, caller, inbox.channel, content)
  if (content.type !== 'template') return
  const template = await templateOf(deps, inbox, content.template.name, content.template.language)
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

async function pass(
  deps: Deps,
  draft: Draft,
  inbox: InboxRow,
  conversation: Passing['conversation'] & { id?: string },
): Promise<void> {
  const { tenantId } = inbox
  const refusal = await refusalOf(deps, {
    tenantId,
    conversation,
    contentType: draft.content.type,
    senderType: draft.sender.type,
    toComment: answersComment(inbox.channel, draft.context),
  })
  if (refusal) fail({ ...SendRefused, code: refusal.code }, refusal.message)
  const delay = await delayOf(deps, { ...inbox, inboxId: inbox.id }, conversation.id)
  if (delay) {
    const at = new Date(deps.clock.now().getTime() + delay.waitMs).toISOString()
    const headers = { 'retry-after': String(Math.ceil(delay.waitMs / 1000)) }
    fail({ ...SendRefused, code: delay.code }, delay.message, { headers, members: { nextAllowedAt: at } })
  }
  if (!canSend(inbox))
    fail({ ...SendRefused, code: 'inbox_inactive' }, 'the provider does not let this inbox send')
}

async function knownTo(deps: Deps, caller: Caller, party: Party): Promise<ConversationRow | undefined> {
  const at = { tenantId: caller.tenantId, channel: party.channel, address: party.externalId }
  const found = await findByAddressSoon(deps.db, at)
  return found && !canSee(caller, found) ? fail(RecipientNotFound) : found
}

async function partyOf(
  deps: Deps,
  caller: Caller,
  recipient: Exclude<Recipient, { type: 'conversation' }>,
  inbox: InboxRow | undefined,
): Promise<Party> {
  if (recipient.type === 'phone')
    return {
      channel: inbox?.channel ?? 'chatapp',
      externalId: phoneOf(recipient.phoneNumber, 'recipient.phoneNumber'),
      alsoKnownAs: [],
    }
  if (recipient.type === 'channel') {
    const isPhone = recipient.channel !== 'socialapp' && recipient.externalId.startsWith('+')
    const externalId = isPhone ? phoneOf(recipient.externalId, 'recipient.externalId') : recipient.externalId
    return { channel: recipient.channel, externalId, alsoKnownAs: [] }
  }
  return contactParty(deps, caller, recipient.contactId, recipient.channel ?? inbox?.channel)
}

function phoneOf(text: string, field: string): string {
  return (
    canonicalPhone(text) ??
    invalid(
      violation(field, 'invalid_phone', 'must be a phone number with its country code, such as +14155550100'),
    )
  )
}

async function contactParty(
  deps: Deps,
  caller: Caller,
  contactId: string,
  channel: Channel | undefined,
): Promise<Party> {
  const id = await findContact(deps.db, caller, contactId).catch(() => fail(RecipientNotFound))
  const [contact] = await loadShown(deps.db, caller.tenantId, [id])
  const identities = contact?.identities ?? []
  const phone = identities.find(one => one.metadata.phoneNumber)?.metadata.phoneNumber
  const wanted = channel ?? identities[0]?.channel
  if (!wanted) invalid(violation('recipient.contactId', 'no_identity', 'has no address on any channel'))
  const externalId = wanted === 'socialapp' ? undefined : phone
  if (!externalId) invalid(violation('recipient.contactId', 'no_identity', `has no address on ${wanted}`))
  return { channel: wanted, externalId, alsoKnownAs: [], ...(contact?.name ? { name: contact.name } : {}) }
}

async function draftOf(deps: Deps, caller: Caller, input: SendInput): Promise<Draft> {
  const context = await contextOf(deps, caller, input)
  return {
    sender: { type: caller.kind === 'service' ? 'service' : 'user', id: caller.id },
    content: input.content,
    context,
    ...(input.clientMessageId
      ? { clientMessageId: input.clientMessageId, fingerprint: fingerprintOf(input) }
      : {}),
  }
}

async function contextOf(deps: Deps, caller: Caller, input: SendInput): Promise<StoredContext[]> {
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
