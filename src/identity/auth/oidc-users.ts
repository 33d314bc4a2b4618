/**
 * Finds the users of tokens of an external identity provider. The issuer authenticates the person; workspace and role
 * are our data. A user is linked by e-mail address only if both sides have verified the address.
 */
import type { JWTPayload } from 'jose'
import type { Config } from '../../platform/config.ts'
import { isUniqueViolation } from '../../platform/db/db.ts'
import { transact } from '../../platform/db/transact.ts'
import type { Deps } from '../../platform/deps.ts'
import { recordAudit } from '../audit.ts'
import { findEnabledUser, type UserAccess } from '../store/callers.ts'
import { findUserByEmail, findUserBySubject, linkSubject } from '../store/users.ts'
import { createOidcTokenVerifier } from './oidc-tokens.ts'

type OidcConfig = NonNullable<Config['oidc']>
export type FindOidcUser = (
  token: string,
) => Promise<{ tenantId: string; userId: string; user: UserAccess | undefined } | undefined>

interface OidcIdentity {
  tenantId: string
  issuer: string
  subject: string
  /** Undefined unless the issuer has verified it. */
  email: string | undefined
}

export function createOidcUserFinder(deps: Deps, oidc: OidcConfig): FindOidcUser {
  const verify = createOidcTokenVerifier(deps, oidc)
  return async token => {
    const payload = await verify(token)
    const identity = payload && toOidcIdentity(oidc, payload)
    if (!identity) return undefined
    const { tenantId, issuer, subject } = identity
    const find = () => findUserBySubject(deps.db, tenantId, issuer, subject)
    // A concurrent request may have linked the user.
    const found = (await find()) ?? ((await linkUser(deps, identity)) ? await find() : undefined)
    return found && { tenantId, userId: found.id, user: await findEnabledUser(deps.db, tenantId, found.id) }
  }
}

/** Returns the claim if it is text that the database can store. */
function toStorableText(claim: unknown): string | undefined {
  const usable = typeof claim === 'string' && claim !== '' && !claim.includes('\0') && claim.isWellFormed()
  return usable ? claim : undefined
}

function toOidcIdentity(oidc: OidcConfig, payload: JWTPayload): OidcIdentity | undefined {
  const subject = toStorableText(payload.sub)
  const tenantId = getTenantId(oidc, payload)
  if (subject === undefined || tenantId === undefined) return undefined
  const email = payload.email_verified === true ? toStorableText(payload.email) : undefined
  return { tenantId, issuer: oidc.issuer, subject, email }
}

function getTenantId(oidc: OidcConfig, payload: JWTPayload): string | undefined {
  const claimed = oidc.tenantClaim ? payload[oidc.tenantClaim] : undefined
  return claimed === undefined ? oidc.tenantId : toStorableText(claimed)
}

/** Links the user with this address; returns false if there is none. The user may be linked to another identity. */
async function linkUser(deps: Deps, identity: OidcIdentity): Promise<boolean> {
  const { tenantId, issuer, subject, email } = identity
  const user = email === undefined ? undefined : await findUserByEmail(deps.db, tenantId, email)
  if (!user || !(user.emailVerified || user.invited)) return false
  try {
    await transact(deps.db, async tx => {
      if ((await linkSubject(tx, tenantId, user.id, issuer, subject)) === 0) return
      await recordAudit(tx, { kind: 'user', id: user.id, tenantId }, 'user.linked', user.id, { issuer })
    })
  } catch (error) {
    if (!isUniqueViolation(error, 'users_subject')) throw error
  }
  return true
}
