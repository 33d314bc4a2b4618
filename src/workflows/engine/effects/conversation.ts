/** What steps do in conversations: the run's own, else the contact's latest. */

import {
  assignOwner,
  assignTeam,
  type ConversationRow,
  closeLockedConversation,
  findLatestConversation,
  lockConversation,
} from '../../../conversations/conversations.ts'
import { type AutomatedResult, sendAutomated } from '../../../conversations/outbound/automated-messages.ts'
import type { StoredContext } from '../../../conversations/schemas.ts'
import { findTeam } from '../../../identity/teams.ts'
import { findUser } from '../../../identity/users.ts'
import { OutboundContent, type SendableContent } from '../../../inboxes/content.ts'
import { findInbox } from '../../../inboxes/inboxes.ts'
import type { Channel } from '../../../platform/config.ts'
import type { Tx } from '../../../platform/db/db.ts'
import type { Deps } from '../../../platform/deps.ts'
import { explainViolations } from '../../../platform/http/validate.ts'
import type { Effects, RunInfo, SendResult } from '../../nodes/node-type.ts'
import { pickLeastBusy, pickRoundRobin } from '../../store/assignees.ts'
import { renderOptions } from './options.ts'

type ConversationEffects = Pick<Effects, 'send' | 'assign' | 'handOff' | 'closeConversation'>

interface ConversationContext {
  deps: Deps
  tx: Tx
  tenantId: string
  run: Pick<RunInfo, 'workflowKind' | 'workflowId' | 'contactId' | 'conversationId'>
  /** What a message answers, such as a comment. */
  context?: StoredContext[]
}

export function conversationEffects(place: ConversationContext): ConversationEffects {
  const { tx, tenantId } = place
  return {
    send: message => send(place, message),
    assign: async to => {
      const row = await lockRunConversation(place)
      if (!row) return { refused: 'no_conversation' }
      return assign(tx, tenantId, row, to)
    },
    handOff: async teamId => {
      const row = await lockRunConversation(place)
      if (row) await handOff(tx, tenantId, row, teamId)
    },
    closeConversation: async () => {
      const row = await lockRunConversation(place)
      if (row) await closeLockedConversation(tx, tenantId, row)
    },
  }
}

async function lockRunConversation({
  tx,
  tenantId,
  run,
}: ConversationContext): Promise<ConversationRow | undefined> {
  const id = run.conversationId ?? (await findLatestConversation(tx, tenantId, run.contactId))?.id
  return id === undefined ? undefined : lockConversation(tx, tenantId, id)
}

async function send(
  place: ConversationContext,
  message: Parameters<Effects['send']>[0],
): Promise<SendResult> {
  const { deps, tx, tenantId, run, context } = place
  const { content, options, inboxId } = message
  const [fault] = explainViolations(OutboundContent, content, 'content')
  if (fault) return { refused: 'content_invalid', message: `${fault.field} ${fault.message}` }
  const said: AutomatedResult = await sendAutomated(deps, tx, tenantId, {
    sender: { type: run.workflowKind === 'chatbot' ? 'bot' : 'journey', id: run.workflowId },
    contactId: run.contactId,
    conversationId: run.conversationId,
    ...(inboxId === undefined ? {} : { inboxId }),
    ...(context ? { context } : {}),
    content: (channel: Channel): SendableContent => renderOptions(channel, content, options),
  })
  if ('refused' in said) return { refused: said.refused.code, message: said.refused.message }
  return { messageId: said.messageId }
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

/** To people: the wanted team, or where that is gone the inbox's own, or nobody in particular. The row is locked. */
export async function handOff(
  tx: Tx,
  tenantId: string,
  row: ConversationRow,
  teamId?: string,
): Promise<void> {
  const wanted = teamId === undefined ? undefined : await findTeam(tx, tenantId, teamId)
  const target = wanted?.id ?? (await findInbox(tx, tenantId, row.inboxId))?.teamId
  if (target) await assignTeam(tx, tenantId, row, target)
  else await assignOwner(tx, tenantId, row, null)
}
