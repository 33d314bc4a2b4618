/** What steps do in conversations: the run's own, else the contact's latest. */
import { type Said, say } from '../../conversations/automated.ts'
import {
  assignOwner,
  assignTeam,
  type ConversationRow,
  endConversation,
  findLatestOfContact,
  lockConversation,
} from '../../conversations/conversations.ts'
import type { StoredContext } from '../../conversations/schemas.ts'
import { findTeam } from '../../identity/teams.ts'
import { findUser } from '../../identity/users.ts'
import { OutboundContent, type SendableContent } from '../../inboxes/content.ts'
import { findInbox } from '../../inboxes/inboxes.ts'
import type { Channel } from '../../platform/channels.ts'
import type { Tx } from '../../platform/db/db.ts'
import { raw } from '../../platform/db/sql.ts'
import type { Deps } from '../../platform/deps.ts'
import { explain } from '../../platform/http/validate.ts'
import type { Effects, RunFacts, Sent } from '../nodes/kind.ts'
import { findLeastBusy, takeTurn } from '../store/assignment.ts'
import { withOptions } from './options.ts'

type ConversationEffects = Pick<Effects, 'send' | 'assign' | 'handOff' | 'closeConversation'>

interface Place {
  deps: Deps
  tx: Tx
  tenantId: string
  run: Pick<RunFacts, 'workflowKind' | 'workflowId' | 'contactId' | 'conversationId'>
  /** What a message answers, such as a comment. */
  context?: StoredContext[]
}

const everybody = raw('true')

export function conversationEffects(place: Place): ConversationEffects {
  const { tx, tenantId } = place
  return {
    send: message => send(place, message),
    assign: async to => {
      const row = await lockOwn(place)
      if (!row) return { refused: 'no_conversation' }
      return assign(tx, tenantId, row, to)
    },
    handOff: async teamId => {
      const row = await lockOwn(place)
      if (row) await handOff(tx, tenantId, row, teamId)
    },
    closeConversation: async () => {
      const row = await lockOwn(place)
      if (row) await endConversation(tx, tenantId, row)
    },
  }
}

async function lockOwn({ tx, tenantId, run }: Place): Promise<ConversationRow | undefined> {
  const id = run.conversationId ?? (await findLatestOfContact(tx, tenantId, run.contactId))?.id
  return id === undefined ? undefined : lockConversation(tx, tenantId, id, everybody)
}

async function send(place: Place, message: Parameters<Effects['send']>[0]): Promise<Sent> {
  const { deps, tx, tenantId, run, context } = place
  const { content, options, inboxId } = message
  const [fault] = explain(OutboundContent, content, 'content')
  if (fault) return { refused: 'content_invalid', message: `${fault.field} ${fault.message}` }
  const said: Said = await say(deps, tx, tenantId, {
    sender: { type: run.workflowKind === 'chatbot' ? 'bot' : 'journey', id: run.workflowId },
    contactId: run.contactId,
    conversationId: run.conversationId,
    ...(inboxId === undefined ? {} : { inboxId }),
    ...(context ? { context } : {}),
    content: (channel: Channel): SendableContent => withOptions(channel, content, options),
  })
  if ('refused' in said) return { refused: said.refused.code, message: said.refused.message }
  return { messageId: said.messageId }
}

type Assigning = Parameters<Effects['assign']>[0]
type Assigned = Awaited<ReturnType<Effects['assign']>>

async function assign(tx: Tx, tenantId: string, row: ConversationRow, to: Assigning): Promise<Assigned> {
  if ('userId' in to) {
    const user = await findUser(tx, tenantId, to.userId)
    return user && !user.disabled ? giveTo(tx, tenantId, row, user.id) : { refused: 'user_not_available' }
  }
  if (!('strategy' in to)) return giveToTeam(tx, tenantId, row, to.teamId)
  const teamId = to.teamId ?? row.teamId
  if (teamId === null) return { refused: 'no_team' }
  const pick = to.strategy === 'roundRobin' ? takeTurn : findLeastBusy
  const userId = await pick(tx, tenantId, teamId)
  if (userId === undefined) return { refused: 'nobody_available' }
  if (row.teamId !== teamId) await assignTeam(tx, tenantId, row, teamId)
  return giveTo(tx, tenantId, (await lockConversation(tx, tenantId, row.id, everybody))!, userId)
}

async function giveTo(tx: Tx, tenantId: string, row: ConversationRow, userId: string): Promise<Assigned> {
  const owner = { type: 'user' as const, id: userId }
  await assignOwner(tx, tenantId, row, owner)
  return { owner }
}

async function giveToTeam(tx: Tx, tenantId: string, row: ConversationRow, teamId: string): Promise<Assigned> {
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
