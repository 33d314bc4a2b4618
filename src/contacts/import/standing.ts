/** For whom an import works: whoever sent the file, as they are now. */
import { currentStanding } from '../../identity/standing.ts'
import type { Tx } from '../../platform/db/db.ts'
import type { Caller } from '../../platform/http/caller.ts'
import type { ImportState } from '../store/imports.ts'

/** The import cannot go on; the message is for whoever sent the file. */
export class Stopped extends Error {}

export async function standingOf(tx: Tx, tenantId: string, state: ImportState): Promise<Caller> {
  const { createdBy: id, createdByKind: kind, createdByRole: role } = state
  const caller = await currentStanding(tx, { tenantId, id, kind, role, scopes: new Set(), teamIds: [] })
  if (!caller) throw new Stopped('whoever began the import may not go on with it')
  return caller
}
