/**
 * Webhook endpoints of a workspace. An enabled endpoint always has a URL; a new URL resets `verified`. A new URL,
 * `enabled: true` and a successful verification close the circuit. Events emitted while an endpoint is disabled are not
 * queued but can be replayed; waiting deliveries are kept. Endpoints share the signing keys of their workspace and nothing
 * else: each has its own lease, circuit, retries and attempts.
 */
import { recordAudit } from '../identity/audit.ts'
import type { Queryable, Tx } from '../platform/db/db.ts'
import type { Deps } from '../platform/deps.ts'
import { fail, invalid, violation } from '../platform/errors.ts'
import type { Caller } from '../platform/http/caller.ts'
import { enqueue } from '../platform/jobs/enqueue.ts'
import type { Outbound } from '../platform/outbound/outbound.ts'
import { EndpointLimitReached, EndpointNotFound } from './errors.ts'
import { notifyCircuitClosed, notifyEndpointChanged } from './notify.ts'
import { deleteDeliveries } from './retention.ts'
import { type DisableReason, defaultEventTypes, type EventType, WebhookSettingsId } from './schemas.ts'
import {
  deleteEndpointState,
  type EndpointHealth,
  type EndpointKey,
  listHealth,
  markDue,
  resetCircuit,
} from './store/endpoint-state.ts'
import {
  deleteSettings,
  disableSettings,
  type EndpointUrl,
  findFirst,
  findSettings,
  listSettings,
  lockWebhooks,
  type SettingsRow,
  type SettingsValues,
  saveSettings,
} from './store/settings.ts'

export const maxEndpoints = 10

export interface EndpointChange {
  enabled?: boolean
  url?: string
  eventTypes?: EventType[]
  description?: string | null
}

export type EndpointContext = Pick<Deps, 'bus' | 'outbound'> & { caller: Caller }

/** Defaults of an endpoint; delivered types are chosen by it. */
export const newEndpoint = {
  enabled: false,
  verified: false,
  url: null,
  description: null,
  eventTypes: [...defaultEventTypes] as EventType[],
}

const unknownHealth: EndpointHealth = { failingSince: null, consecutiveFailures: 0, nextAttemptAt: null }

/** Returns a function from the id of an endpoint to its health. */
export async function loadHealth(on: Queryable, tenantId: string) {
  const rows = await listHealth(on, tenantId)
  const byId = new Map(rows.map(({ endpointId, ...health }) => [endpointId, health]))
  return (endpointId: string | undefined): EndpointHealth => byId.get(endpointId ?? '') ?? unknownHealth
}

export async function listEndpoints(on: Queryable, tenantId: string) {
  const [rows, health] = await Promise.all([listSettings(on, tenantId), loadHealth(on, tenantId)])
  return rows.map(({ disabledReason, ...row }) => ({ ...row, health: { ...health(row.id), disabledReason } }))
}

export async function getEndpoint(on: Queryable, tenantId: string, id: string) {
  return (await listEndpoints(on, tenantId)).find(endpoint => endpoint.id === id) ?? fail(EndpointNotFound)
}

/** Creates an enabled endpoint. It becomes the first one if there is none. */
export async function createEndpoint(tx: Tx, context: EndpointContext, input: EndpointChange) {
  const { tenantId } = context.caller
  await lockWebhooks(tx, tenantId)
  if ((await listSettings(tx, tenantId)).length >= maxEndpoints)
    fail(EndpointLimitReached, `delete one of the ${maxEndpoints} endpoints first`)
  const isFirst = (await findFirst(tx, tenantId)) === undefined
  const id = await saveChange(tx, context, undefined, { enabled: true, ...input, isFirst })
  return getEndpoint(tx, tenantId, id)
}

export async function changeEndpoint(tx: Tx, context: EndpointContext, id: string, change: EndpointChange) {
  const { tenantId } = context.caller
  await lockWebhooks(tx, tenantId)
  const before = (await findSettings(tx, tenantId, id)) ?? fail(EndpointNotFound)
  await saveChange(tx, context, before, change)
  return getEndpoint(tx, tenantId, id)
}

export async function removeEndpoint(tx: Tx, context: EndpointContext, id: string): Promise<void> {
  const { tenantId } = context.caller
  await lockWebhooks(tx, tenantId)
  await deleteRow(tx, context, (await findSettings(tx, tenantId, id)) ?? fail(EndpointNotFound))
}

/** Rejects URLs that can never be called. Host names are checked when they are resolved. */
export function validateEndpointUrl(outbound: Outbound, url: string): void {
  const checked = outbound.checkUrl(url)
  if (!checked.ok) invalid(violation('url', checked.code, checked.message))
}

/** Writes a change of an endpoint, or a new one, and returns its id. The caller holds the lock. */
export async function saveChange(
  tx: Tx,
  context: EndpointContext,
  before: SettingsRow | undefined,
  change: EndpointChange & { isFirst?: boolean },
): Promise<string> {
  const { tenantId } = context.caller
  if (change.url !== undefined) validateEndpointUrl(context.outbound, change.url)
  const after = applyChange(before, change)
  if (after.enabled && after.url === null)
    invalid(violation('url', 'required', 'is required to enable the webhook'))
  const endpoint = { tenantId, endpointId: after.id }
  if (!before || isChanged(before, after)) {
    await saveSettings(tx, tenantId, after)
    notifyEndpointChanged(tx, context.bus, endpoint)
    const { isFirst: _, ...details } = change
    await recordAudit(tx, context.caller, 'webhook.changed', after.id, details)
  }
  if (change.enabled || after.url !== before?.url) await closeCircuit(tx, context, endpoint)
  else if (after.enabled) await markDue(tx, endpoint)
  return after.id
}

function applyChange(
  before: SettingsRow | undefined,
  change: EndpointChange & { isFirst?: boolean },
): SettingsValues {
  const { id, isFirst, verified, url, ...kept } = before ?? { ...newEndpoint, id: undefined, isFirst: false }
  return {
    id: id ?? WebhookSettingsId.create(),
    isFirst: change.isFirst ?? isFirst,
    url: change.url ?? url,
    verified: verified && (change.url ?? url) === url,
    enabled: change.enabled ?? kept.enabled,
    eventTypes: change.eventTypes ?? kept.eventTypes,
    description: change.description === undefined ? kept.description : change.description,
  }
}

function isChanged(before: SettingsValues, after: SettingsValues): boolean {
  const values = ({ enabled, verified, url, eventTypes: types, description }: SettingsValues) =>
    JSON.stringify([enabled, verified, url, types, description])
  return values(before) !== values(after)
}

/** Resumes delivery immediately. Deliveries that wait for their own retry keep waiting. */
export async function closeCircuit(tx: Tx, { bus }: Pick<Deps, 'bus'>, endpoint: EndpointKey): Promise<void> {
  await resetCircuit(tx, endpoint)
  await markDue(tx, endpoint)
  notifyCircuitClosed(tx, bus, endpoint)
}

/** Deletes an endpoint and its pending deliveries; attempts and keys are kept. */
export async function deleteRow(tx: Tx, { bus, caller }: EndpointContext, row: SettingsRow): Promise<void> {
  const { tenantId } = caller
  const endpoint = { tenantId, endpointId: row.id }
  await deleteSettings(tx, tenantId, row.id)
  await deleteEndpointState(tx, endpoint)
  notifyEndpointChanged(tx, bus, endpoint)
  await enqueue(tx, deleteDeliveries, { tenantId, payload: { endpointId: row.id } })
  await recordAudit(tx, caller, 'webhook.deleted', row.id, { url: row.url })
}

/** Disables an endpoint after a 410 response, or after days without a success. */
export async function disableEndpoint(
  tx: Tx,
  endpoint: EndpointUrl,
  reason: DisableReason,
): Promise<boolean> {
  const { tenantId, endpointId, url } = endpoint
  if (!(await disableSettings(tx, endpoint, reason))) return false
  await recordAudit(tx, { kind: 'system', tenantId }, 'webhook.disabled', endpointId, { reason, url })
  return true
}
