/**
 * Verifies JWTs of the configured identity provider: signed with one of its published keys, for our audience, not
 * expired. While the issuer is unreachable its tokens are refused; that is not an error of ours.
 */
import { createRemoteJWKSet, customFetch, decodeJwt, errors, type JWTPayload, jwtVerify } from 'jose'
import type { Config } from '../../platform/config.ts'
import type { Deps } from '../../platform/deps.ts'

type KeySet = ReturnType<typeof createRemoteJWKSet>

const timeoutMs = 5_000
/** Minimum time between two downloads of the keys because of an unknown key id. */
const keyRefreshCooldownMs = 2_000
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA']

/** Thrown for a token of the provider that authenticates nobody; logged with its reason. */
export class OidcRefused extends Error {
  readonly reason: string
  constructor(reason: string, detail = '') {
    super(detail)
    this.reason = reason
  }
}

/** Returns the claims; undefined for tokens of other issuers. Throws OidcRefused. */
export function createOidcTokenVerifier(deps: Deps, oidc: NonNullable<Config['oidc']>) {
  const keySet = createKeySetLoader(oidc.issuer)
  const { issuer, audience } = oidc
  return async (token: string): Promise<JWTPayload | undefined> => {
    // Tokens of other issuers, such as our own expired ones, cause no request to the provider.
    if (!isIssuedBy(token, issuer)) return undefined
    try {
      const { payload, protectedHeader } = await jwtVerify(token, await keySet(), {
        issuer,
        audience,
        algorithms,
        currentDate: deps.clock.now(),
        clockTolerance: 5,
        requiredClaims: ['exp', 'sub'],
      })
      // Only access and ID tokens authenticate; issuers also sign other tokens, such as logout tokens.
      if (/^((application\/)?(at\+)?jwt)?$/i.test(protectedHeader.typ ?? '')) return payload
    } catch (error) {
      const { message } = error as Error
      if (isIssuerUnreachable(error)) throw new OidcRefused('issuer_unreachable', message)
      throw new OidcRefused(error instanceof errors.JWTExpired ? 'token_expired' : 'token_invalid', message)
    }
    throw new OidcRefused('token_invalid', 'neither an access token nor an ID token')
  }
}

function isIssuedBy(token: string, issuer: string): boolean {
  try {
    return decodeJwt(token).iss === issuer
  } catch {
    return false
  }
}

/** Reports whether the token could not be checked, as opposed to being invalid. */
function isIssuerUnreachable(error: unknown): boolean {
  if (!(error instanceof errors.JOSEError)) return true
  return [errors.JOSEError.code, errors.JWKSTimeout.code, errors.JWKSInvalid.code].includes(error.code)
}

/** Discovers the keys on first use. A failure is retried after the cooldown. */
function createKeySetLoader(issuer: string): () => Promise<KeySet> {
  let keySet: Promise<KeySet> | undefined
  return () => {
    keySet ??= discoverKeySet(issuer).catch(error => {
      setTimeout(() => {
        keySet = undefined
      }, keyRefreshCooldownMs).unref()
      throw error
    })
    return keySet
  }
}

async function discoverKeySet(issuer: string): Promise<KeySet> {
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs), redirect: 'error' })
  const document = (await response.json()) as { issuer?: string; jwks_uri?: string }
  if (document.issuer !== issuer || !document.jwks_uri)
    throw new Error(`${url} does not describe the issuer ${issuer}`)
  return createRemoteJWKSet(new URL(document.jwks_uri), {
    timeoutDuration: timeoutMs,
    cooldownDuration: keyRefreshCooldownMs,
    [customFetch]: (target, options) => fetch(target, { ...options, redirect: 'error' }),
  })
}
