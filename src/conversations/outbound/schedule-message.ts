/**
 * Schedules messages. A scheduled message is not part of the conversation yet: it is accepted when it is due, like a
 * message that is sent then, so that order, session and send policy are those of that time. Acceptance, removal from the
 * schedule and the end of the job are one commit: a process that dies leaves the message either scheduled or accepted.
 */
import { findUser } from '../../identity/users/users.ts'
import { findInbox } from '../../inboxes/inboxes.ts'
import type { Queryable, Tx } from '../../platform/db/db.ts'
import { transact } from '../../platform/db/transact.ts'
import type { Deps } from '../../platform/deps.ts'
import { fail, invalid, violation } from '../../platform/errors.ts'
import { emit } from '../../platform/events/event.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { type Page, withNextPage } from '../../platform/http/page.ts'
import { parseTimestamp } from '../../platform/http/schemas.ts'
import { enqueue } from '../../platform/jobs/enqueue.ts'
import { job, RetryLater, type Work } from '../../platform/jobs/job.ts'
import { canOpen, canSee, toAudience } from '../access.ts'
import { getConversation } from '../conversations.ts'
import { MessageNotFound } from '../errors.ts'
import { messageScheduled, messageUnscheduled } from '../events.ts'
import { attachMedia } from '../media/attachments.ts'
import type { AcceptedMessage } from '../messages/message-row.ts'
import { type Message, MessageId } from '../schemas.ts'
import { type ConversationRow, conversationToApi } from '../store/conversations/conversation-rows.ts'
import { findConversation, findVisibleConversation } from '../store/conversations/conversations.ts'
import { findMessageByClientId, messageToApi } from '../store/messages/messages.ts'
import {
  deleteScheduled,
  findScheduled,
  insertScheduled,
  listScheduled,
  lockScheduled,
  type ScheduledRow,
  updateScheduledError,
  updateSendAt,
} from '../store/messages/scheduled-messages.ts'
import { acceptLocked, acceptMany, type Draft } from './accept-message.ts'
import type { Refusal } from './send-policy.ts'

const maxAheadMs = 366 * 24 * 3_600_000
const retryMs = 200

/** The job of an earlier time finds another `sendAt` and does nothing. */
export const sendScheduled = job<{ messageId: string; sendAt: string }>({
  name: 'conversations.send_scheduled',
  priority: 'urgent',
  retry: { maxAttempts: 1_000, initialDelayMs: 1_000, maxDelayMs: 60_000 },
  handle: (deps, payload, work) => transact(deps.db, tx => acceptDue(tx, payload, work)),
})

/** The clocks of clients differ from ours, and requests take time: such a `sendAt` means now. */
const maxLateMs = 60_000

/** Returns the time in the one spelling that is stored. */
export function checkSendAt({ clock }: Pick<Deps, 'clock'>, text: string): string {
  const at = parseTimestamp(text)
  const now = clock.now()
  const aheadMs = at.getTime() - now.getTime()
  if (aheadMs < -maxLateMs)
    invalid(violation('sendAt', 'in_the_past', 'must not be more than one minute in the past'))
  if (aheadMs <= 0) return now.toISOString()
  if (aheadMs > maxAheadMs) invalid(violation('sendAt', 'too_far_ahead', 'must be within a year'))
  return at.toISOString()
}

/** Undefined when the clientMessageId exists. */
export async function scheduleMessage(
  tx: Tx,
  conversation: ConversationRow,
  draft: Draft & { inboxId: string | null; sendAt: string },
  tenantId: string,
): Promise<AcceptedMessage | undefined> {
  const { sender, content, context, clientMessageId, fingerprint, inboxId, sendAt } = draft
  const id = MessageId.create()
  const isNew = await insertScheduled(tx, tenantId, {
    id,
    conversationId: conversation.id,
    sessionId: conversation.sessionId,
    inboxId,
    senderType: sender.type,
    senderId: sender.id,
    content,
    context,
    clientMessageId: clientMessageId ?? null,
    clientFingerprint: fingerprint ?? null,
    sendAt,
  })
  if (!isNew) return undefined
  await attachMedia(tx, tenantId, [{ conversationId: conversation.id, content }])
  await enqueueDue(tx, tenantId, id, sendAt)
  return emitScheduled(tx, (await findScheduled(tx, tenantId, id))!, conversation)
}

function enqueueDue(tx: Tx, tenantId: string, messageId: string, sendAt: string): Promise<void> {
  return enqueue(tx, sendScheduled, { tenantId, payload: { messageId, sendAt }, runAt: sendAt })
}

export async function listScheduledMessages(
  on: Queryable,
  caller: Caller,
  conversationId: string,
  page: Page,
): Promise<{ messages: Message[]; nextPageToken: string | null }> {
  const { id } = await getConversation(on, caller, conversationId)
  const found = await listScheduled(on, caller, { conversationId: id, limit: page.limit, after: page.after })
  const { rows, next } = page.toPage(found, row => [row.sendAt, row.id])
  return { messages: rows.map(scheduledToApi), ...withNextPage(next) }
}

/** Locks a scheduled message that the caller may see; undefined when none has the id. */
export async function lockVisibleScheduled(
  tx: Tx,
  caller: Caller,
  id: string,
): Promise<{ row: ScheduledRow; conversation: ConversationRow } | undefined> {
  const row = await lockScheduled(tx, caller.tenantId, id)
  if (!row) return undefined
  const conversation = await findVisibleConversation(tx, caller, row.conversationId)
  return { row, conversation: conversation ?? fail(MessageNotFound) }
}

export async function reschedule(
  tx: Tx,
  { row, conversation }: { row: ScheduledRow; conversation: ConversationRow },
  sendAt: string,
): Promise<AcceptedMessage> {
  const { tenantId, id } = row
  await updateSendAt(tx, tenantId, id, sendAt)
  await enqueueDue(tx, tenantId, id, sendAt)
  return emitScheduled(tx, (await findScheduled(tx, tenantId, id))!, conversation)
}

export async function unschedule(
  tx: Tx,
  { row, conversation }: { row: ScheduledRow; conversation: ConversationRow },
): Promise<void> {
  const { tenantId, id } = row
  await deleteScheduled(tx, tenantId, id)
  await emit(tx, messageUnscheduled, {
    tenantId,
    data: { message: { id, conversationId: conversation.id }, conversation: conversationToApi(conversation) },
    ...toAddressees(conversation),
  })
}

async function acceptDue(tx: Tx, payload: { messageId: string; sendAt: string }, work: Work): Promise<void> {
  const { tenantId } = work
  const row = await lockScheduled(tx, tenantId, payload.messageId)
  if (row && row.error === null && row.sendAt === payload.sendAt) {
    const refusal = await acceptScheduled(tx, row)
    if (refusal) await failScheduled(tx, row, refusal)
    else await deleteScheduled(tx, tenantId, row.id)
  }
  await work.finish(tx)
}

/** Returns why the message cannot be accepted. Delivery then checks it against the send policy, like every message. */
async function acceptScheduled(tx: Tx, row: ScheduledRow): Promise<Refusal | undefined> {
  const { tenantId, senderType, senderId, clientMessageId, clientFingerprint } = row
  const conversation = await findConversation(tx, tenantId, row.conversationId)
  if (!conversation) return { code: 'conversation_deleted', message: 'the conversation was deleted' }
  const inbox = await findInbox(tx, tenantId, row.inboxId ?? conversation.inboxId)
  if (!inbox) return { code: 'inbox_deleted', message: 'the inbox was deleted' }
  const isOpen =
    conversation.status === 'open' &&
    conversation.inboxId === inbox.id &&
    conversation.addressOwnerId !== null
  const refusal =
    senderType === 'user' ? await checkSender(tx, row, conversation, isOpen ? null : inbox) : undefined
  if (refusal) return refusal
  const draft: Draft = {
    id: row.id,
    sender: { type: senderType, id: senderId },
    content: row.content,
    context: row.context,
    ...(clientMessageId ? { clientMessageId } : {}),
    ...(clientFingerprint ? { fingerprint: clientFingerprint } : {}),
  }
  const accepted = isOpen
    ? await acceptLocked(tx, tenantId, conversation, draft)
    : (await acceptMany(tx, inbox, [{ counterpart: { externalId: conversation.externalId }, draft }]))[0]
  if (accepted) return undefined
  const isReused = clientMessageId && (await findMessageByClientId(tx, tenantId, senderId, clientMessageId))
  if (!isReused) throw new RetryLater(retryMs, 'the session or its assignment changed')
  return { code: 'message_client_id_reused', message: 'another message has the clientMessageId' }
}

/** The sender must still be allowed to write in the conversation. */
async function checkSender(
  tx: Tx,
  { tenantId, senderId }: ScheduledRow,
  conversation: ConversationRow,
  opened: { teamId: string | null } | null,
): Promise<Refusal | undefined> {
  const user = await findUser(tx, tenantId, senderId)
  if (!user || user.disabled) return { code: 'sender_disabled', message: 'the sender was disabled' }
  const viewer = { ...user, tenantId }
  if (canSee(viewer, conversation) && (!opened || canOpen(viewer, opened))) return undefined
  return { code: 'not_visible', message: 'the sender can no longer see the conversation' }
}

async function failScheduled(tx: Tx, row: ScheduledRow, { code, message }: Refusal): Promise<void> {
  await updateScheduledError(tx, row.tenantId, row.id, { code, message, retryable: false })
  const conversation = await findConversation(tx, row.tenantId, row.conversationId)
  const failed = await findScheduled(tx, row.tenantId, row.id)
  if (conversation && failed) await emitScheduled(tx, failed, conversation)
}

async function emitScheduled(
  tx: Tx,
  row: ScheduledRow,
  conversation: ConversationRow,
): Promise<AcceptedMessage> {
  const data = { message: scheduledToApi(row), conversation: conversationToApi(conversation) }
  await emit(tx, messageScheduled, { tenantId: row.tenantId, data, ...toAddressees(conversation) })
  return data
}

export function scheduledToApi(row: ScheduledRow): Message {
  const status = row.error ? 'failed' : 'pending'
  const context = row.context.length > 0 ? row.context : null
  return { ...messageToApi({ ...row, status, context, channelMessageId: null }), sendAt: row.sendAt }
}

function toAddressees(conversation: ConversationRow): { audience?: object } {
  const audience = toAudience(conversation)
  return audience ? { audience } : {}
}
