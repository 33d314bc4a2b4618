/** For whom an import works: whoever sent the file, as they are now. */
import { type RoleDeps, reloadCaller } from '../../identity/reauthorize.ts'
import type { Tx } from '../../platform/db/db.ts'
import type { Caller } from '../../platform/http/caller.ts'
import type { ImportState } from '../store/imports.ts'

/** The import cannot go on; the message is for whoever sent the file. */
export class ImportAborted extends Error {}

export async function loadImporter(
  deps: RoleDeps,
  tx: Tx,
  tenantId: string,
  state: ImportState,
): Promise<Caller> {
  const { createdBy: id, createdByKind: kind, createdByRole: role } = state
  const caller = await reloadCaller(deps, tx, { tenantId, id, kind, role, scopes: new Set(), teamIds: [] })
  if (!caller) throw new ImportAborted('whoever began the import may not go on with it')
  return caller
}
