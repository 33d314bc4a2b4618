/** Which bot answers new sessions: one for a team, one for everybody else. Who claims first has it. */
import type { Tx } from '../platform/db/db.ts'
import { deleteBotRoutes, insertBotRoutes } from './store/sessions.ts'

/** The route of conversations that no team's bot answers. */
const everybody = ''

/** Gives the teams that another bot has already, null standing for everybody; then nothing was claimed. */
export async function claimBotRoutes(
  tx: Tx,
  tenantId: string,
  botId: string,
  teamIds: readonly string[],
): Promise<(string | null)[]> {
  const wanted = teamIds.length > 0 ? teamIds : [everybody]
  const claimed = await insertBotRoutes(tx, tenantId, botId, wanted)
  const taken = wanted.filter(teamId => !claimed.has(teamId))
  if (taken.length > 0) await deleteBotRoutes(tx, tenantId, botId)
  return taken.map(teamId => (teamId === everybody ? null : teamId))
}

export async function releaseBotRoutes(tx: Tx, tenantId: string, botId: string): Promise<void> {
  await deleteBotRoutes(tx, tenantId, botId)
}
