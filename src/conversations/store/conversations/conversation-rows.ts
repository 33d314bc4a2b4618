/** A conversation as it is read from the database, and as the API shows it. */
import { raw } from '../../../platform/db/sql.ts'
import { getWindowExpiry } from '../../outbound/window-lengths.ts'
import type { Conversation } from '../../schemas.ts'

/** The columns of which the API shows a conversation. */
export interface ListedRow extends Omit<Conversation, 'windowExpiresAt'> {
  lastCustomerAt: string | null
}

/** A conversation with the columns that are not part of the API. */
export interface ConversationRow extends ListedRow {
  ownerType: 'user' | 'team' | 'bot' | null
  ownerId: string | null
  sessionId: string
  /** The contact that owns the address; null when it released the address and nobody has written since. */
  addressOwnerId: string | null
  messageCount: number
  customerCount: number
  /** Rises with every change that is not a message. */
  revision: number
}

const apiColumns = `c.id, c.channel, c.external_id as "externalId", s.inbox_id as "inboxId", c.name,
  c.contact_id as "contactId", k.name as "contactName", k.avatar_url as "contactAvatarUrl", s.status,
  case when s.owner_type is not null then json_build_object('type', s.owner_type, 'id', s.owner_id) end as "activeOwner",
  s.last_message_at as "lastMessageAt", s.last_message_preview as "lastMessagePreview",
  s.last_message_sender as "lastMessageSender", s.team_id as "teamId", s.label_ids as "labelIds",
  (array['low', 'medium', 'high', 'urgent'])[s.priority] as priority, s.snoozed, s.snoozed_until as "snoozedUntil",
  s.waiting_since as "waitingSince", s.opened_at as "openedAt", s.closed_at as "closedAt",
  s.last_customer_at as "lastCustomerAt"`
export const listedColumns = raw(apiColumns)
export const conversationColumns = raw(`${apiColumns}, s.owner_type as "ownerType",
  s.owner_id as "ownerId", s.session_id as "sessionId", s.contact_id as "addressOwnerId", s.message_count as "messageCount",
  s.customer_count as "customerCount", s.revision`)

export const conversationTables = raw(`conversations c
  join conversation_states s on s.tenant_id = c.tenant_id and s.conversation_id = c.id
  left join contacts k on k.tenant_id = c.tenant_id and k.id = c.contact_id`)

/** A visitor of a website who did not give a name has no address that a person could recognise. */
function getName({ name, contactName, channel, externalId }: ListedRow): string {
  if (channel !== 'webchat' || contactName !== null) return name
  return externalId.startsWith('user:') ? externalId.slice('user:'.length) : `Visitor ${externalId.slice(-4)}`
}

export function conversationToApi(row: ListedRow): Conversation {
  const { id, channel, externalId, inboxId, contactId, contactName, contactAvatarUrl, status, activeOwner } =
    row
  const { lastMessageAt, lastMessagePreview, lastMessageSender } = row
  const { teamId, labelIds, priority, snoozed, snoozedUntil, waitingSince, openedAt, closedAt } = row
  return {
    id,
    channel,
    externalId,
    inboxId,
    name: getName(row),
    contactId,
    contactName,
    contactAvatarUrl,
    status,
    activeOwner,
    lastMessageAt,
    lastMessagePreview,
    lastMessageSender,
    teamId,
    labelIds,
    priority,
    snoozed,
    snoozedUntil,
    waitingSince,
    openedAt,
    closedAt,
    windowExpiresAt: getWindowExpiry(channel, row.lastCustomerAt),
  }
}
