/**
 * Accepting messages. The fast way: whatever arrives while a batch is under way goes out together with the next, as one
 * statement; nothing waits when nothing is under way. A message whose session ended or changed hands in between takes
 * the slow way, in a transaction of its own that holds the conversation.
 */
import { buildPreview, listMediaReferences, type SendableContent } from '../../inboxes/content.ts'
import { batched } from '../../platform/db/batched.ts'
import type { Tx } from '../../platform/db/db.ts'
import { transact, transactPipelined } from '../../platform/db/transact.ts'
import type { Deps } from '../../platform/deps.ts'
import { EventId, emitFromSelect } from '../../platform/events/event.ts'
import { enqueueMany } from '../../platform/jobs/enqueue.ts'
import { toAudience } from '../access.ts'
import { attachMedia } from '../media/attachments.ts'
import {
  type Conversation,
  type Message,
  MessageId,
  type SenderType,
  type StoredContext,
} from '../schemas.ts'
import { type ConversationRow, conversationToApi } from '../store/conversations.ts'
import { buildAcceptMessages, type NewMessage, toAssignmentKey } from '../store/messages.ts'
import { deliverMessage } from './deliver-message.ts'

export interface Draft {
  sender: { type: SenderType; id: string }
  content: SendableContent
  context: StoredContext[]
  clientMessageId?: string
  fingerprint?: string
  /** The trace of whoever asked, for one that goes out with others. */
  traceparent?: string | undefined
}

export interface AcceptedMessage {
  message: Message
  conversation: Conversation
}

interface PreparedMessage {
  row: NewMessage
  inboxId: string
  traceparent: string | undefined
  accepted: AcceptedMessage
}

function prepareMessage(
  now: string,
  tenantId: string,
  conversation: ConversationRow,
  draft: Draft,
): PreparedMessage {
  const id = MessageId.create()
  const preview = buildPreview(draft.content)
  const message: Message = {
    id,
    createdAt: now,
    updatedAt: now,
    tenantId,
    conversationId: conversation.id,
    senderType: draft.sender.type,
    senderId: draft.sender.id,
    content: draft.content,
    deliveryStatus: 'pending',
    ...(draft.clientMessageId ? { clientMessageId: draft.clientMessageId } : {}),
    ...(draft.context.length > 0 ? { context: draft.context } : {}),
  }
  const wire = {
    ...conversationToApi(conversation),
    lastMessageAt: now,
    lastMessagePreview: preview,
    lastMessageSender: draft.sender.type,
  }
  const audience = toAudience(conversation)
  const row: NewMessage = {
    id,
    tenantId,
    conversationId: conversation.id,
    sessionId: conversation.sessionId,
    direction: 'out',
    senderType: draft.sender.type,
    senderId: draft.sender.id,
    content: JSON.stringify(draft.content),
    context: draft.context.length > 0 ? JSON.stringify(draft.context) : null,
    status: 'pending',
    channelMessageId: null,
    clientMessageId: draft.clientMessageId ?? null,
    clientFingerprint: draft.fingerprint ?? null,
    preview,
    event: JSON.stringify({ message, conversation: wire }),
    audience: audience ? JSON.stringify(audience) : null,
    eventId: EventId.create(),
    whose: toAssignmentKey(conversation),
  }
  return {
    row,
    inboxId: conversation.inboxId,
    traceparent: draft.traceparent,
    accepted: { message, conversation: wire },
  }
}

/** Both statements leave together; a job for a message that was not inserted finds nothing to do. */
async function insertAndEnqueue(tx: Tx, prepared: readonly PreparedMessage[]): Promise<Set<string>> {
  const rows = prepared.map(one => one.row)
  const inserting = tx.rows<{ id: string }>(
    buildAcceptMessages(tx, rows, select => emitFromSelect(tx, select)),
  )
  const enqueuing = enqueueMany(
    tx,
    deliverMessage,
    prepared.map(({ row, inboxId, traceparent }) => ({
      tenantId: row.tenantId,
      orderingKey: row.conversationId,
      payload: { messageId: row.id, inboxId },
      traceparent,
    })),
  )
  const [inserted] = await Promise.all([inserting, enqueuing])
  return new Set(inserted.map(row => row.id))
}

/** In the caller's transaction, which holds the conversation. Undefined when the clientMessageId is there already. */
export async function acceptMessage(
  tx: Tx,
  tenantId: string,
  conversation: ConversationRow,
  draft: Draft,
): Promise<AcceptedMessage | undefined> {
  const prepared = prepareMessage(tx.now, tenantId, conversation, draft)
  if (!(await insertAndEnqueue(tx, [prepared])).has(prepared.row.id)) return undefined
  await attachMedia(tx, tenantId, [{ conversationId: conversation.id, content: draft.content }])
  return prepared.accepted
}

/** Many in the caller's transaction, which holds their conversations. Undefined where one is there already. */
export async function acceptMany(
  tx: Tx,
  tenantId: string,
  items: readonly { conversation: ConversationRow; draft: Draft }[],
): Promise<(AcceptedMessage | undefined)[]> {
  if (items.length === 0) return []
  const prepared = items.map(({ conversation, draft }) =>
    prepareMessage(tx.now, tenantId, conversation, draft),
  )
  const accepted = await insertAndEnqueue(tx, prepared)
  const carrying = items
    .filter((_, i) => accepted.has(prepared[i]!.row.id))
    .map(({ conversation, draft }) => ({ conversationId: conversation.id, content: draft.content }))
  await attachMedia(tx, tenantId, carrying)
  return prepared.map(({ row, accepted: answer }) => (accepted.has(row.id) ? answer : undefined))
}

interface AcceptRequest {
  tenantId: string
  conversation: ConversationRow
  draft: Draft
}

const acceptBatched = batched<AcceptRequest, AcceptedMessage | undefined>(
  { batchSize: 32, concurrency: 2 },
  (db, batch) =>
    transactPipelined(db, async tx => {
      const prepared = batch.map(one => prepareMessage(tx.now, one.tenantId, one.conversation, one.draft))
      const accepted = await insertAndEnqueue(tx, prepared)
      return prepared.map(({ row, accepted: answer }) => (accepted.has(row.id) ? answer : undefined))
    }),
)

/** Undefined when it was not accepted this way: the session is over or another's, or its clientMessageId is there. */
export function acceptReply(
  deps: Deps,
  tenantId: string,
  conversation: ConversationRow,
  draft: Draft,
): Promise<AcceptedMessage | undefined> {
  // Files want to be held as well, which is more than the one statement does.
  if (listMediaReferences(draft.content).length > 0)
    return transact(deps.db, tx => acceptMessage(tx, tenantId, conversation, draft))
  const traceparent = deps.tracing?.currentSpan()?.traceparent
  return acceptBatched(deps.db, {
    tenantId,
    conversation,
    draft: traceparent ? { ...draft, traceparent } : draft,
  })
}
