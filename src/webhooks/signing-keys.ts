/**
 * Signing keys of a workspace. One key is active; replaced keys also sign for a day, unless they are revoked. The plaintext
 * is stored encrypted and returned exactly once: by the rotation that created the key, or by the first list that contains
 * it. Reading it requires webhook:update, because the holder of a signing key can forge webhooks.
 */
import type { Static } from 'typebox'
import { type Actor, recordAudit } from '../identity/audit.ts'
import type { SigningKeyChange } from '../identity/audit-actions.ts'
import type { Tx } from '../platform/db/db.ts'
import type { Deps } from '../platform/deps.ts'
import type { Keys } from '../platform/encryption/keys.ts'
import { fail, TooManyRequests } from '../platform/errors.ts'
import type { Caller } from '../platform/http/caller.ts'
import { newPlaintextKey } from './delivery/sign.ts'
import { SigningKeyActive, SigningKeyMissing, SigningKeyNotFound } from './errors.ts'
import { notifyKeysChanged } from './notify.ts'
import { WebhookKeyId, type WebhookSigningKey } from './schemas.ts'
import {
  expireActiveKey,
  insertKey,
  type KeyRow,
  listKeys,
  type NewKey,
  revealKeys,
  revokeReplacedKey,
} from './store/keys.ts'
import { lockWebhooks } from './store/settings.ts'

const overlapMs = 24 * 60 * 60_000
/** Limits rotations, and so the signatures of a delivery. */
const maxReplacedKeys = 10

export type SigningKey = Static<typeof WebhookSigningKey>

const purpose = 'webhook-signing-keys'
export const sealedSigningKeys = { table: 'webhook_keys', id: 'id', column: 'sealed', purpose }

export const decryptKey = (keys: Keys, sealed: Buffer): string => keys.decrypt(purpose, sealed)

function generateKey(keys: Keys, version: number, revealed: boolean): NewKey & { plaintextKey: string } {
  const plaintextKey = newPlaintextKey()
  const sealed = keys.encrypt(purpose, plaintextKey)
  return { id: WebhookKeyId.create(), version, sealed, last4: plaintextKey.slice(-4), revealed, plaintextKey }
}

function keyToApi({ id, version, createdAt, expiresAt, last4 }: KeyRow): SigningKey {
  return { id, version, status: expiresAt === null ? 'active' : 'expiring', createdAt, expiresAt, last4 }
}

function recordKeyAudit(
  tx: Tx,
  actor: Actor,
  action: SigningKeyChange,
  id: string,
  details: Record<string, unknown>,
) {
  return recordAudit(tx, actor, `webhook.signing_key_${action}`, { type: 'webhook_signing_key', id }, details)
}

export async function ensureKey(tx: Tx, keys: Keys, tenantId: string): Promise<void> {
  const { plaintextKey: _, ...row } = generateKey(keys, 1, false)
  const created = await insertKey(tx, tenantId, row)
  if (!created) return
  await recordKeyAudit(tx, { kind: 'system', tenantId }, 'created', created.id, { version: created.version })
}

/**
 * Lists the valid keys, newest first. A caller with webhook:update also gets the plaintext of keys that were not
 * revealed before.
 */
export async function listSigningKeys(
  tx: Tx,
  keys: Keys,
  caller: Caller,
): Promise<(SigningKey & { plaintextKey?: string })[]> {
  const { tenantId } = caller
  await ensureKey(tx, keys, tenantId)
  const revealed = caller.scopes.has('webhook:update') ? await revealKeys(tx, tenantId) : []
  const rows = await listKeys(tx, tenantId, tx.now)
  for (const { id, version } of rows.filter(row => revealed.includes(row.id))) {
    await recordKeyAudit(tx, caller, 'revealed', id, { version })
  }
  return rows.map(row =>
    revealed.includes(row.id)
      ? { ...keyToApi(row), plaintextKey: decryptKey(keys, row.sealed) }
      : keyToApi(row),
  )
}

export async function rotateSigningKey(
  tx: Tx,
  { keys, bus }: Pick<Deps, 'keys' | 'bus'>,
  caller: Caller,
): Promise<{ key: SigningKey; plaintextKey: string }> {
  const { tenantId } = caller
  await lockWebhooks(tx, tenantId)
  assertMayRotate(await listKeys(tx, tenantId, tx.now), tx.now)
  const expiresAt = new Date(Date.parse(tx.now) + overlapMs).toISOString()
  const replaced = await expireActiveKey(tx, tenantId, expiresAt)
  if (!replaced) fail(SigningKeyMissing, 'list the signing keys once to create the first one')
  const { plaintextKey, ...row } = generateKey(keys, replaced.version + 1, true)
  const created = await insertKey(tx, tenantId, row)
  notifyKeysChanged(tx, bus, tenantId)
  await recordKeyAudit(tx, caller, 'rotated', row.id, {
    version: row.version,
    replacedVersion: replaced.version,
    replacedUntil: expiresAt,
  })
  return { key: keyToApi(created!), plaintextKey }
}

function assertMayRotate(keys: readonly KeyRow[], now: string): void {
  const ends = keys.flatMap(({ expiresAt }) => expiresAt ?? []).sort()
  if (ends.length < maxReplacedKeys) return
  const wait = Math.ceil((Date.parse(ends[0]!) - Date.parse(now)) / 1000)
  const detail = `${maxReplacedKeys} replaced keys are still valid; revoke one or try again in ${wait} s`
  fail(TooManyRequests, detail, { headers: { 'retry-after': String(wait) } })
}

export async function revokeSigningKey(
  tx: Tx,
  { bus }: Pick<Deps, 'bus'>,
  caller: Caller,
  id: string,
): Promise<void> {
  const { tenantId } = caller
  await lockWebhooks(tx, tenantId)
  const revoked = await revokeReplacedKey(tx, tenantId, id)
  if (!revoked) {
    const isValid = (await listKeys(tx, tenantId, tx.now)).some(key => key.id === id)
    fail(isValid ? SigningKeyActive : SigningKeyNotFound)
  }
  notifyKeysChanged(tx, bus, tenantId)
  await recordKeyAudit(tx, caller, 'revoked', id, { version: revoked.version })
}
