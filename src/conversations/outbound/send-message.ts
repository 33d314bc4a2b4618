/**
 * Sends a message on request of a user or service. The stages, in order: resolve the recipient, check the content, check
 * the send policy (only with `Prefer: handling=strict`; delivery checks it again), accept the message. Delivery and
 * reconciliation follow in the background. Agents cannot write to conversations that they may not see, and open sessions
 * only on inboxes of their teams or of none: they can always read what they sent.
 */
import { InboxNotFound } from '../../inboxes/errors.ts'
import { canSend } from '../../inboxes/health.ts'
import { findInboxBatched, type InboxRow } from '../../inboxes/inboxes.ts'
import type { Queryable, Tx } from '../../platform/db/db.ts'
import { transact } from '../../platform/db/transact.ts'
import type { Deps } from '../../platform/deps.ts'
import { fail, invalid, violation } from '../../platform/errors.ts'
import type { Caller } from '../../platform/http/caller.ts'
import type { Context, Write } from '../../platform/http/route.ts'
import { canOpen } from '../access.ts'
import { loadVisibleConversation } from '../conversations.ts'
import { completeDraft } from '../drafts/drafts.ts'
import { ClientMessageIdReused, ConversationNotFound, RecipientNotFound, SendRefused } from '../errors.ts'
import { isCommentReply } from '../inbound/comments.ts'
import type { Recipient } from '../schemas.ts'
import { type ConversationRow, conversationToApi } from '../store/conversations/conversation-rows.ts'
import { findVisibleConversation, lockVisibleConversation } from '../store/conversations/conversations.ts'

import { findMessageByClientId, messageToApi } from '../store/messages/messages.ts'
import { findScheduledByClientId } from '../store/messages/scheduled-messages.ts'
import {
  type AcceptedMessage,
  acceptFirst,
  acceptLocked,
  acceptMany,
  acceptReply,
  type Draft,
  type FirstMessage,
} from './accept-message.ts'
import { checkContent, type SendInput } from './check-content.ts'
import { getSendDelay } from './rate-limiter.ts'
import { findExisting, findRequestedInbox, resolveInbox, resolveRecipient } from './resolve-recipient.ts'
import { checkSendAt, scheduledToApi, scheduleMessage } from './schedule-message.ts'
import { checkSend, type SendAttempt } from './send-policy.ts'

export interface SendContext {
  deps: Deps
  caller: Caller
  /** Refuses immediately what the send policy would make fail later. */
  strict: boolean
  /** Set when the response must be stored in the transaction of the message, which then cannot be batched. */
  exclusiveWrite?: Write | undefined
}

export function toSendContext(
  context: Pick<Context<never, never, never>, 'caller' | 'strict' | 'exclusiveWrite'> & Deps,
): SendContext {
  const { caller, strict, exclusiveWrite } = context
  return { deps: context, caller, strict, exclusiveWrite }
}

export async function sendMessage(
  context: SendContext,
  recipient: Recipient,
  input: SendInput,
): Promise<AcceptedMessage> {
  const { deps, caller } = context
  if (recipient.type === 'conversation')
    return sendReply(context, recipient.conversationId, input, RecipientNotFound)
  const inbox = await findRequestedInbox(deps, caller, input.inboxId)
  const counterpart = await resolveRecipient(deps, caller, recipient, inbox)
  const existing = await findExisting(deps, caller, counterpart)
  if (existing) return sendInConversation(context, existing, inbox, input)
  if (input.sendAt && checkSendAt(deps, input.sendAt) > deps.clock.now().toISOString())
    invalid(violation('sendAt', 'conversation_required', 'needs a conversation with the recipient'))
  if (!inbox) invalid(violation('inboxId', 'required', 'is required for the first message to a recipient'))
  if (!canOpen(caller, inbox)) fail(RecipientNotFound)
  const { channel } = counterpart
  const draft = await checkContent(deps, caller, { inbox, channel }, input)
  if (context.strict)
    await checkPolicy(deps, draft, inbox, { channel, contactId: null, lastCustomerAt: null })
  return openAndAccept(context, inbox, { counterpart, draft })
}

export async function sendReply(
  context: SendContext,
  conversationId: string,
  input: SendInput,
  notFound = ConversationNotFound,
): Promise<AcceptedMessage> {
  const { deps, caller } = context
  const row = (await loadVisibleConversation(deps.db, caller, conversationId)) ?? fail(notFound)
  const requested = await findRequestedInbox(deps, caller, input.inboxId)
  return sendInConversation(context, row, requested, input)
}

async function sendInConversation(
  context: SendContext,
  row: ConversationRow,
  requestedInbox: InboxRow | undefined,
  input: SendInput,
): Promise<AcceptedMessage> {
  const { deps, caller } = context
  const inbox = await resolveInbox(deps, caller, row, requestedInbox)
  const isOpen = row.status === 'open' && row.inboxId === inbox.id
  if (!isOpen && !canOpen(caller, inbox)) fail(RecipientNotFound)
  const { channel, id: conversationId } = row
  const draft = await checkContent(deps, caller, { inbox, channel, conversationId }, input)
  if (input.sendAt) return schedule(context, row, draft, { ...input, sendAt: input.sendAt })
  if (context.strict) await checkPolicy(deps, draft, inbox, row)
  if (!canOpen(caller, inbox)) return acceptInSession(context, row, draft)
  if (isOpen && row.addressOwnerId !== null && !context.exclusiveWrite) {
    const accepted = await acceptReply(deps, caller.tenantId, row, draft)
    if (accepted) return accepted
  }
  return openAndAccept(context, inbox, { counterpart: { externalId: row.externalId }, draft })
}

/** The send policy is checked when the message is due. */
async function schedule(
  { deps, caller, exclusiveWrite }: SendContext,
  row: ConversationRow,
  draft: Draft,
  input: SendInput & { sendAt: string },
): Promise<AcceptedMessage> {
  const sendAt = checkSendAt(deps, input.sendAt)
  const scheduleNew = async (tx: Tx, scheduled: Parameters<typeof scheduleMessage>[2]) => {
    const accepted = await scheduleMessage(tx, row, scheduled, caller.tenantId)
    if (accepted) await completeDraft(tx, caller, row.id, 'reply', input.draftRevision)
    return accepted
  }
  const accept = async (tx: Tx) =>
    (await findAccepted(tx, caller, draft)) ??
    (await scheduleNew(tx, { ...draft, sendAt, inboxId: input.inboxId ?? null })) ??
    (await findScheduledBefore(tx, caller, draft, row))
  return exclusiveWrite ? exclusiveWrite(accept) : transact(deps.db, accept)
}

/** Returns the scheduled message that has the clientMessageId. */
async function findScheduledBefore(
  tx: Tx,
  { tenantId, id }: Caller,
  { clientMessageId, fingerprint }: Draft,
  conversation: ConversationRow,
): Promise<AcceptedMessage> {
  const row = await findScheduledByClientId(tx, tenantId, id, clientMessageId!)
  if (row?.clientFingerprint !== fingerprint) fail(ClientMessageIdReused, 'use a new id for a new message')
  return { message: scheduledToApi(row!), conversation: conversationToApi(conversation) }
}

/** An agent who was assigned a conversation of another team writes in its open session, and opens none. */
async function acceptInSession(
  { deps, caller, exclusiveWrite }: SendContext,
  row: ConversationRow,
  draft: Draft,
): Promise<AcceptedMessage> {
  const accept = async (tx: Tx) => {
    const locked = await lockVisibleConversation(tx, caller, row.id)
    const accepted =
      locked?.sessionId === row.sessionId && (await acceptLocked(tx, caller.tenantId, locked, draft))
    return accepted || ((await findAccepted(tx, caller, draft)) ?? fail(RecipientNotFound))
  }
  return exclusiveWrite ? exclusiveWrite(accept) : transact(deps.db, accept)
}

/** Opens the conversation and accepts the message; for a clientMessageId that exists, returns the message that has it. */
async function openAndAccept(
  { deps, caller, exclusiveWrite }: SendContext,
  { id: inboxId, tenantId }: InboxRow,
  message: FirstMessage,
): Promise<AcceptedMessage> {
  const inbox = (await findInboxBatched(deps.db, { tenantId, inboxId })) ?? fail(InboxNotFound)
  const accept = async (tx: Tx) =>
    (await acceptMany(tx, inbox, [message]))[0] ?? (await findAccepted(tx, caller, message.draft))
  const accepted = exclusiveWrite
    ? await exclusiveWrite(accept)
    : ((await acceptFirst(deps, { ...message, inbox })) ??
      (await findAccepted(deps.db, caller, message.draft)))
  if (!accepted) throw new Error('a message was not accepted, and its clientMessageId does not exist')
  return accepted
}

async function findAccepted(
  on: Queryable,
  caller: Caller,
  draft: Draft,
): Promise<AcceptedMessage | undefined> {
  const { clientMessageId } = draft
  const row =
    clientMessageId && (await findMessageByClientId(on, caller.tenantId, caller.id, clientMessageId))
  if (!row) return undefined
  if (row.clientFingerprint !== draft.fingerprint)
    fail(ClientMessageIdReused, 'use a new id for a new message')
  const conversation = await findVisibleConversation(on, caller, row.conversationId)
  return {
    message: messageToApi(row),
    conversation: conversationToApi(conversation ?? fail(RecipientNotFound)),
  }
}

async function checkPolicy(
  deps: Deps,
  draft: Draft,
  inbox: InboxRow,
  conversation: SendAttempt['conversation'] & { id?: string },
): Promise<void> {
  const refusal = await checkSend(deps, inbox.tenantId, {
    conversation,
    contentType: draft.content.type,
    senderType: draft.sender.type,
    isCommentReply: isCommentReply(inbox.channel, draft.context),
  })
  if (refusal) fail({ ...SendRefused, code: refusal.code }, refusal.message)
  const delay = await getSendDelay(deps, { ...inbox, inboxId: inbox.id }, conversation.id)
  if (delay) {
    const nextAllowedAt = new Date(deps.clock.now().getTime() + delay.waitMs).toISOString()
    const headers = { 'retry-after': String(Math.ceil(delay.waitMs / 1000)) }
    fail({ ...SendRefused, code: delay.code }, delay.message, { headers, members: { nextAllowedAt } })
  }
  if (!canSend(inbox))
    fail({ ...SendRefused, code: 'inbox_inactive' }, 'the provider does not let this inbox send')
}
