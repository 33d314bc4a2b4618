/**
 * A real OpenID provider on this machine. Users log in with the authorization code flow; tests hold its keys and can
 * sign any token.
 */
import { createHash, createPrivateKey, type KeyObject, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'
import Provider, { type Configuration } from 'oidc-provider'
import { afterAll } from 'vitest'

export const audience = 'https://parley.example/api'
export const clientId = 'parley-console'
/** The client of the login button; a native client may use any port of the loopback address. */
export const loginClientId = 'parley-login'
const redirectUri = 'http://127.0.0.1/callback'

export type Claims = Record<string, unknown>
export interface Tokens {
  accessToken: string
  idToken: string
}

export interface Issuer {
  url: string
  /** Claims of users by subject; may change between logins. */
  users: Map<string, Claims>
  logIn(subject: string): Promise<Tokens>
  /** Signs with the current key; header and claims may say anything. */
  signToken(claims: Claims, header?: Record<string, unknown>, key?: KeyObject | Uint8Array): Promise<string>
  publicJwk(): JWK
  /** Replaces the keys. */
  rotate(): Promise<void>
  /** Stops answering, or answers again. */
  pause(): Promise<void>
  resume(): Promise<void>
}

export async function startIssuer(): Promise<Issuer> {
  const people = new Map<string, Claims>()
  let current: { provider: Provider; key: JWK }
  const handler = (request: IncomingMessage, response: ServerResponse) => {
    const { provider } = current
    if (!request.url!.startsWith('/interaction/')) return provider.callback()(request, response)
    const login = { accountId: String(request.headers['x-subject']) }
    provider
      .interactionFinished(request, response, { login, consent: {} })
      .catch(error => response.destroy(error))
  }
  let server = createServer(handler)
  const port = await listen(server, 0)
  const url = `http://127.0.0.1:${port}`
  const rotate = async () => {
    const key = await generateKey()
    current = { key, provider: new Provider(url, buildConfiguration(key, people)) }
  }
  await rotate()
  const pause = () => new Promise<void>(resolve => server.close(() => resolve()).closeAllConnections())
  afterAll(() => pause())
  return {
    url,
    users: people,
    rotate,
    pause,
    resume: async () => {
      server = createServer(handler)
      await listen(server, port)
    },
    logIn: subject => logIn(url, subject),
    publicJwk: () => ({ kty: 'RSA', n: current.key.n!, e: current.key.e! }),
    signToken: (claims, header = {}, key) => {
      const now = Math.floor(Date.now() / 1000)
      const defaults = { iss: url, aud: audience, sub: 'forged', iat: now, exp: now + 600 }
      return new SignJWT({ ...defaults, ...claims })
        .setProtectedHeader({ alg: 'RS256', kid: current.key.kid!, typ: 'at+jwt', ...header })
        .sign(key ?? createPrivateKey({ key: current.key as never, format: 'jwk' }))
    },
  }
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.on('error', reject)
    server.listen(port, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  })
}

async function generateKey(): Promise<JWK> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  return { ...(await exportJWK(privateKey)), kid: randomBytes(6).toString('hex'), use: 'sig', alg: 'RS256' }
}

function buildConfiguration(key: JWK, users: Map<string, Claims>): Configuration {
  const resourceServer = {
    scope: 'openid',
    audience,
    accessTokenFormat: 'jwt' as const,
    jwt: { sign: { alg: 'RS256' as const } },
  }
  return {
    jwks: { keys: [key as never] },
    clients: [
      {
        client_id: clientId,
        application_type: 'native',
        token_endpoint_auth_method: 'none',
        redirect_uris: [redirectUri],
        grant_types: ['authorization_code'],
        response_types: ['code'],
      },
      {
        client_id: loginClientId,
        application_type: 'native',
        token_endpoint_auth_method: 'none',
        redirect_uris: ['http://127.0.0.1/v1/auth/oidc/callback'],
        grant_types: ['authorization_code'],
        response_types: ['code'],
      },
    ],
    ttl: {
      AccessToken: 600,
      AuthorizationCode: 60,
      Grant: 600,
      IdToken: 600,
      Interaction: 600,
      Session: 600,
    },
    cookies: { keys: ['a key for cookies of tests'] },
    claims: { openid: ['sub', 'email', 'email_verified', 'workspace'], profile: ['name'], email: ['email'] },
    conformIdTokenClaims: false,
    findAccount: (_, subject) => ({
      accountId: subject,
      claims: () => ({ sub: subject, ...users.get(subject) }),
    }),
    extraTokenClaims: (_, token) => users.get((token as { accountId?: string }).accountId ?? ''),
    interactions: { url: (_, interaction) => `/interaction/${interaction.uid}` },
    // Nobody is asked for consent: the client is our own.
    loadExistingGrant: async ctx => {
      const { provider, session, client } = ctx.oidc
      const grant = new provider.Grant({ accountId: session!.accountId!, clientId: client!.clientId })
      grant.addOIDCScope('openid profile email')
      grant.addResourceScope(audience, 'openid')
      await grant.save()
      return grant
    },
    features: {
      devInteractions: { enabled: false },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => audience,
        useGrantedResource: () => true,
        getResourceServerInfo: () => resourceServer,
      },
    },
  }
}

/** The authorization code flow with PKCE, following redirects and keeping cookies as a browser does. */
async function logIn(url: string, subject: string): Promise<Tokens> {
  const verifier = randomBytes(32).toString('base64url')
  const code = await authorize(url, subject, createHash('sha256').update(verifier).digest('base64url'))
  const response = await fetch(`${url}/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: clientId,
      redirect_uri: redirectUri,
      code_verifier: verifier,
      code,
    }),
  })
  const body = (await response.json()) as { access_token?: string; id_token?: string }
  if (!body.access_token || !body.id_token) throw new Error(`no tokens: ${JSON.stringify(body)}`)
  return { accessToken: body.access_token, idToken: body.id_token }
}

async function authorize(url: string, subject: string, challenge: string): Promise<string> {
  const cookies = new Map<string, string>()
  let next = new URL('/auth', url)
  next.search = new URLSearchParams({
    client_id: clientId,
    response_type: 'code',
    scope: 'openid',
    redirect_uri: redirectUri,
    code_challenge: challenge,
    code_challenge_method: 'S256',
  }).toString()
  for (let step = 0; step < 10; step++) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(next, { redirect: 'manual', headers: { cookie, 'x-subject': subject } })
    for (const set of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(set)!
      cookies.set(name!, value!)
    }
    const location = response.headers.get('location')
    if (!location) throw new Error(`no way on from ${next}: ${response.status} ${await response.text()}`)
    next = new URL(location, next)
    const code = next.searchParams.get('code')
    if (code) return code
  }
  throw new Error('the login goes in circles')
}
