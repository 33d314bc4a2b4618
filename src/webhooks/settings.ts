/** The settings object of the contract: the first endpoint of a workspace, which may be unconfigured. */
import type { Queryable, Tx } from '../platform/db/db.ts'
import {
  deleteRow,
  type EndpointChange,
  type EndpointContext,
  loadHealth,
  newEndpoint,
  saveChange,
} from './endpoints.ts'
import { eventTypes } from './schemas.ts'
import { findFirst, lockWebhooks } from './store/settings.ts'

const unconfigured = { ...newEndpoint, id: null, createdAt: null, updatedAt: null, disabledReason: null }

/** Returns the settings as the API shows them. */
export async function getSettings(on: Queryable, tenantId: string) {
  const [row, health] = await Promise.all([findFirst(on, tenantId), loadHealth(on, tenantId)])
  const {
    isFirst: _,
    description: __,
    disabledReason,
    ...settings
  } = row ?? { ...unconfigured, isFirst: true }
  return {
    ...settings,
    availableEventTypes: [...eventTypes],
    health: { ...health(row?.id), disabledReason },
  }
}

export async function changeSettings(tx: Tx, context: EndpointContext, change: EndpointChange) {
  const { tenantId } = context.caller
  await lockWebhooks(tx, tenantId)
  await saveChange(tx, context, await findFirst(tx, tenantId), { ...change, isFirst: true })
  return getSettings(tx, tenantId)
}

/** Deletes the settings and pending deliveries; attempts and keys are kept. */
export async function removeSettings(tx: Tx, context: EndpointContext): Promise<void> {
  const { tenantId } = context.caller
  await lockWebhooks(tx, tenantId)
  const row = await findFirst(tx, tenantId)
  if (row) await deleteRow(tx, context, row)
}
