/**
 * A conversation is the permanent thread with one customer on one channel. Work happens in its sessions, which are opened,
 * assigned and closed.
 */
import { findUser } from '../identity/users/users.ts'
import { setActor } from '../platform/db/actor.ts'
import { batched } from '../platform/db/batched.ts'
import type { Db, Queryable, Tx } from '../platform/db/db.ts'
import { fail, invalid, violation } from '../platform/errors.ts'
import type { Caller } from '../platform/http/caller.ts'
import { canSee, type Viewer } from './access.ts'
import {
  emitConversation,
  emitConversationUpdated,
  syncContactVisibility,
  toClosed,
} from './conversation-events.ts'
import { ConversationNotFound } from './errors.ts'
import { conversationClosed } from './events.ts'
import { type Address, listConversationsByAddress } from './store/conversations/addresses.ts'
import type { ConversationRow } from './store/conversations/conversation-rows.ts'
import {
  findConversation,
  findVisibleConversation,
  listConversationsByIds,
  lockVisibleConversation,
  type StateUpdate,
  updateOpenTeam,
  updateState,
} from './store/conversations/conversations.ts'
import { closeSessions, updateSessionOwner, updateSessionTeam } from './store/conversations/sessions.ts'

export { canSee, toAudience } from './access.ts'
export { listIdleConversations } from './store/conversations/conversation-pages.ts'
export { type ConversationRow, conversationToApi } from './store/conversations/conversation-rows.ts'
export {
  ageConversations,
  findConversation,
  findLatestConversation,
  listVisibleConversations,
  lockConversation,
  touchMessagingWindow,
} from './store/conversations/conversations.ts'

export const loadConversationByAddress = batched<Address, ConversationRow | undefined>(
  { batchSize: 64, concurrency: 4 },
  async (db, addresses) => {
    const found = new Map((await listConversationsByAddress(db, addresses)).map(row => [row.ordinal, row]))
    return addresses.map((_, i) => found.get(i + 1))
  },
)

const loadConversationById = batched<{ tenantId: string; id: string }, ConversationRow | undefined>(
  { batchSize: 64, concurrency: 4 },
  async (db, keys) => {
    const found = new Map(
      (await listConversationsByIds(db, keys)).map(row => [`${row.tenantId} ${row.id}`, row]),
    )
    return keys.map(({ tenantId, id }) => found.get(`${tenantId} ${id}`))
  },
)

/** Loads a conversation that the viewer may see, also by the id of one that was merged into it. */
export async function loadVisibleConversation(
  db: Db,
  viewer: Viewer,
  id: string,
): Promise<ConversationRow | undefined> {
  const { tenantId } = viewer
  const row = await loadConversationById(db, { tenantId, id })
  if (row) return canSee(viewer, row) ? row : undefined
  return findVisibleConversation(db, viewer, id)
}

export async function getConversation(on: Queryable, viewer: Viewer, id: string): Promise<ConversationRow> {
  return (await findVisibleConversation(on, viewer, id)) ?? fail(ConversationNotFound)
}

/** Locks a conversation that the viewer may see, on whose behalf its next changes are recorded. */
export async function getLockedConversation(tx: Tx, viewer: Viewer, id: string): Promise<ConversationRow> {
  const actor = { type: viewer.id.startsWith('svc_') ? 'service' : 'user', id: viewer.id } as const
  const [, row] = await Promise.all([setActor(tx, actor), lockVisibleConversation(tx, viewer, id)])
  return row ?? fail(ConversationNotFound)
}

/** Closes the open sessions. Idempotent. */
export async function closeConversation(tx: Tx, caller: Caller, id: string): Promise<void> {
  await closeLockedConversation(tx, caller.tenantId, await getLockedConversation(tx, caller, id))
}

export async function closeLockedConversation(tx: Tx, tenantId: string, row: ConversationRow): Promise<void> {
  if (row.status === 'closed') return
  const closed = toClosed(row, tx.now)
  await Promise.all([
    closeSessions(tx, tenantId, row.id),
    updateState(tx, tenantId, row.id, closed),
    updateOpenTeam(tx, tenantId, row.id, null),
    emitConversation(tx, tenantId, conversationClosed, { ...row, ...closed }),
  ])
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
): Promise<ConversationRow> {
  if (row.ownerType === (owner?.type ?? null) && row.ownerId === (owner?.id ?? null)) return row
  const [changed] = await Promise.all([
    updateAndFind(tx, tenantId, row.id, { owner }),
    updateSessionOwner(tx, tenantId, row.sessionId, owner),
  ])
  return emitOwnerChanged(tx, tenantId, row, changed)
}

/** Sends both statements in one tick. */
async function updateAndFind(
  tx: Tx,
  tenantId: string,
  id: string,
  change: StateUpdate,
): Promise<ConversationRow> {
  const [, changed] = await Promise.all([
    updateState(tx, tenantId, id, change),
    findConversation(tx, tenantId, id),
  ])
  return changed!
}

async function emitOwnerChanged(
  tx: Tx,
  tenantId: string,
  before: ConversationRow,
  after: ConversationRow,
): Promise<ConversationRow> {
  await Promise.all([
    syncContactVisibility(tx, tenantId, after),
    emitConversationUpdated(tx, tenantId, before, after),
  ])
  return after
}

/** Assigns the conversation to a team, whose members can see it from now on, without an owner among them. */
export async function assignTeam(
  tx: Tx,
  tenantId: string,
  row: ConversationRow,
  teamId: string,
): Promise<ConversationRow> {
  const owner = { type: 'team' as const, id: teamId }
  if (row.teamId === teamId) return assignOwner(tx, tenantId, row, owner)
  const [changed] = await Promise.all([
    updateAndFind(tx, tenantId, row.id, { owner, teamId }),
    updateSessionOwner(tx, tenantId, row.sessionId, owner),
    updateSessionTeam(tx, tenantId, row.sessionId, teamId),
    row.status === 'open' && updateOpenTeam(tx, tenantId, row.id, teamId),
  ])
  return emitOwnerChanged(tx, tenantId, row, changed)
}
