/** Conversations as a caller reads them: with the caller's read state and a summary of the contact. */
import { listOptOutChannels } from '../contacts/opt-outs.ts'
import type { Queryable } from '../platform/db/db.ts'
import type { Caller } from '../platform/http/caller.ts'
import type { Conversation } from './schemas.ts'
import { conversationToApi, type ListedRow } from './store/conversations/conversation-rows.ts'
import { listReadStates } from './store/read-state.ts'

/** Service accounts have no read state. */
export async function viewConversations(
  on: Queryable,
  caller: Caller,
  rows: readonly ListedRow[],
): Promise<Conversation[]> {
  if (rows.length === 0) return []
  const ids = rows.map(row => row.id)
  const contactIds = [...new Set(rows.map(row => row.contactId))]
  const [states, optOuts] = await Promise.all([
    caller.kind === 'user' ? listReadStates(on, caller, ids) : [],
    listOptOutChannels(on, caller.tenantId, contactIds),
  ])
  const read = new Map(states.map(({ conversationId, ...state }) => [conversationId, state]))
  return rows.map(row => ({
    ...conversationToApi(row),
    ...read.get(row.id),
    contact: { id: row.contactId, name: row.contactName, optOuts: optOuts.get(row.contactId) ?? [] },
  }))
}
