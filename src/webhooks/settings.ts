/**
 * Webhook settings: one endpoint per workspace. Enabled settings always have a URL; a new URL resets `verified`. A new URL,
 * `enabled: true` and a successful verification close the circuit. Events emitted while the webhook is disabled are not queued but can be replayed; waiting deliveries are kept.
 */
import { recordAudit } from '../identity/audit.ts'
import type { Queryable, Tx } from '../platform/db/db.ts'
import type { Deps } from '../platform/deps.ts'
import { invalid, violation } from '../platform/errors.ts'
import type { Caller } from '../platform/http/caller.ts'
import { enqueue } from '../platform/jobs/enqueue.ts'
import type { Outbound } from '../platform/outbound/outbound.ts'
import { notifyCircuitClosed, notifyEndpointChanged } from './notify.ts'
import { deleteDeliveries } from './retention.ts'
import { DeliveryId, type DisableReason, type EventType, eventTypes, WebhookSettingsId } from './schemas.ts'
import { type EndpointHealth, findHealth, markDue, resetCircuit } from './store/endpoint-state.ts'
import {
  deleteSettings,
  disableSettings,
  findSettings,
  lockWebhooks,
  type SettingsRow,
  type SettingsValues,
  saveSettings,
} from './store/settings.ts'

export interface SettingsChange {
  enabled?: boolean
  url?: string
  eventTypes?: EventType[]
}

/** Returned while nothing is configured; also the defaults of the first change. */
const unconfigured = {
  id: null,
  enabled: false,
  verified: false,
  url: null,
  eventTypes: [...eventTypes],
  createdAt: null,
  updatedAt: null,
  disabledReason: null,
}

const unknownHealth: EndpointHealth = { failingSince: null, consecutiveFailures: 0, nextAttemptAt: null }

/** Returns the settings as the API shows them. */
export async function getSettings(on: Queryable, tenantId: string) {
  const [row, health] = await Promise.all([findSettings(on, tenantId), findHealth(on, tenantId)])
  const { disabledReason, ...settings } = row ?? unconfigured
  return {
    ...settings,
    availableEventTypes: [...eventTypes],
    health: { ...(health ?? unknownHealth), disabledReason },
  }
}

/** Rejects URLs that can never be called. Host names are checked when they are resolved. */
export function validateEndpointUrl(outbound: Outbound, url: string): void {
  const checked = outbound.checkUrl(url)
  if (!checked.ok) invalid(violation('url', checked.code, checked.message))
}

type ChangeContext = Pick<Deps, 'bus' | 'outbound'> & { caller: Caller }

export async function changeSettings(tx: Tx, context: ChangeContext, change: SettingsChange) {
  const { tenantId } = context.caller
  if (change.url !== undefined) validateEndpointUrl(context.outbound, change.url)
  await lockWebhooks(tx, tenantId)
  const before = await findSettings(tx, tenantId)
  const after = applyChange(before, change)
  if (after.enabled && after.url === null)
    invalid(violation('url', 'required', 'is required to enable the webhook'))
  if (!before || isChanged(before, after)) {
    const { id } = await saveSettings(tx, tenantId, after)
    notifyEndpointChanged(tx, context.bus, tenantId)
    await recordAudit(tx, context.caller, 'webhook.changed', id, { ...change })
  }
  if (change.enabled || after.url !== before?.url) await closeCircuit(tx, context, tenantId)
  else if (after.enabled) await markDue(tx, tenantId)
  return getSettings(tx, tenantId)
}

/** Resumes delivery immediately. Deliveries that wait for their own retry keep waiting. */
export async function closeCircuit(tx: Tx, { bus }: Pick<Deps, 'bus'>, tenantId: string): Promise<void> {
  await resetCircuit(tx, tenantId)
  await markDue(tx, tenantId)
  notifyCircuitClosed(tx, bus, tenantId)
}

function applyChange(before: SettingsRow | undefined, change: SettingsChange): SettingsValues {
  const { id, enabled, verified, url, eventTypes: types } = before ?? unconfigured
  return {
    id: id ?? WebhookSettingsId.create(),
    enabled: change.enabled ?? enabled,
    url: change.url ?? url,
    verified: verified && (change.url ?? url) === url,
    eventTypes: change.eventTypes ?? types,
  }
}

function isChanged(before: SettingsValues, after: SettingsValues): boolean {
  const values = ({ enabled, verified, url, eventTypes: types }: SettingsValues) =>
    JSON.stringify([enabled, verified, url, types])
  return values(before) !== values(after)
}

/** Deletes the settings and pending deliveries; attempts and keys are kept. */
export async function removeSettings(tx: Tx, { bus }: Pick<Deps, 'bus'>, caller: Caller): Promise<void> {
  const { tenantId } = caller
  await lockWebhooks(tx, tenantId)
  const row = await findSettings(tx, tenantId)
  if (!row) return
  await deleteSettings(tx, tenantId)
  await resetCircuit(tx, tenantId)
  notifyEndpointChanged(tx, bus, tenantId)
  await enqueue(tx, deleteDeliveries, { tenantId, payload: { before: DeliveryId.createAt(tx.now) } })
  await recordAudit(tx, caller, 'webhook.deleted', row.id, { url: row.url })
}

/** Disables the endpoint after a 410 response, or after days without a success. */
export async function disableEndpoint(
  tx: Tx,
  tenantId: string,
  url: string,
  reason: DisableReason,
): Promise<boolean> {
  const row = await disableSettings(tx, tenantId, url, reason)
  if (!row) return false
  await recordAudit(tx, { kind: 'system', tenantId }, 'webhook.disabled', row.id, { reason, url })
  return true
}
