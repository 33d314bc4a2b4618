/**
 * Finds the users of tokens of an external identity provider. The issuer authenticates the person; workspace and role
 * are our data. A user is linked by e-mail address only if both sides have verified the address; an invited person joins
 * with the first token. Linking removes the password and the sessions made with it.
 */
import type { JWTPayload } from 'jose'
import { LRUCache } from 'lru-cache'
import type { Config } from '../../platform/config.ts'
import { isUniqueViolation } from '../../platform/db/db.ts'
import { transact } from '../../platform/db/transact.ts'
import type { Deps } from '../../platform/deps.ts'
import { Problem } from '../../platform/errors.ts'
import { Name } from '../../platform/http/schemas.ts'
import { matchesSchema } from '../../platform/http/validate.ts'
import { recordAudit } from '../audit.ts'
import { EmailTaken } from '../errors.ts'
import { callersChanged } from '../rights/reauthorize.ts'
import { revokeAuthSessionsOfUser } from '../store/auth-sessions.ts'
import { findEnabledUser, type UserAccess } from '../store/callers.ts'
import { acceptInvitationFor, hasOpenInvitationFor } from '../store/invitations.ts'
import { deletePasswordResetOf } from '../store/password-resets.ts'
import { deleteSecondFactor } from '../store/second-factors.ts'
import { findUserByEmail, findUserBySubject, type LinkCandidate, linkSubject } from '../store/users.ts'
import { joinWorkspace } from '../users/join-workspace.ts'
import { createOidcTokenVerifier, OidcRefused } from './oidc-tokens.ts'

type OidcConfig = NonNullable<Config['oidc']>
export type FindOidcUser = (
  token: string,
) => Promise<{ tenantId: string; userId: string; user: UserAccess } | undefined>

interface OidcIdentity {
  tenantId: string
  issuer: string
  subject: string
  /** Undefined unless the issuer has verified it. */
  email: string | undefined
  name: string | undefined
}

export function createOidcUserFinder(deps: Deps, oidc: OidcConfig): FindOidcUser {
  const verify = createOidcTokenVerifier(deps, oidc)
  const logRefusal = createRefusalLog(deps, oidc)
  return async token => {
    let payload: JWTPayload | undefined
    try {
      payload = await verify(token)
      if (!payload) return undefined
      const identity = toOidcIdentity(oidc, payload)
      return await findUser(await deps.cells.of(identity.tenantId), identity)
    } catch (error) {
      if (!(error instanceof OidcRefused)) throw error
      logRefusal(error, payload?.sub)
      return undefined
    }
  }
}

/** Logs a reason once in ten seconds for each subject, so that a client that repeats a bad token does not fill the log. */
function createRefusalLog({ log }: Deps, { issuer }: OidcConfig) {
  const logged = new LRUCache<string, true>({ max: 1_000, ttl: 10_000 })
  return ({ reason, message }: OidcRefused, subject: string | undefined) => {
    const key = `${reason} ${subject}`
    if (logged.has(key)) return
    logged.set(key, true)
    log.warn({ reason, detail: message, issuer, subject }, 'token of the identity provider refused')
  }
}

async function findUser(deps: Deps, identity: OidcIdentity) {
  const { tenantId, issuer, subject } = identity
  const find = () => findUserBySubject(deps.db, tenantId, issuer, subject)
  let found = await find()
  if (!found) {
    const refusal = await linkOrJoin(deps, identity).catch(error => {
      if (error instanceof OidcRefused) return error
      throw error
    })
    // A concurrent request may have linked the user or accepted the invitation.
    found = await find()
    if (!found && refusal) throw refusal
  }
  if (!found) throw new OidcRefused('user_linked_elsewhere', 'the user is linked to another identity')
  const user = await findEnabledUser(deps.db, tenantId, found.id)
  if (!user) throw new OidcRefused('user_disabled')
  return { tenantId, userId: found.id, user }
}

/** Returns the claim if it is text that the database can store. */
function toStorableText(claim: unknown): string | undefined {
  const usable = typeof claim === 'string' && claim !== '' && !claim.includes('\0') && claim.isWellFormed()
  return usable ? claim : undefined
}

function toOidcIdentity(oidc: OidcConfig, payload: JWTPayload): OidcIdentity {
  const subject = toStorableText(payload.sub)
  if (subject === undefined) throw new OidcRefused('subject_missing')
  const tenantId = getTenantId(oidc, payload)
  if (tenantId === undefined)
    throw new OidcRefused('workspace_missing', `the claim ${oidc.tenantClaim} names no workspace`)
  const email = payload.email_verified === true ? toStorableText(payload.email) : undefined
  const name = toStorableText(payload.name)
  return { tenantId, issuer: oidc.issuer, subject, email, name: matchesSchema(Name, name) ? name : undefined }
}

function getTenantId(oidc: OidcConfig, payload: JWTPayload): string | undefined {
  const claimed = oidc.tenantClaim ? payload[oidc.tenantClaim] : undefined
  return claimed === undefined ? oidc.tenantId : toStorableText(claimed)
}

/** Links the user with this address, or accepts the open invitation to it. Throws OidcRefused if there is neither. */
async function linkOrJoin(deps: Deps, identity: OidcIdentity): Promise<void> {
  const { tenantId, email } = identity
  if (email === undefined)
    throw new OidcRefused('email_unverified', 'the issuer has not verified an e-mail address')
  const user = await findUserByEmail(deps.db, tenantId, email)
  try {
    if (user && !user.disabled) return await linkUser(deps, identity, user)
    if (await hasOpenInvitationFor(deps.db, tenantId, email))
      return await joinByInvitation(deps, identity, email)
  } catch (error) {
    if (isUniqueViolation(error, 'users_subject')) return
    if (!(error instanceof Problem && error.kind === EmailTaken)) throw error
  }
  throw new OidcRefused(user ? 'user_disabled' : 'user_unknown')
}

async function linkUser(deps: Deps, identity: OidcIdentity, user: LinkCandidate): Promise<void> {
  const { tenantId, issuer, subject } = identity
  if (!(user.emailVerified || user.invited))
    throw new OidcRefused('user_unverified', 'the address of the user is neither verified nor invited')
  await transact(deps.db, async tx => {
    if ((await linkSubject(tx, tenantId, user.id, issuer, subject)) === 0) return
    await revokeAuthSessionsOfUser(tx, tenantId, user.id)
    await deletePasswordResetOf(tx, tenantId, user.id)
    await deleteSecondFactor(tx, tenantId, user.id)
    await recordAudit(tx, { kind: 'user', id: user.id, tenantId }, 'user.linked', user.id, { issuer })
    tx.signal(callersChanged, tenantId)
  })
}

async function joinByInvitation(deps: Deps, identity: OidcIdentity, email: string): Promise<void> {
  const { tenantId, issuer, subject, name = email.split('@')[0]! } = identity
  await transact(deps.db, async tx => {
    const invitation = await acceptInvitationFor(tx, tenantId, email)
    const login = { name, provider: issuer, subject, passwordHash: null }
    if (invitation) await joinWorkspace(tx, invitation, login)
  })
}
