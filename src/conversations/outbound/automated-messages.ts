/**
 * Sends messages of journeys and bots. A message is accepted in the transaction of the workflow step that sends it, so
 * both are committed or neither is.
 */
import { listIdentities } from '../../contacts/identities/identities.ts'
import { findContentViolation } from '../../inboxes/capabilities/content.ts'
import { renderCachedContent } from '../../inboxes/catalogue/render.ts'
import type { SendableContent } from '../../inboxes/content.ts'
import { findInbox, type InboxRow, listInboxes } from '../../inboxes/inboxes.ts'
import type { Channel } from '../../platform/config.ts'
import type { Tx } from '../../platform/db/db.ts'
import type { Deps } from '../../platform/deps.ts'
import { canOpen, canSee, type Viewer } from '../access.ts'
import { isCommentReply } from '../inbound/comments.ts'
import { openConversation } from '../opening/open-conversations.ts'
import type { StoredContext } from '../schemas.ts'
import type { ConversationRow } from '../store/conversations/conversation-rows.ts'
import {
  findConversation,
  findLatestConversation,
  lockConversation,
} from '../store/conversations/conversations.ts'
import { countAutomated } from '../store/messages/messages.ts'
import { acceptLocked } from './accept-message.ts'
import { checkSend, type Refusal, type SendAttempt } from './send-policy.ts'

export interface AutomatedMessage {
  sender: { type: 'journey' | 'bot'; id: string }
  contactId: string
  /** Null: the contact's latest conversation, or a new one. */
  conversationId: string | null
  inboxId?: string
  /** Set if only what this agent can see may be reached. */
  viewer?: Viewer
  /** Builds content that the channel supports. */
  content: (channel: Channel) => SendableContent
  context?: StoredContext[]
}

export type AutomatedResult = { messageId: string; conversationId: string } | { refused: Refusal }

interface AutomatedTarget {
  /** Undefined when a new conversation must be opened. */
  conversation: ConversationRow | undefined
  inbox: InboxRow
  address: string
}

/** Sends within the caller's transaction. A refused message leaves nothing behind. */
export async function sendAutomated(
  deps: Deps,
  tx: Tx,
  tenantId: string,
  message: AutomatedMessage,
): Promise<AutomatedResult> {
  const target = await resolveTarget(tx, tenantId, message)
  if ('code' in target) return { refused: target }
  const content = message.content(target.inbox.channel)
  const refused =
    checkVisibility(message, target) ??
    checkOwner(message, target.conversation) ??
    checkChannelContent(target.inbox, content) ??
    (await checkSend(deps, tenantId, buildSendAttempt(message, target, content.type), tx))
  if (refused) return { refused }
  const row = await openTarget(tx, tenantId, target)
  // Checked again under the lock: a user may have taken over in between, or the team may have changed.
  const ownerChanged = checkVisibility(message, { ...target, conversation: row }) ?? checkOwner(message, row)
  if (ownerChanged) return { refused: ownerChanged }
  const tooMany = await checkAutomationLimit(deps, tx, tenantId, message.contactId)
  if (tooMany) return { refused: tooMany }
  const { sender, context = [] } = message
  const draft = { sender, content: renderCachedContent(deps, target.inbox, content), context }
  const accepted = await acceptLocked(tx, tenantId, row, draft)
  if (!accepted) throw new Error('a message was not accepted in a conversation that is locked')
  return { messageId: accepted.message.id, conversationId: row.id }
}

const minute = 60_000

/**
 * Stops an automation that answers its own replies, for example those of another bot. Conversations of the contact are
 * counted together; those that other transactions write to meanwhile can exceed the limit by their message in flight.
 */
async function checkAutomationLimit(
  { config, log }: Deps,
  tx: Tx,
  tenantId: string,
  contactId: string,
): Promise<Refusal | undefined> {
  const max = config.automatedMessagesPerMinute
  const since = new Date(Date.parse(tx.now) - minute).toISOString()
  // Up to as many messages of the customer are between them.
  if ((await countAutomated(tx, tenantId, contactId, { since, limit: 3 * max })) < max) return undefined
  log.warn({ tenantId, contactId, max }, 'automated message refused: too many in a minute')
  const message = `the contact has had ${max} automated messages within a minute; check the workflow for a loop`
  return { code: 'automation_limit', message }
}

function buildSendAttempt(
  { contactId, sender, context = [] }: AutomatedMessage,
  { conversation, inbox: { channel } }: AutomatedTarget,
  contentType: string,
): SendAttempt {
  return {
    conversation: conversation ?? { channel, contactId, lastCustomerAt: null },
    contentType,
    senderType: sender.type,
    isCommentReply: isCommentReply(channel, context),
  }
}

export const notVisible = 'not_visible'

/** Applies the rule of agents: they write in sessions that they see, and open sessions on inboxes of their teams or of none. */
function checkVisibility(
  { viewer }: AutomatedMessage,
  { conversation, inbox }: AutomatedTarget,
): Refusal | undefined {
  if (!viewer) return undefined
  const isOpen = conversation?.status === 'open' && conversation.inboxId === inbox.id
  const isVisible = (!conversation || canSee(viewer, conversation)) && (isOpen || canOpen(viewer, inbox))
  return isVisible ? undefined : { code: notVisible, message: 'the conversation is not visible' }
}

/** A bot sends only in sessions that it owns. */
function checkOwner({ sender }: AutomatedMessage, row: ConversationRow | undefined): Refusal | undefined {
  if (sender.type !== 'bot') return undefined
  // A user who has just written takes over, even before the owner is updated.
  const isOwnedByUser = row?.ownerType === 'user' || row?.lastMessageSender === 'user'
  if (!isOwnedByUser && row?.ownerType === 'bot' && row.ownerId === sender.id) return undefined
  return isOwnedByUser
    ? { code: 'owned_by_user', message: 'a user has taken over the conversation' }
    : { code: 'not_owner', message: 'the bot no longer owns the conversation' }
}

function checkChannelContent(inbox: InboxRow, content: SendableContent): Refusal | undefined {
  const unsupported = findContentViolation(inbox.channel, content)
  return unsupported && { code: unsupported.code, message: `${unsupported.field}: ${unsupported.message}` }
}

async function openTarget(
  tx: Tx,
  tenantId: string,
  { conversation, inbox, address }: AutomatedTarget,
): Promise<ConversationRow> {
  const row = conversation && (await lockConversation(tx, tenantId, conversation.id))
  if (row?.status === 'open' && row.inboxId === inbox.id && row.addressOwnerId !== null) return row
  return openConversation(tx, tenantId, { externalId: address }, inbox)
}

async function resolveTarget(
  tx: Tx,
  tenantId: string,
  message: AutomatedMessage,
): Promise<AutomatedTarget | Refusal> {
  const requested = message.inboxId === undefined ? undefined : await findInbox(tx, tenantId, message.inboxId)
  if (message.inboxId !== undefined && !requested) return inboxDeleted
  const conversation = await findTargetConversation(tx, tenantId, message, requested?.channel)
  if (!conversation) return resolveNewTarget(tx, tenantId, message.contactId, requested)
  const inbox = requested ?? (await findInbox(tx, tenantId, conversation.inboxId))
  return inbox ? { conversation, inbox, address: conversation.externalId } : inboxDeleted
}

const inboxDeleted: Refusal = { code: 'inbox_not_found', message: 'the inbox was deleted' }

async function findTargetConversation(
  tx: Tx,
  tenantId: string,
  { conversationId, contactId }: AutomatedMessage,
  channel: Channel | undefined,
): Promise<ConversationRow | undefined> {
  const named = conversationId && (await findConversation(tx, tenantId, conversationId))
  if (named && isOwn(named) && (channel === undefined || named.channel === channel)) return named
  const latest = await findLatestConversation(tx, tenantId, contactId, channel)
  return latest && isOwn(latest) ? latest : undefined

  /** Its address still belongs to the contact: a number that moved must not get the messages of its former owner. */
  function isOwn(row: ConversationRow): boolean {
    return row.addressOwnerId === contactId
  }
}

/** For a contact without a conversation: uses the requested inbox, else the first inbox that can reach the contact. */
async function resolveNewTarget(
  tx: Tx,
  tenantId: string,
  contactId: string,
  requested: InboxRow | undefined,
): Promise<AutomatedTarget | Refusal> {
  const identities = await listIdentities(tx, tenantId, contactId)
  const phone = identities.find(identity => identity.phone)?.phone
  const addressOn = (channel: Channel) =>
    identities.find(identity => identity.channel === channel)?.externalId ??
    (channel === 'socialapp' || channel === 'webchat' ? undefined : (phone ?? undefined))
  const inboxes = requested ? [requested] : (await listInboxes(tx, tenantId)).reverse()
  for (const inbox of inboxes) {
    const address = addressOn(inbox.channel)
    if (address !== undefined) return { conversation: undefined, inbox, address }
  }
  if (inboxes.length === 0) return { code: 'no_inbox', message: 'the workspace has no inbox' }
  return { code: 'no_identity', message: 'the contact has no address on this channel' }
}
