/**
 * Tokens of an outside identity provider. The issuer vouches for the person; which workspace they belong to and what
 * they may do there is our own data. An account is linked by e-mail only when both sides are sure of the address.
 */
import type { JWTPayload } from 'jose'
import type { Config } from '../platform/config.ts'
import { isUniqueViolation } from '../platform/db/db.ts'
import { transact } from '../platform/db/transact.ts'
import type { Deps } from '../platform/deps.ts'
import { recordAudit } from './audit.ts'
import { outsideTokens } from './outside-tokens.ts'
import { findEnabledUser, type LoggedIn } from './store/callers.ts'
import { findUserByEmail, findUserBySubject, linkSubject } from './store/users.ts'

type Oidc = NonNullable<Config['oidc']>
export type OutsideUsers = (
  token: string,
) => Promise<{ tenantId: string; userId: string; user: LoggedIn | undefined } | undefined>

interface Person {
  tenantId: string
  issuer: string
  subject: string
  /** Only when the issuer is sure of it. */
  email: string | undefined
}

export function outsideUsers(deps: Deps, oidc: Oidc): OutsideUsers {
  const verify = outsideTokens(deps, oidc)
  return async token => {
    const payload = await verify(token)
    const person = payload && personOf(oidc, payload)
    if (!person) return undefined
    const { tenantId, issuer, subject } = person
    const find = () => findUserBySubject(deps.db, tenantId, issuer, subject)
    // Linked by another request in the meantime is as good.
    const found = (await find()) ?? ((await link(deps, person)) ? await find() : undefined)
    return found && { tenantId, userId: found.id, user: await findEnabledUser(deps.db, tenantId, found.id) }
  }
}

/** What a claim says, when it is text that the database can hold. */
function text(claim: unknown): string | undefined {
  const usable = typeof claim === 'string' && claim !== '' && !claim.includes('\0') && claim.isWellFormed()
  return usable ? claim : undefined
}

function personOf(oidc: Oidc, payload: JWTPayload): Person | undefined {
  const subject = text(payload.sub)
  const tenantId = tenantOf(oidc, payload)
  if (subject === undefined || tenantId === undefined) return undefined
  const email = payload.email_verified === true ? text(payload.email) : undefined
  return { tenantId, issuer: oidc.issuer, subject, email }
}

function tenantOf(oidc: Oidc, payload: JWTPayload): string | undefined {
  const claimed = oidc.tenantClaim ? payload[oidc.tenantClaim] : undefined
  return claimed === undefined ? oidc.tenantId : text(claimed)
}

/** Whether there was an account to link, which by now may be linked to this person or to another. */
async function link(deps: Deps, person: Person): Promise<boolean> {
  const { tenantId, issuer, subject, email } = person
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
