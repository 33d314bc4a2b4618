/** Conversations: one counterpart on one channel, forever; work happens in sessions, which end and change hands. */
import { findUser } from '../identity/users.ts'
import type { Tx } from '../platform/db/db.ts'
import { fail, invalid, violation } from '../platform/errors.ts'
import type { Caller } from '../platform/http/caller.ts'
import type { Viewer } from './access.ts'
import { emitConversation, syncContactVisibility } from './conversation-events.ts'
import { ConversationNotFound } from './errors.ts'
import { conversationClosed, conversationUpdated } from './events.ts'
import {
  type ConversationRow,
  findConversation,
  findVisibleConversation,
  lockVisibleConversation,
  updateOpenTeam,
  updateState,
} from './store/conversations.ts'
import { closeSessions, updateSessionOwner, updateSessionTeam } from './store/sessions.ts'

export { listIdleConversations } from './store/conversation-pages.ts'
export {
  type ConversationRow,
  conversationToApi,
  findConversation,
  findLatestConversation,
  lockConversation,
  touchMessagingWindow,
} from './store/conversations.ts'

export async function getConversation(
  on: Parameters<typeof findConversation>[0],
  viewer: Viewer,
  id: string,
): Promise<ConversationRow> {
  return (await findVisibleConversation(on, viewer, id)) ?? fail(ConversationNotFound)
}

async function getLockedConversation(tx: Tx, viewer: Viewer, id: string): Promise<ConversationRow> {
  return (await lockVisibleConversation(tx, viewer, id)) ?? fail(ConversationNotFound)
}

/** Ends the open sessions; closing what is closed changes nothing. */
export async function closeConversation(tx: Tx, caller: Caller, id: string): Promise<void> {
  await closeLockedConversation(tx, caller.tenantId, await getLockedConversation(tx, caller, id))
}

export async function closeLockedConversation(tx: Tx, tenantId: string, row: ConversationRow): Promise<void> {
  if (row.status === 'closed') return
  await closeSessions(tx, tenantId, row.id)
  await updateState(tx, tenantId, row.id, { status: 'closed' })
  await updateOpenTeam(tx, tenantId, row.id, null)
  await emitConversation(tx, tenantId, conversationClosed, { ...row, status: 'closed' })
}

export async function reassignConversation(
  tx: Tx,
  caller: Caller,
  id: string,
  userId: string,
): Promise<void> {
  const row = await getLockedConversation(tx, caller, id)
  const user = await findUser(tx, caller.tenantId, userId)
  if (!user || user.disabled)
    invalid(violation('userId', 'unknown_user', 'is not an enabled user of this workspace'))
  await assignOwner(tx, caller.tenantId, row, { type: 'user', id: userId })
}

export async function assignOwner(
  tx: Tx,
  tenantId: string,
  row: ConversationRow,
  owner: { type: 'user' | 'team' | 'bot'; id: string } | null,
): Promise<void> {
  if (row.ownerType === (owner?.type ?? null) && row.ownerId === (owner?.id ?? null)) return
  await updateState(tx, tenantId, row.id, { owner })
  await updateSessionOwner(tx, tenantId, row.sessionId, owner)
  const changed = (await findConversation(tx, tenantId, row.id))!
  await syncContactVisibility(tx, tenantId, changed)
  await emitConversation(tx, tenantId, conversationUpdated, changed)
}

/** To a team, whose members see it from now on, and none of them in particular. */
export async function assignTeam(
  tx: Tx,
  tenantId: string,
  row: ConversationRow,
  teamId: string,
): Promise<void> {
  const owner = { type: 'team' as const, id: teamId }
  if (row.teamId === teamId) return assignOwner(tx, tenantId, row, owner)
  await updateState(tx, tenantId, row.id, { owner, teamId })
  await updateSessionOwner(tx, tenantId, row.sessionId, owner)
  await updateSessionTeam(tx, tenantId, row.sessionId, teamId)
  if (row.status === 'open') await updateOpenTeam(tx, tenantId, row.id, teamId)
  const changed = (await findConversation(tx, tenantId, row.id))!
  await syncContactVisibility(tx, tenantId, changed)
  await emitConversation(tx, tenantId, conversationUpdated, changed)
}
