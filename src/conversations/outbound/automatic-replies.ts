/**
 * Automatic replies of inboxes: a greeting to a customer who opens a session, and an away message to one who writes outside
 * of the business hours. Each is sent at most once per session. Not sent while a bot owns the session, nor to customers
 * whom the send policy excludes, such as those who opted out.
 */
import { isWithinHours } from '../../identity/workspace/business-hours.ts'
import { getWorkspace } from '../../identity/workspace/tenants.ts'
import { findInbox, type InboxRow } from '../../inboxes/inboxes.ts'
import type { Tx } from '../../platform/db/db.ts'
import { transact } from '../../platform/db/transact.ts'
import type { Deps } from '../../platform/deps.ts'
import { enqueue } from '../../platform/jobs/enqueue.ts'
import { job } from '../../platform/jobs/job.ts'
import type { ConversationRow } from '../store/conversations/conversation-rows.ts'
import { lockConversation } from '../store/conversations/conversations.ts'
import { type AutomaticReply, findAnsweredMessage, markReplied } from '../store/conversations/sessions.ts'
import { acceptLocked } from './accept-message.ts'
import { checkSend } from './send-policy.ts'

/** After an outage a reply would surprise the customer. */
const maxDelayMs = 15 * 60_000

interface CustomerMessage {
  messageId: string
  conversationId: string
  sessionId: string
}

export const sendAutomaticReplies = job<CustomerMessage>({
  name: 'conversations.send_automatic_replies',
  priority: 'urgent',
  handle: (deps, message, work) =>
    transact(deps.db, async tx => {
      await replyTo(deps, tx, work.tenantId, message)
      await work.finish(tx)
    }),
})

/** Enqueues the replies to a customer's message, if the inbox may have any for it. */
export async function enqueueAutomaticReplies(
  tx: Tx,
  inbox: InboxRow,
  { id: conversationId, sessionId, ownerType, openedAt }: ConversationRow,
  messageId: string,
): Promise<void> {
  const mayGreet = inbox.greeting !== null && openedAt >= tx.now
  if (ownerType === 'bot' || (!mayGreet && inbox.away === null)) return
  const { tenantId } = inbox
  await enqueue(tx, sendAutomaticReplies, { tenantId, payload: { messageId, conversationId, sessionId } })
}

async function replyTo(
  deps: Deps,
  tx: Tx,
  tenantId: string,
  { messageId, conversationId, sessionId }: CustomerMessage,
): Promise<void> {
  const row = await lockConversation(tx, tenantId, conversationId)
  const isOpen = row?.status === 'open' && row.sessionId === sessionId && row.addressOwnerId !== null
  if (!isOpen || row.ownerType === 'bot') return
  const inbox = await findInbox(tx, tenantId, row.inboxId)
  if (!inbox) return
  for (const [reply, body] of await listDueReplies(tx, inbox, messageId)) {
    const attempt = { conversation: row, contentType: 'text', senderType: 'bot' as const }
    if (await checkSend(deps, tenantId, attempt, tx)) return
    const sender = { type: 'bot' as const, id: inbox.id }
    await acceptLocked(tx, tenantId, row, { sender, content: { type: 'text', text: { body } }, context: [] })
    await markReplied(tx, tenantId, sessionId, reply)
  }
}

async function listDueReplies(
  tx: Tx,
  inbox: InboxRow,
  messageId: string,
): Promise<[AutomaticReply, string][]> {
  const { tenantId, greeting, away } = inbox
  const message = await findAnsweredMessage(tx, tenantId, messageId)
  if (!message || Date.parse(tx.now) - Date.parse(message.at) > maxDelayMs) return []
  const replies: [AutomaticReply, string][] = []
  if (greeting !== null && message.isFirst && !message.greeted) replies.push(['greeting', greeting])
  if (away !== null && !message.awaySent && (await isClosed(tx, inbox, message.at)))
    replies.push(['away', away])
  return replies
}

async function isClosed(tx: Tx, { tenantId, businessHours }: InboxRow, at: string): Promise<boolean> {
  const workspace = await getWorkspace(tx, tenantId)
  return !isWithinHours(businessHours ?? workspace.businessHours, workspace.timezone, new Date(at))
}
