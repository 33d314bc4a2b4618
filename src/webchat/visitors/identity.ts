/**
 * Verified identity: the server of the site signs a short-lived token with the key of the inbox, and the visitor becomes
 * the contact of the `sub` in it. The contact of the messages before merges into that contact. A visitor keeps its identity: a
 * browser in which another person signs in starts a new session. Only signed values reach the contact.
 */
import { errors, jwtVerify } from 'jose'
import { findOrCreateContactByIdentity } from '../../contacts/identities/identities.ts'
import { applyProfile } from '../../contacts/identities/move-address.ts'
import { storeProviderEvents } from '../../conversations/inbound/store-provider-events.ts'
import { linkKnownAddresses } from '../../conversations/merging/merge-conversations.ts'
import { findVerificationKey } from '../../inboxes/settings/identity-keys.ts'
import { transact } from '../../platform/db/transact.ts'
import type { Deps } from '../../platform/deps.ts'
import { fail } from '../../platform/errors.ts'
import type { Visitor } from '../../platform/http/caller.ts'
import { IdentityDiffers, IdentityInvalid } from '../errors.ts'
import { copyBlock } from '../store/blocks.ts'
import { findVisitor, listSignedEmails, updateVisitor } from '../store/visitors.ts'
import { checkNotBlocked } from './blocks.ts'
import { publishVisitorChanged, toVerifiedAddress } from './visitors.ts'

const maxLifetimeSeconds = 5 * 60
const clockToleranceSeconds = 10

interface SignedIdentity {
  subject: string
  name: string | null
  email: string | null
  phone: string | null
}

export async function identifyVisitor(deps: Deps, visitor: Visitor, jwt: string): Promise<Visitor> {
  const identity = await verifyIdentity(deps, visitor, jwt)
  // First: another person who signs in starts a new session.
  if (visitor.subject !== null && visitor.subject !== identity.subject) fail(IdentityDiffers)
  checkNotBlocked(visitor)
  const { tenantId } = visitor
  const address = { channel: 'webchat' as const, externalId: toVerifiedAddress(identity.subject) }
  const name = identity.name === null ? {} : { name: identity.name }
  await transact(deps.db, tx => findOrCreateContactByIdentity(tx, tenantId, { ...address, ...name }))
  await mergeAnonymous(deps, visitor, identity)
  await transact(deps.db, async tx => {
    const earlierEmails = await listSignedEmails(tx, tenantId, identity.subject)
    await updateVisitor(tx, visitor, identity)
    // An agent may have blocked the visitor meanwhile.
    await copyBlock(tx, tenantId, { from: visitor.id, to: address.externalId })
    const { email, phone } = identity
    const known = { ...name, ...(email === null ? {} : { email }), ...(phone === null ? {} : { phone }) }
    await applyProfile(tx, tenantId, address, { ...known, earlierEmails })
  })
  publishVisitorChanged(deps.bus, { tenantId, address: visitor.id })
  return (await findVisitor(deps.db, tenantId, visitor.id)) ?? fail(IdentityInvalid, 'the session has ended')
}

/**
 * Merges the conversation and the contact of an anonymous visitor into those of the verified one: now, and once more after
 * the messages that the visitor sent before and that are still to be received. The second merge is stored again for a
 * visitor who repeats its token, because the process may have died before; the key identifies the event.
 */
async function mergeAnonymous(
  deps: Deps,
  visitor: Visitor,
  { subject, ...profile }: SignedIdentity,
): Promise<void> {
  const { tenantId, id, inboxKey } = visitor
  const channel = 'webchat' as const
  const from = toVerifiedAddress(subject)
  const alsoKnownAs = [id]
  if (visitor.subject === null)
    await transact(deps.db, async tx => {
      // The conversation gets the address of the subject: without this, nobody would be its visitor.
      await updateVisitor(tx, visitor, { subject, ...profile })
      await linkKnownAddresses(tx, tenantId, { channel, externalId: from, alsoKnownAs })
    })
  const at = deps.clock.now().toISOString()
  const event = { accountId: inboxKey, dedupeKey: `${id}:${subject}`, at, from, alsoKnownAs, orderedBy: id }
  await storeProviderEvents(deps, channel, [{ type: 'identity', ...event }])
}

async function verifyIdentity(deps: Deps, visitor: Visitor, jwt: string): Promise<SignedIdentity> {
  const found = await findVerificationKey(deps, visitor.tenantId, visitor.inboxId)
  if (!found) return fail(IdentityInvalid, 'the inbox has no key that signs identities')
  const now = deps.clock.now()
  const { payload } = await jwtVerify(jwt, found.key, {
    algorithms: [found.algorithm],
    currentDate: now,
    clockTolerance: clockToleranceSeconds,
    requiredClaims: ['exp', 'sub'],
  }).catch(error => fail(IdentityInvalid, explain(error)))
  if (payload.exp! > now.getTime() / 1000 + maxLifetimeSeconds + clockToleranceSeconds)
    fail(IdentityInvalid, '`exp` must be at most five minutes ahead')
  const { sub } = payload
  if (typeof sub !== 'string' || !/^[^\u0000-\u001f]{1,180}$/.test(sub))
    return fail(IdentityInvalid, '`sub` must be a text of 1 to 180 characters')
  return {
    subject: sub,
    name: readText(payload, 'name', 200),
    email: readOptional(payload.email, 254),
    phone: readOptional(payload.phone, 60),
  }
}

function explain(error: unknown): string {
  if (error instanceof errors.JWTExpired) return 'the token has expired'
  if (error instanceof errors.JWTClaimValidationFailed)
    return `the claim \`${error.claim}\` is missing or invalid`
  if (error instanceof errors.JWSSignatureVerificationFailed) return 'the signature does not match the key'
  if (error instanceof errors.JOSEAlgNotAllowed) return 'the algorithm is not that of the key'
  return 'it is not a signed token'
}

/** These claims do not decide the identity of the visitor: an unusable value counts as absent. */
function readOptional(value: unknown, maxLength: number): string | null {
  if (typeof value !== 'string' || value.trim() === '' || value.length > maxLength) return null
  return value.isWellFormed() && !value.includes('\0') ? value : null
}

function readText(payload: Record<string, unknown>, name: string, maxLength: number): string | null {
  const value = payload[name]
  if (value === undefined || value === null || value === '') return null
  if (typeof value !== 'string' || value.length > maxLength || !value.isWellFormed() || value.includes('\0'))
    return fail(IdentityInvalid, `the claim \`${name}\` must be a text of at most ${maxLength} characters`)
  return value
}
