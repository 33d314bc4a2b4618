/** A signed test event, sent while the caller waits. It is logged as an attempt and never repeated. */

import { recordAudit } from '../identity/audit.ts'
import type { Tx } from '../platform/db/db.ts'
import { transact } from '../platform/db/transact.ts'
import type { Deps } from '../platform/deps.ts'
import { invalid, violation } from '../platform/errors.ts'
import { EventId } from '../platform/events/event.ts'
import type { Caller } from '../platform/http/caller.ts'
import { type CallResult, callEndpoint } from './call-endpoint.ts'
import { buildTestBody } from './envelope.ts'
import { testType } from './event-types.ts'
import { ensurePartitions } from './partitions.ts'
import { AttemptId, DeliveryId } from './schemas.ts'
import { validateEndpointUrl } from './settings.ts'
import { decodeSecret, type SigningSecret } from './sign.ts'
import { decryptKey, ensureKey } from './signing-keys.ts'
import { insertTestAttempt } from './store/attempts.ts'
import { listKeys } from './store/keys.ts'
import { findSettings, markVerified } from './store/settings.ts'

export interface Verification {
  delivered: boolean
  statusCode: number | null
  error: string | null
}

export async function verifyEndpoint(deps: Deps, caller: Caller, given?: string): Promise<Verification> {
  const { tenantId } = caller
  const saved = (await findSettings(deps.db, tenantId))?.url ?? null
  const url = given ?? saved
  if (url === null) invalid(violation('url', 'required', 'is needed, as none has been saved'))
  validateEndpointUrl(deps.outbound, url)
  const keys = await loadSigningSecrets(deps, tenantId)
  const attemptedAt = deps.clock.now().toISOString()
  const eventId = EventId.createAt(attemptedAt)
  const outcome = await callEndpoint(
    deps,
    { url, keys },
    { eventId, body: buildTestBody(eventId, attemptedAt), group: `${tenantId} test` },
  )
  await recordAttempt(deps, tenantId, { eventId, attemptedAt, outcome })
  if (outcome.succeeded && url === saved) await transact(deps.db, tx => markAsVerified(tx, caller, url))
  return { delivered: outcome.succeeded, statusCode: outcome.responseStatus, error: outcome.errorText }
}

async function markAsVerified(tx: Tx, caller: Caller, url: string): Promise<void> {
  const marked = await markVerified(tx, caller.tenantId, url)
  if (!marked) return
  const entry = { action: 'webhook.verified', targetType: 'webhook', targetId: marked.id, details: { url } }
  await recordAudit(tx, caller.tenantId, caller, entry)
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
  { eventId, attemptedAt, outcome }: { eventId: string; attemptedAt: string; outcome: CallResult },
): Promise<void> {
  const { responseStatus, responseBody, latencyMs, errorText, signedWith } = outcome
  await ensurePartitions(deps)
  await insertTestAttempt(deps.db, tenantId, {
    id: AttemptId.createAt(attemptedAt),
    deliveryId: DeliveryId.create(),
    eventId,
    eventType: testType,
    status: outcome.succeeded ? 'succeeded' : 'failed',
    attemptedAt,
    responseStatus,
    responseBody,
    latencyMs,
    errorText,
    signedWithVersions: signedWith,
  })
}
