/** Contacts that are gone: runs of one that was merged go on with the one that is left, others end. */
import type { LinkedContact } from '../../contacts/schemas.ts'
import type { Tx } from '../../platform/db/db.ts'
import type { LogEvent } from '../../platform/events/event.ts'
import { listGone, listLiveOf, lockRun, moveRuns } from '../store/runs.ts'
import { isLive } from './run.ts'
import { endRun } from './waking.ts'

export async function followContacts(tx: Tx, tenantId: string, events: readonly LogEvent[]): Promise<void> {
  const ids = events
    .filter(event => event.type === 'contact.archived')
    .map(event => (event.data as { contact: LinkedContact }).contact.id)
  if (ids.length === 0) return
  for (const { id, mergedInto } of await listGone(tx, tenantId, ids)) {
    if (mergedInto !== null) await moveRuns(tx, tenantId, id, mergedInto)
    // Of those that could not be moved the other contact has one already.
    for (const runId of await listLiveOf(tx, tenantId, id)) {
      const run = await lockRun(tx, tenantId, runId)
      if (run && isLive(run))
        await endRun(tx, run, 'completed', mergedInto === null ? 'contact_deleted' : 'contact_merged')
    }
  }
}
