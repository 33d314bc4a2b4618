/** Contacts that are gone: runs of one that was merged go on with the one that is left, others end. */
import { type LinkedContact } from '../../contacts/schemas.ts'
import type { Tx } from '../../platform/db/db.ts'
import type { LogEvent } from '../../platform/events/event.ts'
import { listDeletedContacts, listRunIdsInProgress, lockRun, reassignRuns } from '../store/runs.ts'
import { endRun } from './run/resume.ts'
import { isInProgress } from './run/run.ts'

export async function handleRemovedContacts(
  tx: Tx,
  tenantId: string,
  events: readonly LogEvent[],
): Promise<void> {
  const ids = events
    .filter(event => event.type === 'contact.archived')
    .map(event => (event.data as { contact: LinkedContact }).contact.id)
  if (ids.length === 0) return
  for (const { id, mergedInto } of await listDeletedContacts(tx, tenantId, ids)) {
    if (mergedInto !== null) await reassignRuns(tx, tenantId, id, mergedInto)
    // Of those that could not be moved the other contact has one already.
    for (const runId of await listRunIdsInProgress(tx, tenantId, id)) {
      const run = await lockRun(tx, tenantId, runId)
      if (run && isInProgress(run))
        await endRun(tx, run, 'completed', mergedInto === null ? 'contact_deleted' : 'contact_merged')
    }
  }
}
