/** What has to be on record from the moment on that a journey is active, in the transaction that makes it so. */
import type { Tx } from '../../platform/db/db.ts'
import { deleteSchedule, upsertSchedules } from '../store/schedules.ts'
import type { TriggerConfig } from '../triggers/trigger-type.ts'
import { trackSegment } from './enrollment/segment-entries.ts'
import { getNextTime, scheduledTriggerTypes } from './schedules/schedules.ts'

export interface TriggerRegistration {
  tenantId: string
  workflowId: string
  versionId: string
  trigger: TriggerConfig
}

export async function registerTrigger(tx: Tx, beginning: TriggerRegistration): Promise<void> {
  const { tenantId, workflowId, versionId, trigger } = beginning
  await trackSegment(tx, tenantId, workflowId, trigger)
  await deleteSchedule(tx, beginning)
  const next = scheduledTriggerTypes.includes(trigger.type)
    ? getNextTime({ trigger }, new Date(tx.now))
    : undefined
  if (next) await upsertSchedules(tx, [{ tenantId, workflowId, versionId, nextAt: next.toISOString() }])
}
