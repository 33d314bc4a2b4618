/** Which bot answers new sessions: one for a team, one for everybody else. Who claims first has it. */
import type { Tx } from '../platform/db/db.ts'
import { deleteBotAssignments, insertBotAssignments } from './store/sessions.ts'

/** The route of conversations that no team's bot answers. */
const anyTeam = ''

/** Gives the teams that another bot has already, null standing for everybody; then nothing was claimed. */
export async function claimBotAssignments(
  tx: Tx,
  tenantId: string,
  botId: string,
  teamIds: readonly string[],
): Promise<(string | null)[]> {
  const wanted = teamIds.length > 0 ? teamIds : [anyTeam]
  const claimed = await insertBotAssignments(tx, tenantId, botId, wanted)
  const taken = wanted.filter(teamId => !claimed.has(teamId))
  if (taken.length > 0) await deleteBotAssignments(tx, tenantId, botId)
  return taken.map(teamId => (teamId === anyTeam ? null : teamId))
}

export async function releaseBotAssignments(tx: Tx, tenantId: string, botId: string): Promise<void> {
  await deleteBotAssignments(tx, tenantId, botId)
}
