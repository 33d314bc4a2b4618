/**
 * Accepting messages. The fast way: whatever arrives while a batch is under way goes out together with the next, as one
 * statement; nothing waits when nothing is under way. A message whose session ended or changed hands in between takes
 * the slow way, in a transaction of its own that holds the conversation.
 */
import { mediaIn, previewOf, type SendableContent } from '../inboxes/content.ts'
import { batching } from '../platform/db/batching.ts'
import type { Tx } from '../platform/db/db.ts'
import { transact, transactAtOnce } from '../platform/db/transact.ts'
import type { Deps } from '../platform/deps.ts'
import { emitting } from '../platform/events/event.ts'
import { newId } from '../platform/ids.ts'
import { enqueueMany } from '../platform/jobs/enqueue.ts'
import { audienceOf } from './access.ts'
import { carryMedia } from './media/carrying.ts'
import type { Conversation, Message, SenderType, StoredContext } from './schemas.ts'
import { sendMessage } from './send.ts'
import { type ConversationRow, toWire } from './store/conversations.ts'
import { acceptMessages, type NewMessage, whoseOf } from './store/messages.ts'

export interface Draft {
  sender: { type: SenderType; id: string }
  content: SendableContent
  context: StoredContext[]
  clientMessageId?: string
  fingerprint?: string
  /** The trace of whoever asked, for one that goes out with others. */
  traceparent?: string | undefined
}

export interface Acceptance {
  message: Message
  conversation: Conversation
}

interface Prepared {
  row: NewMessage
  inboxId: string
  traceparent: string | undefined
  answer: Acceptance
}

function prepare(now: string, tenantId: string, conversation: ConversationRow, draft: Draft): Prepared {
  const id = newId('message')
  const preview = previewOf(draft.content)
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
    ...toWire(conversation),
    lastMessageAt: now,
    lastMessagePreview: preview,
    lastMessageSender: draft.sender.type,
  }
  const audience = audienceOf(conversation)
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
    eventId: newId('event'),
    whose: whoseOf(conversation),
  }
  return {
    row,
    inboxId: conversation.inboxId,
    traceparent: draft.traceparent,
    answer: { message, conversation: wire },
  }
}

/** Both statements leave together; a job for a message that was not inserted finds nothing to do. */
async function acceptIn(tx: Tx, prepared: readonly Prepared[]): Promise<Set<string>> {
  const rows = prepared.map(one => one.row)
  const inserting = tx.rows<{ id: string }>(acceptMessages(tx, rows, select => emitting(tx, select)))
  const enqueuing = enqueueMany(
    tx,
    sendMessage,
    prepared.map(({ row, inboxId, traceparent }) => ({
      tenantId: row.tenantId,
      key: row.conversationId,
      payload: { messageId: row.id, inboxId },
      traceparent,
    })),
  )
  const [inserted] = await Promise.all([inserting, enqueuing])
  return new Set(inserted.map(row => row.id))
}

/** In the caller's transaction, which holds the conversation. Undefined when the clientMessageId is there already. */
export async function acceptOne(
  tx: Tx,
  tenantId: string,
  conversation: ConversationRow,
  draft: Draft,
): Promise<Acceptance | undefined> {
  const prepared = prepare(tx.now, tenantId, conversation, draft)
  if (!(await acceptIn(tx, [prepared])).has(prepared.row.id)) return undefined
  await carryMedia(tx, tenantId, [{ conversationId: conversation.id, content: draft.content }])
  return prepared.answer
}

/** Many in the caller's transaction, which holds their conversations. Undefined where one is there already. */
export async function acceptMany(
  tx: Tx,
  tenantId: string,
  items: readonly { conversation: ConversationRow; draft: Draft }[],
): Promise<(Acceptance | undefined)[]> {
  if (items.length === 0) return []
  const prepared = items.map(({ conversation, draft }) => prepare(tx.now, tenantId, conversation, draft))
  const accepted = await acceptIn(tx, prepared)
  const carrying = items
    .filter((_, i) => accepted.has(prepared[i]!.row.id))
    .map(({ conversation, draft }) => ({ conversationId: conversation.id, content: draft.content }))
  await carryMedia(tx, tenantId, carrying)
  return prepared.map(({ row, answer }) => (accepted.has(row.id) ? answer : undefined))
}

interface Asked {
  tenantId: string
  conversation: ConversationRow
  draft: Draft
}

const acceptTogether = batching<Asked, Acceptance | undefined>({ most: 32, atOnce: 2 }, (db, batch) =>
  transactAtOnce(db, async tx => {
    const prepared = batch.map(one => prepare(tx.now, one.tenantId, one.conversation, one.draft))
    const accepted = await acceptIn(tx, prepared)
    return prepared.map(({ row, answer }) => (accepted.has(row.id) ? answer : undefined))
  }),
)

/** Undefined when it was not accepted this way: the session is over or another's, or its clientMessageId is there. */
export function acceptSoon(
  deps: Deps,
  tenantId: string,
  conversation: ConversationRow,
  draft: Draft,
): Promise<Acceptance | undefined> {
  // Files want to be held as well, which is more than the one statement does.
  if (mediaIn(draft.content).length > 0)
    return transact(deps.db, tx => acceptOne(tx, tenantId, conversation, draft))
  const traceparent = deps.tracing?.current()?.traceparent
  return acceptTogether(deps.db, {
    tenantId,
    conversation,
    draft: traceparent ? { ...draft, traceparent } : draft,
  })
}
