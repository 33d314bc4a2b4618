/** Whether a run may go on: its contact is there, and a chatbot's session is still the bot's. */
import { assignOwner, lockConversation } from '../../conversations/conversations.ts'
import { findLastUserSender } from '../../conversations/messages.ts'
import type { Tx } from '../../platform/db/db.ts'
import { lockCurrentContact } from '../store/standing.ts'
import type { Run } from './run/run.ts'

/** Why it must end, or nothing. A run of a contact that was merged goes on with the one that is left. */
export async function findEndReason(tx: Tx, run: Run): Promise<string | undefined> {
  const contact = await lockCurrentContact(tx, run.tenantId, run.contactId)
  if (!contact) return 'contact_deleted'
  run.contactId = contact.id
  return run.kind === 'chatbot' ? findBotEndReason(tx, run) : undefined
}

/** Looked at under the lock of the conversation: a person who replies at the same time is heard first or second. */
async function findBotEndReason(tx: Tx, run: Run): Promise<string | undefined> {
  const row = await lockConversation(tx, run.tenantId, run.conversationId!)
  if (!row || row.status === 'closed' || row.sessionId !== run.sessionId) return 'session_ended'
  if (row.ownerType !== 'bot' || row.ownerId !== run.workflowId) return 'taken_over'
  const person = await findLastUserSender(tx, run.tenantId, row.id, row.sessionId)
  if (person === undefined) return undefined
  await assignOwner(tx, run.tenantId, row, { type: 'user', id: person })
  return 'taken_over'
}
