/** What has to be on record from the moment on that a journey is active, in the transaction that makes it so. */
import type { Tx } from '../../platform/db/db.ts'
import { deleteClock, upsertClocks } from '../store/clocks.ts'
import type { TriggerConfig } from '../triggers/kind.ts'
import { clocked, nextTime } from './clocks.ts'
import { beginWatching } from './watching.ts'

export interface Beginning {
  tenantId: string
  workflowId: string
  versionId: string
  trigger: TriggerConfig
}

export async function beginListening(tx: Tx, beginning: Beginning): Promise<void> {
  const { tenantId, workflowId, versionId, trigger } = beginning
  await beginWatching(tx, tenantId, workflowId, trigger)
  await deleteClock(tx, beginning)
  const next = clocked.includes(trigger.type) ? nextTime({ trigger }, new Date(tx.now)) : undefined
  if (next) await upsertClocks(tx, [{ tenantId, workflowId, versionId, nextAt: next.toISOString() }])
}
