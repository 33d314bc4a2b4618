/** Which bot answers new sessions: at most one for each team, and one for all other conversations. */
import type { Tx } from '../platform/db/db.ts'
import { deleteBotAssignments, insertBotAssignments } from './store/sessions.ts'

/** Stands for conversations of teams without a bot of their own. */
const anyTeam = ''

/** Claims the teams for a bot. Returns the teams that another bot has (null: all other teams); then nothing is claimed. */
export async function claimBotAssignments(
  tx: Tx,
  tenantId: string,
  botId: string,
  teamIds: readonly string[],
): Promise<(string | null)[]> {
  const requested = teamIds.length > 0 ? teamIds : [anyTeam]
  const claimed = await insertBotAssignments(tx, tenantId, botId, requested)
  const taken = requested.filter(teamId => !claimed.has(teamId))
  if (taken.length > 0) await deleteBotAssignments(tx, tenantId, botId)
  return taken.map(teamId => (teamId === anyTeam ? null : teamId))
}

export async function releaseBotAssignments(tx: Tx, tenantId: string, botId: string): Promise<void> {
  await deleteBotAssignments(tx, tenantId, botId)
}
