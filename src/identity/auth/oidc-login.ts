/**
 * Logs browsers in through the configured identity provider: the authorization code flow with PKCE. The state of the flow
 * when the provider sends the browser back is in a cookie of that browser, so that only the browser that began a login
 * can complete it.
 */
import Type, { type Static } from 'typebox'
import { defineCache } from '../../platform/caches.ts'
import type { Config } from '../../platform/config.ts'
import type { Deps } from '../../platform/deps.ts'
import { fail } from '../../platform/errors.ts'
import { object } from '../../platform/http/schemas.ts'
import { matchesSchema } from '../../platform/http/validate.ts'
import { OidcLoginUnavailable } from '../errors.ts'
import { createOidcUserFinder } from './oidc-users.ts'

export const oidcCallbackPath = '/auth/oidc/callback'
export const oidcLoginSeconds = 600
const timeoutSeconds = 10

/** A path of this service: another page must not be able to use a login as a redirect to itself. */
export const ReturnTo = Type.String({
  pattern: '^/([\\x21-\\x2e\\x30-\\x5b\\x5d-\\x7e][\\x21-\\x5b\\x5d-\\x7e]*)?$',
  maxLength: 2000,
  description: 'The page to open after the login: a path of this service.',
})

const Attempt = object({
  state: Type.String({ minLength: 1 }),
  nonce: Type.String({ minLength: 1 }),
  verifier: Type.String({ minLength: 1 }),
  returnTo: ReturnTo,
})
type Attempt = Static<typeof Attempt>

/** Why a login was not completed; the console explains it. */
export type OidcLoginFailure = 'cancelled' | 'expired' | 'refused' | 'unavailable'

export type OidcLoginResult = { returnTo: string } & (
  | { user: { tenantId: string; userId: string } }
  | { failure: OidcLoginFailure }
)

type OidcConfig = NonNullable<Config['oidc']>

/** The client library and the provider's metadata, loaded with the first login. */
async function connect({ issuer, clientId, clientSecret }: OidcConfig & { clientId: string }) {
  const library = await import('openid-client')
  const auth = clientSecret ? library.ClientSecretPost(clientSecret) : library.None()
  const provider = await library.discovery(new URL(issuer), clientId, undefined, auth, {
    timeout: timeoutSeconds,
    execute: issuer.startsWith('http:') ? [library.allowInsecureRequests] : [],
  })
  return { library, provider }
}

const connectionCache = defineCache(() => ({ current: undefined as ReturnType<typeof connect> | undefined }))
/** The user is found in the cell of the workspace that the token names. */
const finderCache = defineCache((deps: Deps) => {
  const oidc = deps.config.oidc!
  // An ID token is for the client, not for the API.
  return createOidcUserFinder(deps, { ...oidc, audience: oidc.clientId! })
})

function getConnection(deps: Deps): ReturnType<typeof connect> {
  const { oidc } = deps.config
  if (!oidc?.clientId) fail(OidcLoginUnavailable)
  const cache = connectionCache(deps)
  cache.current ??= connect({ ...oidc, clientId: oidc.clientId }).catch(error => {
    cache.current = undefined
    throw error
  })
  return cache.current
}

const getRedirectUri = ({ config }: Deps) => `${config.publicUrl}/v1${oidcCallbackPath}`

/** Returns the page of the provider to open, and the value of the cookie that completes the login. */
export async function startOidcLogin(
  deps: Deps,
  returnTo: string,
): Promise<{ url: string; cookie: string } | undefined> {
  const connection = await getConnection(deps).catch(error => {
    if (!deps.config.oidc?.clientId) throw error
    deps.log.warn({ err: error, issuer: deps.config.oidc.issuer }, 'the identity provider is unreachable')
  })
  if (!connection) return undefined
  const { library, provider } = connection
  const attempt: Attempt = {
    state: library.randomState(),
    nonce: library.randomNonce(),
    verifier: library.randomPKCECodeVerifier(),
    returnTo,
  }
  const url = library.buildAuthorizationUrl(provider, {
    redirect_uri: getRedirectUri(deps),
    scope: 'openid profile email',
    state: attempt.state,
    nonce: attempt.nonce,
    code_challenge: await library.calculatePKCECodeChallenge(attempt.verifier),
    code_challenge_method: 'S256',
  })
  return { url: url.href, cookie: Buffer.from(JSON.stringify(attempt)).toString('base64url') }
}

/** Exchanges the code in the query for an ID token, and finds or joins its user. */
export async function completeOidcLogin(
  deps: Deps,
  query: URLSearchParams,
  cookie: string | undefined,
): Promise<OidcLoginResult> {
  if (!deps.config.oidc?.clientId) fail(OidcLoginUnavailable)
  const attempt = readAttempt(cookie)
  const failed = (failure: OidcLoginFailure) => ({ returnTo: attempt?.returnTo ?? '/', failure })
  if (!attempt || query.get('state') !== attempt.state) return failed('expired')
  if (query.get('error') === 'access_denied') return failed('cancelled')
  const idToken = await exchangeCode(deps, query, attempt).catch(error => {
    deps.log.warn({ err: error, issuer: deps.config.oidc!.issuer }, 'a login of the identity provider failed')
  })
  if (!idToken) return failed('unavailable')
  const found = await finderCache(deps)(idToken)
  if (!found) return failed('refused')
  return { returnTo: attempt.returnTo, user: { tenantId: found.tenantId, userId: found.userId } }
}

function readAttempt(cookie: string | undefined): Attempt | undefined {
  try {
    const attempt: unknown = JSON.parse(Buffer.from(cookie ?? '', 'base64url').toString())
    return matchesSchema(Attempt, attempt) ? (attempt as Attempt) : undefined
  } catch {
    return undefined
  }
}

async function exchangeCode(deps: Deps, query: URLSearchParams, { state, nonce, verifier }: Attempt) {
  const { library, provider } = await getConnection(deps)
  const url = new URL(getRedirectUri(deps))
  url.search = query.toString()
  const tokens = await library.authorizationCodeGrant(provider, url, {
    pkceCodeVerifier: verifier,
    expectedState: state,
    expectedNonce: nonce,
    idTokenExpected: true,
  })
  return tokens.id_token
}
