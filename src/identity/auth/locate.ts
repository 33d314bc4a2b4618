/** Finds the cell of callers and of one-time tokens. */
import { decodeJwt } from 'jose'
import type { Config } from '../../platform/config.ts'
import type { Cells, Deps } from '../../platform/deps.ts'
import { locateToken } from '../../platform/http/locate.ts'
import { sessionTokenPrefix } from '../../platform/http/session-cookie.ts'
import { findRefreshTokenTenant } from '../store/auth-sessions.ts'
import { findApiKeyAccount, findBrowserSession } from '../store/callers.ts'
import { findOpenInvitation } from '../store/invitations.ts'
import { findOpenPasswordReset } from '../store/password-resets.ts'
import { apiKeyPrefix, hashSecret, isApiKey, issuer } from './tokens.ts'

const now = ({ clock }: Deps) => clock.now().toISOString()

/** Returns the cell of a bearer token or session cookie; undefined if the token cannot be valid in any cell. */
export async function locateCaller(
  deps: Pick<Deps, 'cells' | 'config'>,
  token: string,
): Promise<Deps | undefined> {
  const { cells } = deps
  if (token.startsWith(apiKeyPrefix)) return isApiKey(token) ? locateApiKey(cells, token) : undefined
  if (token.startsWith(`${sessionTokenPrefix}_`)) return locateSession(cells, token)
  const tenantId = readClaimedTenant(token, deps.config)
  return tenantId === undefined ? undefined : cells.of(tenantId)
}

function locateApiKey(cells: Cells, token: string): Promise<Deps> {
  return locateToken(cells, token, async deps => {
    return (await findApiKeyAccount(deps.db, hashSecret(token), now(deps)))?.tenantId
  })
}

export function locateSession(cells: Cells, token: string): Promise<Deps> {
  return locateToken(cells, token, async deps => {
    return (await findBrowserSession(deps.db, hashSecret(token), now(deps)))?.tenantId
  })
}

/** Reads the workspace of a JWT before it is verified: the cell verifies it. */
function readClaimedTenant(token: string, { oidc }: Pick<Config, 'oidc'>): string | undefined {
  try {
    const claims = decodeJwt(token)
    const external = (oidc?.tenantClaim ? claims[oidc.tenantClaim] : undefined) ?? oidc?.tenantId
    const claimed = claims.iss === issuer ? claims.tid : external
    return typeof claimed === 'string' && !claimed.includes('\0') && claimed.isWellFormed()
      ? claimed
      : undefined
  } catch {
    return undefined
  }
}

export const locateRefreshToken = (cells: Cells, token: string): Promise<Deps> =>
  locateToken(cells, token, ({ db }) => findRefreshTokenTenant(db, hashSecret(token)))

export const locateInvitation = (cells: Cells, token: string): Promise<Deps> =>
  locateToken(cells, token, async ({ db }) => (await findOpenInvitation(db, hashSecret(token)))?.tenantId)

export const locatePasswordReset = (cells: Cells, token: string): Promise<Deps> =>
  locateToken(cells, token, async ({ db }) => (await findOpenPasswordReset(db, hashSecret(token)))?.tenantId)
