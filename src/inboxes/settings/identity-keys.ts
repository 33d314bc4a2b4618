/**
 * The key of a web chat with which a site signs who its visitors are: a secret that is shown once, or a public key that
 * the site gives us. It is stored encrypted in place of a provider's credentials. A new key replaces the one before.
 */
import { createPublicKey, type JsonWebKey, type KeyObject, randomBytes } from 'node:crypto'
import Type, { type Static } from 'typebox'
import { recordAudit } from '../../identity/audit.ts'
import type { Tx } from '../../platform/db/db.ts'
import type { Deps } from '../../platform/deps.ts'
import { fail, invalid, violation } from '../../platform/errors.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { literals, named, nullable, object } from '../../platform/http/schemas.ts'
import { idType } from '../../platform/ids.ts'
import { encryptToken, findAccount, inboxChanged } from '../accounts/accounts.ts'
import { InboxChannelMismatch, InboxNotFound } from '../errors.ts'
import { emitInboxUpdated } from '../events.ts'
import { inboxToApi } from '../health.ts'
import { lockInbox, updateCredential, updateSettings } from '../store/inboxes.ts'

const IdentityKeyId = idType('wik')

export const IdentityKeyRequest = object({
  publicKey: Type.Optional(
    Type.Union([
      Type.String({ minLength: 1, maxLength: 4000 }),
      Type.Record(Type.String(), Type.Unknown(), { maxProperties: 20 }),
    ]),
  ),
})

export const IdentityKey = named(
  'WebchatIdentityKey',
  object({
    keyId: Type.String(),
    algorithm: literals(['HS256', 'EdDSA']),
    secret: { ...nullable(Type.String()), description: 'shown once; null for a public key' },
  }),
)
type IdentityKey = Static<typeof IdentityKey>

/** As stored. */
type StoredKey =
  | { keyId: string; algorithm: 'HS256'; secret: string }
  | { keyId: string; algorithm: 'EdDSA'; publicKey: string }

export async function createIdentityKey(
  deps: Pick<Deps, 'keys'>,
  tx: Tx,
  caller: Caller,
  id: string,
  { publicKey }: Static<typeof IdentityKeyRequest>,
): Promise<IdentityKey> {
  const { tenantId } = caller
  const inbox = (await lockInbox(tx, tenantId, id)) ?? fail(InboxNotFound)
  if (!inbox.webchat) fail(InboxChannelMismatch, `the channel of the inbox is ${inbox.channel}, not webchat`)
  const keyId = IdentityKeyId.create()
  const key: StoredKey =
    publicKey === undefined
      ? { keyId, algorithm: 'HS256', secret: `wik_${randomBytes(32).toString('base64url')}` }
      : { keyId, algorithm: 'EdDSA', publicKey: toPem(publicKey) }
  await updateCredential(tx, tenantId, id, encryptToken(deps, JSON.stringify(key)))
  const webchat = { ...inbox.webchat, identity: { ...inbox.webchat.identity, keyId } }
  const changed = inboxToApi(await updateSettings(tx, { ...inbox, webchat }))
  await emitInboxUpdated(tx, tenantId, changed, ['webchat'])
  await recordAudit(tx, caller, 'inbox.identity_key_changed', id, { keyId, algorithm: key.algorithm })
  tx.signal(inboxChanged, id)
  return { keyId, algorithm: key.algorithm, secret: key.algorithm === 'HS256' ? key.secret : null }
}

/** Accepts the public key as PEM or JWK. */
function toPem(given: string | Record<string, unknown>): string {
  const refuse = (): never =>
    invalid(violation('publicKey', 'invalid_key', 'must be an Ed25519 public key, as PEM or JWK'))
  if (typeof given === 'string' ? given.includes('PRIVATE') : 'd' in given)
    invalid(
      violation('publicKey', 'private_key', 'must be the public key; replace your key, it was sent here'),
    )
  let key: KeyObject
  try {
    key = createPublicKey(
      typeof given === 'string' ? given : { key: given as JsonWebKey, format: 'jwk' as const },
    )
  } catch {
    return refuse()
  }
  if (key.asymmetricKeyType !== 'ed25519') refuse()
  return key.export({ type: 'spki', format: 'pem' }).toString()
}

/** Returns the key that verifies signatures; undefined when the inbox has none. */
export async function findVerificationKey(
  deps: Parameters<typeof findAccount>[0],
  tenantId: string,
  inboxId: string,
): Promise<{ algorithm: 'HS256' | 'EdDSA'; key: KeyObject | Uint8Array } | undefined> {
  const token = (await findAccount(deps, tenantId, inboxId))?.token
  if (!token) return undefined
  const stored = JSON.parse(token) as StoredKey
  return stored.algorithm === 'HS256'
    ? { algorithm: 'HS256', key: Buffer.from(stored.secret) }
    : { algorithm: 'EdDSA', key: createPublicKey(stored.publicKey) }
}
