/**
 * Actions on a conversation besides writing: owner, reopen, snooze, priority. Each action changes a
 * conversation that the transaction has locked, emits `conversation.updated`, and returns the conversation as it is then.
 * An action that changes nothing emits nothing.
 */
import { findTeam } from '../identity/teams.ts'
import { findUser } from '../identity/users/users.ts'
import { findInbox } from '../inboxes/inboxes.ts'
import type { Tx } from '../platform/db/db.ts'
import { fail, invalid, violation } from '../platform/errors.ts'
import type { Caller } from '../platform/http/caller.ts'
import { enqueue } from '../platform/jobs/enqueue.ts'
import { emitConversationUpdated, syncContactVisibility } from './conversation-events.ts'
import { assignOwner, assignTeam, getLockedConversation } from './conversations.ts'
import { ConversationClosed, ConversationInboxDeleted } from './errors.ts'
import { wakeConversation } from './jobs.ts'
import type { Conversation, OwnerRequest, Priority, SnoozeRequest } from './schemas.ts'
import { type ConversationRow, conversationToApi } from './store/conversations/conversation-rows.ts'
import {
  findConversation,
  type StateUpdate,
  updateOpenTeam,
  updateState,
} from './store/conversations/conversations.ts'
import { botExists, reopenSession } from './store/conversations/sessions.ts'

type Owner = NonNullable<StateUpdate['owner']>
type Action<A> = (tx: Tx, tenantId: string, row: ConversationRow, argument: A) => Promise<ConversationRow>

/** Runs an action on a conversation that the caller can see. */
export async function runAction<A>(
  tx: Tx,
  caller: Caller,
  id: string,
  action: Action<A>,
  argument: A,
): Promise<Conversation> {
  const row = await getLockedConversation(tx, caller, id)
  return conversationToApi(await action(tx, caller.tenantId, row, argument))
}

async function updateAndEmit(
  tx: Tx,
  tenantId: string,
  row: ConversationRow,
  change: StateUpdate,
): Promise<ConversationRow> {
  const [, changed] = await Promise.all([
    updateState(tx, tenantId, row.id, change),
    findConversation(tx, tenantId, row.id),
  ])
  await emitConversationUpdated(tx, tenantId, row, changed!)
  return changed!
}

/** Throws unless the owner exists: an enabled user, a team, or a chatbot that is active. */
export async function checkOwner(tx: Tx, tenantId: string, owner: OwnerRequest, field = 'id'): Promise<void> {
  if (owner.type === 'none') return
  if (owner.type === 'user') {
    const user = await findUser(tx, tenantId, owner.id)
    if (!user || user.disabled)
      invalid(violation(field, 'unknown_user', 'is not an enabled user of this workspace'))
  } else if (owner.type === 'team') {
    if (!(await findTeam(tx, tenantId, owner.id)))
      invalid(violation(field, 'unknown_team', 'is not a team of this workspace'))
  } else if (!(await botExists(tx, tenantId, owner.id)))
    invalid(violation(field, 'unknown_bot', 'is not an active chatbot of this workspace'))
}

export const setOwner: Action<OwnerRequest> = async (tx, tenantId, row, owner) => {
  await checkOwner(tx, tenantId, owner)
  return assignChecked(tx, tenantId, row, owner)
}

/** Assigns an owner that `checkOwner` accepted. */
export const assignChecked: Action<OwnerRequest> = async (tx, tenantId, row, owner) => {
  return owner.type === 'team'
    ? assignTeam(tx, tenantId, row, owner.id)
    : assignOwner(tx, tenantId, row, owner.type === 'none' ? null : owner)
}

/**
 * Continues the latest session. It keeps its team and owner if these still exist; a chatbot hands over to the team, because
 * its run ended with the session.
 */
export const reopen: Action<undefined> = async (tx, tenantId, row) => {
  if (row.status === 'open') return row
  if (!(await findInbox(tx, tenantId, row.inboxId))) fail(ConversationInboxDeleted)
  const team = row.teamId === null ? undefined : await findTeam(tx, tenantId, row.teamId)
  const teamId = team?.id ?? null
  const owner = await chooseOwner(tx, tenantId, row, teamId)
  return reopenWith(tx, tenantId, row, { teamId, owner })
}

/** Reopens the latest session of a closed conversation with this state. */
export async function reopenWith(
  tx: Tx,
  tenantId: string,
  row: ConversationRow,
  state: StateUpdate & { teamId: string | null; owner: Owner | null },
): Promise<ConversationRow> {
  await reopenSession(tx, tenantId, row.sessionId, state)
  await updateOpenTeam(tx, tenantId, row.id, state.teamId)
  const changed = await updateAndEmit(tx, tenantId, row, { ...state, status: 'open', closedAt: null })
  await syncContactVisibility(tx, tenantId, changed)
  return changed
}

async function chooseOwner(
  tx: Tx,
  tenantId: string,
  { ownerType, ownerId }: ConversationRow,
  teamId: string | null,
): Promise<Owner | null> {
  const user = ownerType === 'user' ? await findUser(tx, tenantId, ownerId!) : undefined
  if (user && !user.disabled) return { type: 'user', id: user.id }
  return teamId !== null && ownerType !== null ? { type: 'team', id: teamId } : null
}

/** Hides the conversation from the work at hand until a time, or until the customer writes, which always ends it. */
export const snooze: Action<SnoozeRequest> = async (tx, tenantId, row, request) => {
  const until = checkSnooze(tx, request)
  if (row.status !== 'open') fail(ConversationClosed)
  if (row.snoozed && row.snoozedUntil === until) return row
  if (until !== null)
    await enqueue(tx, wakeConversation, {
      tenantId,
      runAt: until,
      payload: { conversationId: row.id, until },
    })
  return updateAndEmit(tx, tenantId, row, { snoozed: true, snoozedUntil: until })
}

/** Returns the time, null for the next message of the customer. */
export function checkSnooze({ now }: Pick<Tx, 'now'>, { until, untilReply }: SnoozeRequest): string | null {
  if ((until !== undefined) === (untilReply === true))
    invalid(violation('until', 'required', 'give either until or untilReply: true'))
  if (until === undefined) return null
  const time = new Date(until).toISOString()
  if (time <= now) invalid(violation('until', 'in_the_past', 'must be in the future'))
  return time
}

export const wake: Action<undefined> = async (tx, tenantId, row) =>
  row.snoozed ? updateAndEmit(tx, tenantId, row, { snoozed: false, snoozedUntil: null }) : row

export const setPriority: Action<Priority | null> = async (tx, tenantId, row, priority) =>
  row.priority === priority ? row : updateAndEmit(tx, tenantId, row, { priority })
