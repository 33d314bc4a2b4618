/** Effects on conversations: the run's conversation, or the contact's latest. */
import type { Viewer } from '../../../contacts/contact-views.ts'
import {
  assignOwner,
  assignTeam,
  type ConversationRow,
  canSee,
  closeLockedConversation,
  findLatestConversation,
  lockConversation,
} from '../../../conversations/conversations.ts'
import { notVisible, sendAutomated } from '../../../conversations/outbound/automated-messages.ts'
import type { StoredContext } from '../../../conversations/schemas.ts'
import { findTeam } from '../../../identity/teams.ts'
import { findUser } from '../../../identity/users/users.ts'
import { OutboundContent } from '../../../inboxes/content.ts'
import { findInbox } from '../../../inboxes/inboxes.ts'
import { setActor } from '../../../platform/db/actor.ts'
import type { Tx } from '../../../platform/db/db.ts'
import type { Deps } from '../../../platform/deps.ts'
import { explainViolations } from '../../../platform/http/input/violations.ts'
import { renderOptions } from '../../nodes/messages/options.ts'
import type { Effects, RunInfo, SendResult } from '../../nodes/node-type.ts'
import { pickLeastBusy, pickRoundRobin } from '../../store/assignees.ts'
import { NotVisible } from '../publisher/limit-effects.ts'

type ConversationEffects = Pick<Effects, 'send' | 'assign' | 'handOff' | 'closeConversation'>

interface ConversationContext {
  deps: Deps
  tx: Tx
  tenantId: string
  run: Pick<RunInfo, 'workflowKind' | 'workflowId' | 'contactId' | 'conversationId'>
  /** Set if the workflow may reach only what this agent can see. */
  viewer?: Viewer
  /** Resources that a message replies to, such as a comment. */
  context?: StoredContext[]
}

export function conversationEffects(context: ConversationContext): ConversationEffects {
  const { tx, tenantId } = context
  return {
    send: message => send(context, message),
    assign: async to => {
      const row = await lockRunConversation(context)
      if (!row) return { refused: 'no_conversation' }
      return assign(tx, tenantId, row, to)
    },
    handOff: async teamId => {
      const row = await lockRunConversation(context)
      if (row) await handOff(tx, tenantId, row, teamId)
    },
    closeConversation: async () => {
      const row = await lockRunConversation(context)
      if (row) await closeLockedConversation(tx, tenantId, row)
    },
  }
}

async function lockRunConversation({
  tx,
  tenantId,
  run,
  viewer,
}: ConversationContext): Promise<ConversationRow | undefined> {
  const id = run.conversationId ?? (await findLatestConversation(tx, tenantId, run.contactId))?.id
  await setActor(tx, toSender(run))
  const row = id === undefined ? undefined : await lockConversation(tx, tenantId, id)
  if (row && viewer && !canSee(viewer, row)) throw new NotVisible('the conversation is not visible')
  return row
}

async function send(
  { deps, tx, tenantId, run, context, viewer }: ConversationContext,
  { content, options, inboxId }: Parameters<Effects['send']>[0],
): Promise<SendResult> {
  const [violation] = explainViolations(OutboundContent, content, 'content')
  if (violation) return { refused: 'content_invalid', message: `${violation.field} ${violation.message}` }
  // The message may open the conversation.
  await setActor(tx, toSender(run))
  const result = await sendAutomated(deps, tx, tenantId, {
    sender: toSender(run),
    contactId: run.contactId,
    conversationId: run.conversationId,
    ...(inboxId === undefined ? {} : { inboxId }),
    ...(context ? { context } : {}),
    ...(viewer ? { viewer } : {}),
    content: channel => renderOptions(channel, content, options),
  })
  if ('refused' in result && result.refused.code === notVisible) throw new NotVisible(result.refused.message)
  if ('refused' in result) return { refused: result.refused.code, message: result.refused.message }
  return { messageId: result.messageId }
}

/** The workflow of the run as the author of what it does. */
export function toSender({ workflowKind, workflowId }: Pick<RunInfo, 'workflowKind' | 'workflowId'>) {
  return { type: workflowKind === 'chatbot' ? ('bot' as const) : ('journey' as const), id: workflowId }
}

type AssignTarget = Parameters<Effects['assign']>[0]
type AssignResult = Awaited<ReturnType<Effects['assign']>>

async function assign(
  tx: Tx,
  tenantId: string,
  row: ConversationRow,
  to: AssignTarget,
): Promise<AssignResult> {
  if ('userId' in to) {
    const user = await findUser(tx, tenantId, to.userId)
    return user && !user.disabled
      ? assignToUser(tx, tenantId, row, user.id)
      : { refused: 'user_not_available' }
  }
  if (!('strategy' in to)) return assignToTeam(tx, tenantId, row, to.teamId)
  const teamId = to.teamId ?? row.teamId
  if (teamId === null) return { refused: 'no_team' }
  const pick = to.strategy === 'roundRobin' ? pickRoundRobin : pickLeastBusy
  const userId = await pick(tx, tenantId, teamId)
  if (userId === undefined) return { refused: 'nobody_available' }
  if (row.teamId !== teamId) await assignTeam(tx, tenantId, row, teamId)
  return assignToUser(tx, tenantId, (await lockConversation(tx, tenantId, row.id))!, userId)
}

async function assignToUser(
  tx: Tx,
  tenantId: string,
  row: ConversationRow,
  userId: string,
): Promise<AssignResult> {
  const owner = { type: 'user' as const, id: userId }
  await assignOwner(tx, tenantId, row, owner)
  return { owner }
}

async function assignToTeam(
  tx: Tx,
  tenantId: string,
  row: ConversationRow,
  teamId: string,
): Promise<AssignResult> {
  if (!(await findTeam(tx, tenantId, teamId))) return { refused: 'team_not_found' }
  await assignTeam(tx, tenantId, row, teamId)
  return { owner: { type: 'team', id: teamId } }
}

/** Hands a locked conversation to agents: to the team, or the inbox's team if it was deleted, or unassigned. */
export async function handOff(
  tx: Tx,
  tenantId: string,
  row: ConversationRow,
  teamId?: string,
): Promise<void> {
  const team = teamId === undefined ? undefined : await findTeam(tx, tenantId, teamId)
  const target = team?.id ?? (await findInbox(tx, tenantId, row.inboxId))?.teamId
  if (target) await assignTeam(tx, tenantId, row, target)
  else await assignOwner(tx, tenantId, row, null)
}
