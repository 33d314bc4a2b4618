/**
 * The order of the chatbots of a workspace: the first bot whose trigger matches takes a session. No active bot may be
 * behind bots that match every session of all its teams, because it would never be reached.
 */
import { updateBotPositions } from '../../conversations/opening/bot-assignment.ts'
import type { Queryable, Tx } from '../../platform/db/db.ts'
import { fail, invalid, violation } from '../../platform/errors.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { ChatbotScopeTaken } from '../errors.ts'
import {
  listActiveBots,
  listBotIds,
  lockBotOrder,
  type OrderedBot,
  updatePositions,
} from '../store/bot-order.ts'
import { getConditions } from '../triggers/conditions.ts'
import type { TriggerConfig } from '../triggers/trigger-type.ts'

const anyTeam = ''
const getTeams = ({ teamIds }: OrderedBot): string[] => (teamIds.length > 0 ? teamIds : [anyTeam])

function matchesEverySession(trigger: TriggerConfig): boolean {
  const { type, match = 'any', inboxIds } = trigger
  const matchesEvery = type === 'conversation_started' || (type === 'message_received' && match === 'any')
  return matchesEvery && inboxIds === undefined && getConditions(trigger) === undefined
}

/** Returns the first bot that could never be reached, with the one that comes first. */
function findUnreachable(bots: readonly OrderedBot[]): { bot: OrderedBot; first: OrderedBot } | undefined {
  const takenBy = new Map<string, OrderedBot>()
  for (const bot of bots) {
    const teams = getTeams(bot)
    if (teams.every(team => takenBy.has(team))) return { bot, first: takenBy.get(teams[0]!)! }
    if (matchesEverySession(bot.trigger))
      for (const team of teams) if (!takenBy.has(team)) takenBy.set(team, bot)
  }
  return undefined
}

/** 409 if an active bot could never be reached. Call it after the change, in the same transaction. */
export async function checkBotsReachable(tx: Tx, caller: Caller): Promise<void> {
  const found = findUnreachable(await listActiveBots(tx, caller.tenantId))
  if (!found) return
  const { first } = found
  const name = caller.scopes.has('journey:read')
    ? `the active chatbot "${first.name}" (${first.id})`
    : 'another bot'
  fail(ChatbotScopeTaken, `${name} comes first and matches every session; pause it, or change the order`)
}

/** Returns why an active bot could never be reached if this bot were active with the trigger; undefined if all could. */
export async function findScopeConflict(
  on: Queryable,
  tenantId: string,
  botId: string,
  trigger: TriggerConfig,
): Promise<string | undefined> {
  const bots = await listActiveBots(on, tenantId, botId)
  const found = findUnreachable(bots.map(bot => (bot.id === botId ? { ...bot, trigger } : bot)))
  if (!found) return undefined
  const [first, behind] = [found.first, found.bot].map(({ id, name }) =>
    id === botId ? 'this chatbot' : `the active chatbot "${name}" (${id})`,
  )
  return `${first} comes first and matches every session, so ${behind} would never be reached`
}

export { lockBotOrder }

/** Moves the given chatbots to the front, in this order; the others follow in their current order. */
export async function reorderChatbots(
  tx: Tx,
  caller: Caller,
  chatbotIds: readonly string[],
): Promise<string[]> {
  const { tenantId } = caller
  await lockBotOrder(tx, tenantId)
  const current = await listBotIds(tx, tenantId)
  const unknown = chatbotIds.findIndex(id => !current.includes(id))
  if (unknown >= 0)
    invalid(violation(`chatbotIds[${unknown}]`, 'unknown_chatbot', 'is not a chatbot of this workspace'))
  const given = new Set(chatbotIds)
  const order = [...chatbotIds, ...current.filter(id => !given.has(id))]
  const positions = new Map(order.map((id, i) => [id, i + 1]))
  await updatePositions(tx, tenantId, positions)
  await updateBotPositions(tx, tenantId, positions)
  await checkBotsReachable(tx, caller)
  return order
}
