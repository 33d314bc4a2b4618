/**
 * Accepts messages: stores each with its `message.created` event and its delivery job in one commit. Concurrent calls
 * are coalesced into batches of one statement. There is one entry for each case: `acceptReply` for an open session,
 * `acceptFirst` for a message that opens its conversation, `acceptMany` for many of these in the caller's transaction,
 * `acceptLocked` for a conversation that the caller's transaction has locked.
 */
import { type Content, listMediaReferences } from '../../inboxes/content.ts'
import type { InboxRow } from '../../inboxes/inboxes.ts'
import { count } from '../../platform/counters.ts'
import { batched } from '../../platform/db/batched.ts'
import type { Db, Tx } from '../../platform/db/db.ts'
import { transact, transactPipelined } from '../../platform/db/transact.ts'
import type { Deps } from '../../platform/deps.ts'
import { emitFromSelect } from '../../platform/events/event.ts'
import { enqueueMany } from '../../platform/jobs/enqueue.ts'
import { completeDrafts } from '../drafts/drafts.ts'
import { messageCreated } from '../events.ts'
import { attachMedia } from '../media/attachments.ts'
import type { Counterpart } from '../merging/merge-conversations.ts'
import { type AcceptedMessage, buildMessage } from '../messages/message-row.ts'
import { openConversations } from '../opening/open-conversations.ts'
import type { SenderType, StoredContext } from '../schemas.ts'
import type { ConversationRow } from '../store/conversations/conversation-rows.ts'
import { buildAcceptMessages } from '../store/messages/insert-messages.ts'
import { deliverMessage } from './deliver-message.ts'

export type { AcceptedMessage } from '../messages/message-row.ts'

export interface Draft {
  /** The id of a message that was scheduled; otherwise a new one. */
  id?: string
  sender: { type: SenderType; id: string }
  content: Content
  context: StoredContext[]
  clientMessageId?: string
  fingerprint?: string
  /** Deletes the sender's stored draft in the conversation, unless it is newer than the revision; null: any. */
  completesDraft?: { maxRevision: number | null }
  /** The message may go into a session that is closed, which stays closed. */
  intoClosed?: boolean
  /** Trace of the request, for messages that are accepted in a batch. */
  traceparent?: string | undefined
}

/** A message that opens its conversation: the first to a customer, or the first after the session ended. */
export interface FirstMessage {
  counterpart: Counterpart
  draft: Draft
}

interface Reply {
  conversation: ConversationRow
  draft: Draft
}

/**
 * Inserts messages and enqueues their delivery; both statements leave together. Returns undefined for a message that was
 * not inserted: its session ended, its assignment changed, or its clientMessageId exists. The job then finds no message.
 */
async function insertAndEnqueue(
  tx: Tx,
  replies: readonly (Reply & { tenantId: string })[],
): Promise<(AcceptedMessage | undefined)[]> {
  const built = replies.map(({ tenantId, conversation, draft }) =>
    buildMessage({ now: tx.now, tenantId }, conversation, { ...draft, direction: 'out', status: 'pending' }),
  )
  const inserting = tx.rows<{ id: string }>(
    buildAcceptMessages(
      tx,
      built.map(message => message.row),
      select => emitFromSelect(tx, messageCreated, select),
    ),
  )
  const enqueuing = enqueueMany(
    tx,
    deliverMessage,
    built.map(({ row }, i) => ({
      tenantId: row.tenantId,
      orderingKey: row.conversationId,
      payload: { messageId: row.id, inboxId: replies[i]!.conversation.inboxId },
      background: row.senderType === 'campaign',
      traceparent: replies[i]!.draft.traceparent,
    })),
  )
  const completing = completeDrafts(
    tx,
    built.flatMap(({ row: { tenantId, id: messageId, senderId: userId, conversationId } }, i) => {
      const { completesDraft } = replies[i]!.draft
      return completesDraft ? [{ tenantId, messageId, userId, conversationId, ...completesDraft }] : []
    }),
  )
  const [rows] = await Promise.all([inserting, enqueuing, completing])
  const inserted = new Set(rows.map(row => row.id))
  for (const [i, { row }] of built.entries())
    if (inserted.has(row.id))
      count(tx, 'parley_messages_total', { channel: replies[i]!.conversation.channel, status: 'pending' })
  return built.map(({ row, accepted }) => (inserted.has(row.id) ? accepted : undefined))
}

async function acceptInConversations(
  tx: Tx,
  tenantId: string,
  replies: readonly Reply[],
): Promise<(AcceptedMessage | undefined)[]> {
  if (replies.length === 0) return []
  const accepted = await insertAndEnqueue(
    tx,
    replies.map(reply => ({ ...reply, tenantId })),
  )
  const attachments = replies
    .filter((_, i) => accepted[i])
    .map(({ conversation, draft }) => ({ conversationId: conversation.id, content: draft.content }))
  await attachMedia(tx, tenantId, attachments)
  return accepted
}

/** Accepts a message in a conversation that the transaction has locked. Undefined when the clientMessageId exists. */
export async function acceptLocked(
  tx: Tx,
  tenantId: string,
  conversation: ConversationRow,
  draft: Draft,
): Promise<AcceptedMessage | undefined> {
  const [accepted] = await acceptInConversations(tx, tenantId, [{ conversation, draft }])
  return accepted
}

/** Opens the conversations and accepts the messages, in the caller's transaction. Undefined where a clientMessageId exists. */
export async function acceptMany(
  tx: Tx,
  inbox: InboxRow,
  messages: readonly FirstMessage[],
): Promise<(AcceptedMessage | undefined)[]> {
  const counterparts = messages.map(message => message.counterpart)
  const conversations = await openConversations(tx, inbox.tenantId, counterparts, inbox)
  const replies = messages.map(({ counterpart, draft }) => ({
    conversation: conversations.get(counterpart.externalId)!,
    draft,
  }))
  return acceptInConversations(tx, inbox.tenantId, replies)
}

const acceptRepliesBatched = batched<Reply & { tenantId: string }, AcceptedMessage | undefined>(
  { batchSize: 32, concurrency: 2, ownerOf: ({ tenantId }) => tenantId },
  (db, batch) => transactPipelined(db, tx => insertAndEnqueue(tx, batch)),
)

/**
 * Accepts a message in an open session. Undefined when the session ended or its assignment changed since the
 * conversation was read, or when the clientMessageId exists.
 */
export function acceptReply(
  deps: Deps,
  tenantId: string,
  conversation: ConversationRow,
  draft: Draft,
): Promise<AcceptedMessage | undefined> {
  // Attached files are locked too, which the batched statement does not do.
  if (listMediaReferences(draft.content).length > 0)
    return transact(deps.db, tx => acceptLocked(tx, tenantId, conversation, draft))
  const traceparent = deps.tracing?.currentSpan()?.traceparent
  return acceptRepliesBatched(deps.db, {
    tenantId,
    conversation,
    draft: traceparent ? { ...draft, traceparent } : draft,
  })
}

type FirstMessageOnInbox = FirstMessage & { inbox: InboxRow }

/** Accepts a message that opens its conversation. Undefined when the clientMessageId exists. */
export function acceptFirst(
  { db, tracing }: { db: Db; tracing?: Deps['tracing'] },
  message: FirstMessageOnInbox,
): Promise<AcceptedMessage | undefined> {
  const traceparent = tracing?.currentSpan()?.traceparent
  return acceptFirstBatched(db, { ...message, draft: { ...message.draft, traceparent } })
}

/**
 * One inbox per transaction: it locks its customers in one order. With several inboxes, two batches to the same customers
 * would lock them in different orders and deadlock.
 */
const acceptFirstBatched = batched<FirstMessageOnInbox, AcceptedMessage | undefined>(
  { batchSize: 32, concurrency: 2, keyOf: ({ inbox }) => inbox.id, ownerOf: ({ inbox }) => inbox.tenantId },
  (db, batch) => transact(db, tx => acceptMany(tx, batch[0]!.inbox, batch)),
)
