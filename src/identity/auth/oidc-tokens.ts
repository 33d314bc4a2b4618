/**
 * Whether a JWT is one that our identity provider made for us: signed with one of its published keys, for our audience,
 * not expired. An issuer that cannot be reached vouches for nobody; that is no fault of ours.
 */
import { createRemoteJWKSet, customFetch, decodeJwt, errors, type JWTPayload, jwtVerify } from 'jose'
import type { Config } from '../../platform/config.ts'
import type { Deps } from '../../platform/deps.ts'

type KeySet = ReturnType<typeof createRemoteJWKSet>

const timeoutMs = 5_000
/** An unknown key makes us ask again, but no more often than this: a rotation is seen soon, nonsense costs little. */
const keyRefreshCooldownMs = 2_000
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA']

export function createOidcTokenVerifier(deps: Deps, oidc: NonNullable<Config['oidc']>) {
  const keySet = createKeySetLoader(oidc.issuer)
  const warn = createThrottledWarning(deps)
  const { issuer, audience } = oidc
  return async (token: string): Promise<JWTPayload | undefined> => {
    try {
      // What does not even claim to be theirs, such as an old token of our own, is not worth asking them about.
      if (decodeJwt(token).iss !== issuer) return undefined
      const { payload, protectedHeader } = await jwtVerify(token, await keySet(), {
        issuer,
        audience,
        algorithms,
        currentDate: deps.clock.now(),
        clockTolerance: 5,
        requiredClaims: ['exp', 'sub'],
      })
      // An access or ID token: other things the issuer signs, such as logout tokens, are no proof of who calls.
      return /^((application\/)?(at\+)?jwt)?$/i.test(protectedHeader.typ ?? '') ? payload : undefined
    } catch (error) {
      if (isIssuerUnreachable(error)) warn(error)
      return undefined
    }
  }
}

/** Anything but the verdict that the token is not good. */
function isIssuerUnreachable(error: unknown): boolean {
  if (!(error instanceof errors.JOSEError)) return true
  return [errors.JOSEError.code, errors.JWKSTimeout.code, errors.JWKSInvalid.code].includes(error.code)
}

/** Now and then: whoever sends tokens while the issuer is away must not fill the log. */
function createThrottledWarning(deps: Deps): (error: unknown) => void {
  let quietUntil = 0
  return error => {
    if (performance.now() < quietUntil) return
    quietUntil = performance.now() + 10_000
    deps.log.warn({ err: error }, 'the identity provider cannot be reached')
  }
}

/** Found by discovery at first use; a failure is soon forgotten, so that a later token tries again. */
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
