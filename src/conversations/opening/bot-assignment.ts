/** Which bots may reply in new sessions: those of the inbox's team, then those for all teams, each in their order. */
import type { Tx } from '../../platform/db/db.ts'
import { deleteBotAssignments, insertBotAssignments } from '../store/conversations/sessions.ts'

export { listAssignedBots, updateBotPositions } from '../store/conversations/sessions.ts'

/** Stands for all teams, and for conversations without a team. */
const anyTeam = ''

export async function assignBot(
  tx: Tx,
  tenantId: string,
  bot: { botId: string; position: number },
  teamIds: readonly string[],
): Promise<void> {
  await insertBotAssignments(tx, tenantId, bot, teamIds.length > 0 ? teamIds : [anyTeam])
}

export async function releaseBotAssignments(
  tx: Tx,
  tenantId: string,
  botIds: readonly string[],
): Promise<void> {
  await deleteBotAssignments(tx, tenantId, botIds)
}
