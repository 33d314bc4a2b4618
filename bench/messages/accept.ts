/** The one statement that accepts a batch of messages, with their events and jobs. */
import { MessageId } from '../../src/conversations/schemas.ts'
import {
  buildAcceptMessages,
  toAssignmentKey,
} from '../../src/conversations/store/messages/insert-messages.ts'
import { Sql, sql } from '../../src/platform/db/sql.ts'
import { EventId } from '../../src/platform/events/event.ts'
import { insertOutboxFromSelect } from '../../src/platform/events/store/outbox.ts'
import { insertJobsFromSelect } from '../../src/platform/jobs/store/insert.ts'
import { type Accounts, toContactId, toConversationId, toSessionId } from './accounts.ts'

type Message = Parameters<typeof buildAcceptMessages>[1][number]

type Assignment = Parameters<typeof toAssignmentKey>[0]
const unassigned: Assignment = { teamId: null, ownerType: null, ownerId: null, revision: 0, customerCount: 0 }

/** A reply of the owner in conversation number `i`, with the assignment that the conversation has. */
export function toReply(
  { tenantId, ownerId }: Pick<Accounts, 'tenantId' | 'ownerId'>,
  i: number,
  assignment: Assignment = unassigned,
): Message {
  const id = MessageId.create()
  const content = JSON.stringify({ type: 'text', text: { body: 'A message of ordinary length' } })
  return {
    id,
    tenantId,
    conversationId: toConversationId(i),
    sessionId: toSessionId(i),
    contactId: toContactId(i),
    direction: 'out',
    senderType: 'user',
    senderId: ownerId,
    content,
    context: null,
    status: 'pending',
    channelMessageId: null,
    clientMessageId: null,
    clientFingerprint: null,
    preview: 'A message of ordinary length',
    event: JSON.stringify({ message: { id, content }, conversation: { id: toConversationId(i) } }),
    audience: null,
    eventId: EventId.create(),
    assignmentKey: toAssignmentKey(assignment),
  } as Message
}

export function accepting(batch: readonly Message[]): Sql {
  const accept = buildAcceptMessages({ now: new Date().toISOString(), causationDepth: 0 }, batch, select =>
    insertOutboxFromSelect(sql`select emitted.*, true from (${select}) emitted`),
  )
  const end = accept.strings.at(-1)!.replace(/\s*select id from inserted\s*$/, '')
  const opening = new Sql([...accept.strings.slice(0, -1), end], accept.values)
  return sql`${opening}, ${insertJobsFromSelect(sql`
    select 'conversations.deliver_message'::text as name, tenant_id, conversation_id as ordering_key, true as ordered, false as background, 'ready'::text as state,
      json_build_object('messageId', id) as payload, 1 as ord, clock_timestamp() as at from inserted`)}
    select id from inserted`
}
