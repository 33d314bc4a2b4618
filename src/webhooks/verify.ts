/** Sends a signed test event and waits for the response. It is logged as an attempt and never retried. */
import { recordAudit } from '../identity/audit.ts'
import type { Tx } from '../platform/db/db.ts'
import { transact } from '../platform/db/transact.ts'
import type { Deps } from '../platform/deps.ts'
import { fail, invalid, violation } from '../platform/errors.ts'
import { EventId } from '../platform/events/event.ts'
import type { Caller } from '../platform/http/caller.ts'
import { type CallResult, callEndpoint } from './delivery/call-endpoint.ts'
import { buildTestBody } from './delivery/envelope.ts'
import { decodeSecret, type SigningSecret } from './delivery/sign.ts'
import { closeCircuit, validateEndpointUrl } from './endpoints.ts'
import { EndpointNotFound } from './errors.ts'
import { ensurePartitions } from './partitions.ts'
import { AttemptId, DeliveryId, testType } from './schemas.ts'
import { decryptKey, ensureKey } from './signing-keys.ts'
import { insertTestAttempt } from './store/attempts.ts'
import { listKeys } from './store/keys.ts'
import { findFirst, findSettings, markVerified, type SettingsRow } from './store/settings.ts'

export interface Verification {
  delivered: boolean
  statusCode: number | null
  error: string | null
}

/** Tests the first endpoint, or any URL before it is saved. */
export async function verifySettings(deps: Deps, caller: Caller, url?: string): Promise<Verification> {
  return verify(deps, caller, await findFirst(deps.db, caller.tenantId), url)
}

export async function verifyEndpoint(deps: Deps, caller: Caller, id: string): Promise<Verification> {
  return verify(deps, caller, (await findSettings(deps.db, caller.tenantId, id)) ?? fail(EndpointNotFound))
}

async function verify(
  deps: Deps,
  caller: Caller,
  endpoint: SettingsRow | undefined,
  requestedUrl?: string,
): Promise<Verification> {
  const { tenantId } = caller
  const savedUrl = endpoint?.url ?? null
  const url = requestedUrl ?? savedUrl
  if (url === null) invalid(violation('url', 'required', 'is required, because no URL is saved'))
  validateEndpointUrl(deps.outbound, url)
  const keys = await loadSigningSecrets(deps, tenantId)
  const attemptedAt = deps.clock.now().toISOString()
  const eventId = EventId.createAt(attemptedAt)
  const result = await callEndpoint(
    deps,
    { url, keys },
    { eventId, body: buildTestBody(eventId, attemptedAt), group: `${tenantId} test` },
  )
  await recordAttempt(deps, tenantId, { endpointId: endpoint?.id ?? null, eventId, attemptedAt, result })
  if (result.succeeded && endpoint && url === savedUrl)
    await transact(deps.db, async tx => {
      await markAsVerified(tx, caller, endpoint.id, url)
      await closeCircuit(tx, deps, { tenantId, endpointId: endpoint.id })
    })
  return { delivered: result.succeeded, statusCode: result.responseStatus, error: result.errorText }
}

async function markAsVerified(tx: Tx, caller: Caller, id: string, url: string): Promise<void> {
  const marked = await markVerified(tx, caller.tenantId, id, url)
  if (marked) await recordAudit(tx, caller, 'webhook.verified', id, { url })
}

async function loadSigningSecrets({ db, keys }: Deps, tenantId: string): Promise<SigningSecret[]> {
  const rows = await transact(db, async tx => {
    await ensureKey(tx, keys, tenantId)
    return listKeys(tx, tenantId, tx.now)
  })
  return rows.map(({ version, sealed, expiresAt }) => ({
    version,
    expiresAt,
    secret: decodeSecret(decryptKey(keys, sealed)),
  }))
}

async function recordAttempt(
  deps: Deps,
  tenantId: string,
  {
    endpointId,
    eventId,
    attemptedAt,
    result,
  }: { endpointId: string | null; eventId: string; attemptedAt: string; result: CallResult },
): Promise<void> {
  const { responseStatus, responseBody, latencyMs, errorText, signedWith } = result
  await ensurePartitions(deps)
  await insertTestAttempt(deps.db, tenantId, {
    id: AttemptId.createAt(attemptedAt),
    endpointId,
    deliveryId: DeliveryId.create(),
    eventId,
    eventType: testType,
    status: result.succeeded ? 'succeeded' : 'failed',
    attemptedAt,
    responseStatus,
    responseBody,
    latencyMs,
    errorText,
    signedWithVersions: signedWith,
  })
}
