/** Shows and emits the status of workflows: webhooks and realtime clients learn when one is activated or paused. */
import type { Tx } from '../platform/db/db.ts'
import { emitMany, pendingEvent } from '../platform/events/event.ts'
import { describeMissing } from './definition/rights.ts'
import { chatbotUpdated, journeyUpdated } from './events.ts'
import type { WorkflowStatus } from './schemas.ts'
import { listByIds, type WorkflowRow } from './store/workflows.ts'

type PausedRow = Pick<WorkflowRow, 'pauseReason' | 'missingRights'>

export function toPauseReason({
  pauseReason,
  missingRights,
}: PausedRow): Pick<WorkflowStatus, 'pauseReason'> {
  if (pauseReason === null) return {}
  const missing = missingRights ?? []
  const message = `${describeMissing(missing)}; let a user or key with the rights of its nodes publish it, or restore them and activate it`
  return { pauseReason: { code: pauseReason, message, missing } }
}

/** Emits the current status of workflows that this transaction has changed. */
export async function emitStatusChanged(tx: Tx, tenantId: string, ids: readonly string[]): Promise<void> {
  const rows = await listByIds(tx, tenantId, ids)
  const changes = ['status']
  await emitMany(
    tx,
    rows.map(row => {
      const { id, name, status, revision, kind } = row
      const workflow = { id, name, status, ...toPauseReason(row), revision }
      return kind === 'journey'
        ? pendingEvent(journeyUpdated, { tenantId, data: { journey: workflow, changes } })
        : pendingEvent(chatbotUpdated, { tenantId, data: { chatbot: workflow, changes } })
    }),
  )
}
