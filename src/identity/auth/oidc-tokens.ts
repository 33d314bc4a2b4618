/**
 * Verifies JWTs of the configured identity provider: signed with one of its published keys, for our audience, not
 * expired. While the issuer is unreachable its tokens are invalid; that is not an error of ours.
 */
import { createRemoteJWKSet, customFetch, decodeJwt, errors, type JWTPayload, jwtVerify } from 'jose'
import type { Config } from '../../platform/config.ts'
import type { Deps } from '../../platform/deps.ts'

type KeySet = ReturnType<typeof createRemoteJWKSet>

const timeoutMs = 5_000
/** Minimum time between two downloads of the keys because of an unknown key id. */
const keyRefreshCooldownMs = 2_000
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA']

export function createOidcTokenVerifier(deps: Deps, oidc: NonNullable<Config['oidc']>) {
  const keySet = createKeySetLoader(oidc.issuer)
  const warn = createThrottledWarning(deps)
  const { issuer, audience } = oidc
  return async (token: string): Promise<JWTPayload | undefined> => {
    try {
      // Tokens of other issuers, such as our own expired ones, cause no request to the provider.
      if (decodeJwt(token).iss !== issuer) return undefined
      const { payload, protectedHeader } = await jwtVerify(token, await keySet(), {
        issuer,
        audience,
        algorithms,
        currentDate: deps.clock.now(),
        clockTolerance: 5,
        requiredClaims: ['exp', 'sub'],
      })
      // Only access and ID tokens authenticate; issuers also sign other tokens, such as logout tokens.
      return /^((application\/)?(at\+)?jwt)?$/i.test(protectedHeader.typ ?? '') ? payload : undefined
    } catch (error) {
      if (isIssuerUnreachable(error)) warn(error)
      return undefined
    }
  }
}

/** Reports whether the token could not be checked, as opposed to being invalid. */
function isIssuerUnreachable(error: unknown): boolean {
  if (!(error instanceof errors.JOSEError)) return true
  return [errors.JOSEError.code, errors.JWKSTimeout.code, errors.JWKSInvalid.code].includes(error.code)
}

/** Limits the warnings, so that tokens sent while the issuer is unreachable do not fill the log. */
function createThrottledWarning(deps: Deps): (error: unknown) => void {
  let quietUntil = 0
  return error => {
    if (performance.now() < quietUntil) return
    quietUntil = performance.now() + 10_000
    deps.log.warn({ err: error }, 'identity provider unreachable')
  }
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
