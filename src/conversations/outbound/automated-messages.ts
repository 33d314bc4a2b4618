/**
 * What journeys and bots say: accepted in the transaction of the step that says it, so that the step and its message
 * happen together or not at all. What the gate knows will fail is refused and leaves nothing behind.
 */
import { listIdentities } from '../../contacts/identities.ts'
import { findContentViolation } from '../../inboxes/capabilities/content.ts'
import type { SendableContent } from '../../inboxes/content.ts'
import { findInbox, type InboxRow, listInboxes } from '../../inboxes/inboxes.ts'
import type { Channel } from '../../platform/channels.ts'
import type { Tx } from '../../platform/db/db.ts'
import { raw } from '../../platform/db/sql.ts'
import type { Deps } from '../../platform/deps.ts'
import { isCommentReply } from '../inbound/comments.ts'
import { openConversation } from '../open-conversations.ts'
import type { StoredContext } from '../schemas.ts'
import {
  type ConversationRow,
  findConversation,
  findLatestConversation,
  lockConversation,
} from '../store/conversations.ts'
import { acceptMessage } from './accept-message.ts'
import { checkSend, type Refusal } from './send-policy.ts'

export interface AutomatedMessage {
  sender: { type: 'journey' | 'bot'; id: string }
  contactId: string
  /** Where it is to be said; else in the contact's latest conversation, or in a new one. */
  conversationId: string | null
  inboxId?: string
  /** As the channel can carry it. */
  content: (channel: Channel) => SendableContent
  context?: StoredContext[]
}

export type AutomatedResult = { messageId: string; conversationId: string } | { refused: Refusal }

interface AutomatedTarget {
  /** Undefined: there is none yet. */
  conversation: ConversationRow | undefined
  inbox: InboxRow
  address: string
}

const everybody = raw('true')

export async function sendAutomated(
  deps: Deps,
  tx: Tx,
  tenantId: string,
  message: AutomatedMessage,
): Promise<AutomatedResult> {
  const target = await resolveTarget(tx, tenantId, message)
  if ('code' in target) return { refused: target }
  const { inbox, address } = target
  const content = message.content(inbox.channel)
  const refused =
    checkOwner(message, target.conversation) ??
    checkChannelContent(inbox, content) ??
    (await checkSend(deps, buildSendAttempt(tenantId, message, target, content), tx))
  if (refused) return { refused }
  const row = await openTarget(tx, tenantId, target, address)
  // Looked at again under its lock: a person may just have taken it.
  const late = checkOwner(message, row)
  if (late) return { refused: late }
  const context = message.context ?? []
  const accepted = await acceptMessage(tx, tenantId, row, { sender: message.sender, content, context })
  if (!accepted) throw new Error('a message was not accepted into the conversation it holds')
  return { messageId: accepted.message.id, conversationId: row.id }
}

function buildSendAttempt(
  tenantId: string,
  message: AutomatedMessage,
  target: AutomatedTarget,
  content: SendableContent,
) {
  const { conversation, inbox } = target
  const { contactId, sender } = message
  return {
    tenantId,
    inbox,
    conversation: conversation ?? { channel: inbox.channel, contactId, lastCustomerAt: null },
    contentType: content.type,
    senderType: sender.type,
    toComment: isCommentReply(inbox.channel, message.context ?? null),
  }
}

/** A bot speaks only in a session that is its own. */
function checkOwner({ sender }: AutomatedMessage, row: ConversationRow | undefined): Refusal | undefined {
  if (sender.type !== 'bot') return undefined
  // Who has just written has it, even before it is said so.
  const isPersons = row?.ownerType === 'user' || row?.lastMessageSender === 'user'
  if (!isPersons && row?.ownerType === 'bot' && row.ownerId === sender.id) return undefined
  return isPersons
    ? { code: 'owned_by_user', message: 'a person has taken the conversation' }
    : { code: 'not_owner', message: 'the conversation is not with this bot any more' }
}

function checkChannelContent(inbox: InboxRow, content: SendableContent): Refusal | undefined {
  const fault = findContentViolation(inbox.channel, content)
  return fault && { code: 'content_unsupported', message: `${fault.field}: ${fault.message}` }
}

async function openTarget(
  tx: Tx,
  tenantId: string,
  target: AutomatedTarget,
  address: string,
): Promise<ConversationRow> {
  const { conversation, inbox } = target
  const row = conversation && (await lockConversation(tx, tenantId, conversation.id, everybody))
  if (row?.status === 'open' && row.inboxId === inbox.id) return row
  return openConversation(tx, tenantId, { externalId: address }, inbox)
}

async function resolveTarget(
  tx: Tx,
  tenantId: string,
  message: AutomatedMessage,
): Promise<AutomatedTarget | Refusal> {
  const asked = message.inboxId === undefined ? undefined : await findInbox(tx, tenantId, message.inboxId)
  if (message.inboxId !== undefined && !asked) return inboxDeleted
  const conversation = await findTargetConversation(tx, tenantId, message, asked?.channel)
  if (!conversation) return resolveNewTarget(tx, tenantId, message.contactId, asked)
  const inbox = asked ?? (await findInbox(tx, tenantId, conversation.inboxId))
  return inbox ? { conversation, inbox, address: conversation.externalId } : inboxDeleted
}

const inboxDeleted: Refusal = { code: 'inbox_not_found', message: 'the inbox was deleted' }

async function findTargetConversation(
  tx: Tx,
  tenantId: string,
  { conversationId, contactId }: AutomatedMessage,
  channel: Channel | undefined,
): Promise<ConversationRow | undefined> {
  const named = conversationId && (await findConversation(tx, tenantId, conversationId, everybody))
  if (named && (channel === undefined || named.channel === channel)) return named
  return findLatestConversation(tx, tenantId, contactId, channel)
}

/** Somebody we have not written with yet: on the inbox asked for, else on the first that can reach them. */
async function resolveNewTarget(
  tx: Tx,
  tenantId: string,
  contactId: string,
  asked: InboxRow | undefined,
): Promise<AutomatedTarget | Refusal> {
  const identities = await listIdentities(tx, tenantId, contactId)
  const phone = identities.find(one => one.phone)?.phone
  const addressOn = (channel: Channel) =>
    identities.find(one => one.channel === channel)?.externalId ??
    (channel === 'socialapp' ? undefined : (phone ?? undefined))
  const inboxes = asked ? [asked] : (await listInboxes(tx, tenantId)).reverse()
  for (const inbox of inboxes) {
    const address = addressOn(inbox.channel)
    if (address !== undefined) return { conversation: undefined, inbox, address }
  }
  if (inboxes.length === 0) return { code: 'no_inbox', message: 'the workspace has no inbox' }
  return { code: 'no_identity', message: 'the contact has no address on this channel' }
}
