/**
 * Tokens of an outside identity provider. The issuer vouches for the person; which workspace they belong to and what
 * they may do there is our own data. An account is linked by e-mail only when both sides are sure of the address.
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
  /** Only when the issuer is sure of it. */
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
    // Linked by another request in the meantime is as good.
    const found = (await find()) ?? ((await linkUser(deps, identity)) ? await find() : undefined)
    return found && { tenantId, userId: found.id, user: await findEnabledUser(deps.db, tenantId, found.id) }
  }
}

/** What a claim says, when it is text that the database can hold. */
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

/** Whether there was an account to link, which by now may be linked to this person or to another. */
async function linkUser(deps: Deps, identity: OidcIdentity): Promise<boolean> {
  const { tenantId, issuer, subject, email } = identity
  const user = email === undefined ? undefined : await findUserByEmail(deps.db, tenantId, email)
  if (!user || !(user.emailVerified || user.invited)) return false
  try {
    await transact(deps.db, async tx => {
      if ((await linkSubject(tx, tenantId, user.id, issuer, subject)) === 0) return
      await recordAudit(
        tx,
        tenantId,
        { kind: 'user', id: user.id },
        { action: 'user.linked', targetType: 'user', targetId: user.id, details: { issuer } },
      )
    })
  } catch (error) {
    if (!isUniqueViolation(error, 'users_subject')) throw error
  }
  return true
}
