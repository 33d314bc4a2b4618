/** People who come with a token of an outside identity provider: a real one, and everything that only looks like it. */

import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { decodeProtectedHeader } from 'jose'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { testApi } from '../../../test/harness/api.ts'
import { eventually, within } from '../../../test/harness/wait.ts'
import { sql } from '../../platform/db/sql.ts'
import { audience, clientId, startIssuer } from '../testing/oidc-issuer.ts'
import { clientWithToken, createTestUser, logIn, password, type TestUser } from '../testing/users.ts'

const issuer = await startIssuer()
const lines: string[] = []
const api = await testApi(
  { OIDC_ISSUER: issuer.url, OIDC_AUDIENCE: audience, OIDC_TENANT_CLAIM: 'workspace', LOG_LEVEL: 'warn' },
  { logTo: { write: line => lines.push(line) } },
)
const other = await api.another()
const { db, clock } = api.deps
const ws = await api.workspace()
const me = (token: string, at = api) => clientWithToken(at, token).get('/users/me')
const status = async (token: string, at = api) => (await me(token, at)).status

let n = 0
let subject = ''
beforeEach(() => {
  subject = `subject-${n++}`
})

/** Registers a user of our workspace with this address at the issuer. */
function known(email: string, more: object = {}): void {
  issuer.users.set(subject, { email, email_verified: true, workspace: ws.tenantId, ...more })
}
async function accessToken(): Promise<string> {
  return (await issuer.logIn(subject)).accessToken
}
const verifyEmail = ({ id }: TestUser) => db.run(sql`update users set email_verified = true where id = ${id}`)

describe('linking', () => {
  test('200 for an invited user whose address the issuer is sure of; from then on found by subject', async () => {
    const person = await createTestUser(api, ws.tenantId, { invited: true, role: 'admin' })
    known(person.email.toUpperCase())
    const token = await accessToken()
    expect(decodeProtectedHeader(token)).toMatchObject({ alg: 'RS256', typ: 'at+jwt' })
    const answer = await me(token)
    expect(answer).toMatchObject({
      status: 200,
      body: { id: person.id, role: 'admin', provider: issuer.url, emailVerified: true },
    })
    const log = await ws.owner.get(`/audit-log?targetId=${person.id}&action=user.linked`)
    expect(log.body.items).toMatchObject([{ actorId: person.id, details: { issuer: issuer.url } }])
    // The address at the issuer no longer matters, verified or not.
    known('someone-else@example.com', { email_verified: false })
    expect((await me(await accessToken())).body.id).toBe(person.id)
  })

  test('linking removes the password and ends the sessions and resets made before it', async () => {
    const person = await createTestUser(api, ws.tenantId, { invited: true })
    const { accessToken: session, refreshToken } = (await logIn(api, person.email)).body
    const { token: reset } = (await ws.owner.post(`/users/${person.id}/password-reset`)).body
    known(person.email)
    expect(await status(await accessToken())).toBe(200)
    expect(await status(session)).toBe(401)
    expect((await api.anonymous.post('/auth/refresh', { refreshToken })).status).toBe(401)
    expect((await logIn(api, person.email)).status).toBe(401)
    const withReset = { token: reset, password: 'entirely other words' }
    expect((await api.anonymous.post('/auth/password-reset', withReset)).status).toBe(400)
    expect((await ws.owner.post(`/users/${person.id}/password-reset`)).body.code).toBe(
      'auth_password_not_used',
    )
    const change = { current: password, new: 'entirely other words' }
    const changed = await clientWithToken(api, await accessToken()).put('/users/me/password', change)
    expect(changed).toMatchObject({ status: 409, body: { code: 'auth_password_not_used' } })
  })

  test('200 for an invited person on the first token, without a password', async () => {
    const email = `${subject}@example.com`
    await ws.owner.post('/users/invitations', {
      email: email.toUpperCase(),
      role: 'admin',
      teamIds: [ws.teamId],
    })
    known(email, { name: 'Ines Invited' })
    const tokens = await Promise.all(Array.from({ length: 4 }, accessToken))
    const answers = await Promise.all(tokens.map((token, i) => me(token, i % 2 ? api : other)))
    for (const answer of answers)
      expect(answer).toMatchObject({
        status: 200,
        body: {
          name: 'Ines Invited',
          role: 'admin',
          teamIds: [ws.teamId],
          provider: issuer.url,
          emailVerified: true,
        },
      })
    expect(new Set(answers.map(answer => answer.body.id)).size).toBe(1)
    expect((await ws.owner.get(`/users/invitations`)).body.items).not.toMatchObject([{ email }])
    expect((await logIn(api, email)).status).toBe(401)
  })

  test('a refused token is logged with its reason', async () => {
    const reasons = () =>
      lines
        .map(line => JSON.parse(line))
        .filter(line => line.subject === subject && line.reason)
        .map(line => line.reason)
    const person = await createTestUser(api, ws.tenantId)
    const refuse = async (reason: string, email: string, more: object = {}) => {
      subject = `${subject}-${reason}`
      known(email, more)
      expect(await status(await accessToken())).toBe(401)
      expect(reasons()).toEqual([reason])
    }
    await refuse('user_unverified', person.email)
    await refuse('user_unknown', 'nobody@example.com')
    await refuse('email_unverified', person.email, { email_verified: false })
    await refuse('workspace_missing', person.email, { workspace: undefined })
    await ws.owner.patch(`/users/${person.id}`, { disabled: true })
    await refuse('user_disabled', person.email)
    // A server logs the reason again only after ten seconds; this one has not logged it yet.
    const unaware = await api.another()
    lines.length = 0
    expect(await status(await issuer.signToken({ aud: 'someone else' }), unaware)).toBe(401)
    expect(lines.map(line => JSON.parse(line))).toMatchObject([
      { reason: 'token_invalid', detail: expect.stringContaining('aud'), issuer: issuer.url },
    ])
  })

  test('200 for a user whose address we have verified', async () => {
    const person = await createTestUser(api, ws.tenantId)
    await verifyEmail(person)
    known(person.email)
    expect((await me(await accessToken())).body.id).toBe(person.id)
  })

  test('401 for an address of ours that is neither verified nor invited: anyone could have entered it', async () => {
    const person = await createTestUser(api, ws.tenantId, { role: 'owner' })
    known(person.email)
    expect(await status(await accessToken())).toBe(401)
  })

  test.each([
    { email_verified: false },
    { email_verified: undefined },
    { email_verified: 'true' },
    { email_verified: 1 },
    { email: undefined },
    { email: null },
    { email: ['a@example.com'] },
    { email: '' },
    { email: 'nobody@example.com' },
    { email: 'a\0b@example.com' },
    { email: '\ud800@example.com' },
  ])('401 when the issuer says %j', async claims => {
    const person = await createTestUser(api, ws.tenantId, { invited: true })
    const { email, ...rest } = { email: person.email as unknown, ...claims }
    known('', { email, ...rest })
    expect(await status(await accessToken())).toBe(401)
    expect((await ws.owner.get(`/users/${person.id}`)).body.provider).toBe('password')
  })

  test('401 for a second subject with the address of a linked user', async () => {
    const person = await createTestUser(api, ws.tenantId, { invited: true })
    known(person.email)
    const first = await accessToken()
    expect(await status(first)).toBe(200)
    subject = `${subject}-double`
    known(person.email)
    expect(await status(await accessToken())).toBe(401)
    expect(await status(first)).toBe(200)
  })

  test('401 for a disabled user, who is not linked either', async () => {
    const person = await createTestUser(api, ws.tenantId, { invited: true })
    await ws.owner.patch(`/users/${person.id}`, { disabled: true })
    known(person.email)
    const token = await accessToken()
    expect(await status(token)).toBe(401)
    expect((await ws.owner.get(`/users/${person.id}`)).body.provider).toBe('password')
    await ws.owner.patch(`/users/${person.id}`, { disabled: false })
    expect(await status(token)).toBe(200)
    await ws.owner.patch(`/users/${person.id}`, { disabled: true })
    expect(await status(token)).toBe(401)
  })

  test('200 for all who come first at the same time; linked once', async () => {
    const person = await createTestUser(api, ws.tenantId, { invited: true })
    known(person.email)
    const tokens = await Promise.all(Array.from({ length: 6 }, accessToken))
    const answers = await Promise.all(tokens.map((token, i) => status(token, i % 2 ? api : other)))
    expect(answers).toEqual([200, 200, 200, 200, 200, 200])
    const log = await ws.owner.get(`/audit-log?targetId=${person.id}&action=user.linked`)
    expect(log.body.items).toHaveLength(1)
  })

  test('two accounts and one subject at the same time: one is linked, nothing breaks', async () => {
    const [a, b] = [
      await createTestUser(api, ws.tenantId, { invited: true }),
      await createTestUser(api, ws.tenantId, { invited: true }),
    ]
    known(a.email)
    const first = await accessToken()
    known(b.email)
    const second = await accessToken()
    const answers = await Promise.all([me(first), me(second)])
    expect(answers.map(one => one.status)).toEqual([200, 200])
    expect(answers[0]!.body.id).toBe(answers[1]!.body.id)
  })
})

describe('which workspace', () => {
  test('the claim selects the workspace; one person is a different user in another workspace and unknown in most', async () => {
    const theirs = await api.workspace()
    const email = `both${n}@example.com`
    const here = await createTestUser(api, ws.tenantId, { email, invited: true, role: 'agent' })
    const there = await createTestUser(api, theirs.tenantId, { email, invited: true, role: 'owner' })
    known(email)
    expect((await me(await accessToken())).body).toMatchObject({ id: here.id, role: 'agent' })
    known(email, { workspace: theirs.tenantId })
    expect((await me(await accessToken())).body).toMatchObject({ id: there.id, role: 'owner' })
    const nowhere = [
      (await api.workspace()).tenantId,
      'tn_none',
      '',
      5,
      null,
      [ws.tenantId],
      'tn\0',
      undefined,
    ]
    for (const workspace of nowhere) {
      known(email, { workspace })
      expect(await status(await accessToken()), String(workspace)).toBe(401)
    }
  })
})

describe('with one workspace for all (OIDC_TENANT) and ID tokens', async () => {
  const workspace = await api.workspace()
  const { tenantId } = workspace
  const tenants = await api.another({
    oidc: { issuer: issuer.url, audience: clientId, tenantClaim: undefined, tenantId },
  })

  test('200 for an ID token; 401 for an access token with another audience', async () => {
    const person = await createTestUser(tenants, workspace.tenantId, { invited: true })
    known(person.email, { workspace: 'not looked at' })
    const { idToken, accessToken: access } = await issuer.logIn(subject)
    expect((await me(idToken, tenants)).body.id).toBe(person.id)
    expect(await status(access, tenants)).toBe(401)
    // And the other way round.
    expect(await status(idToken, api)).toBe(401)
  })
})

describe('what they may do is our own data', () => {
  test('a changed role takes effect immediately; logging out does not end the session at the identity provider', async () => {
    const person = await createTestUser(api, ws.tenantId, { invited: true, role: 'admin' })
    known(person.email, { role: 'owner', scopes: ['everything'] })
    const caller = clientWithToken(api, await accessToken())
    expect((await caller.get('/audit-log')).status).toBe(200)
    await ws.owner.put(`/users/${person.id}/role`, { role: 'agent' })
    expect((await caller.get('/audit-log')).status).toBe(403)
    expect((await caller.post('/auth/logout')).status).toBe(204)
    expect((await caller.get('/users/me')).status).toBe(200)
  })
})

describe('what only looks like a token', () => {
  let claims: Record<string, unknown>
  beforeEach(async () => {
    const person = await createTestUser(api, ws.tenantId, { invited: true })
    claims = { sub: subject, email: person.email, email_verified: true, workspace: ws.tenantId }
  })
  const seconds = () => Math.floor(clock.now().getTime() / 1000)

  test('200 for the honest copy, which the others differ from in one thing', async () => {
    for (const header of [{}, { typ: 'JWT' }, { typ: undefined }, { kid: undefined }])
      expect(await status(await issuer.signToken(claims, header)), JSON.stringify(header)).toBe(200)
    expect(await status(await issuer.signToken({ ...claims, aud: ['x', audience] }))).toBe(200)
  })

  test.each([
    ['another audience', { aud: 'https://other.example' }],
    ['no audience', { aud: undefined }],
    ['another issuer', { iss: 'https://other.example' }],
    ['an issuer that begins alike', { iss: `${issuer.url}/` }],
    ['no issuer', { iss: undefined }],
    ['no end', { exp: undefined }],
    ['an end that is no number', { exp: 'never' }],
    ['no subject', { sub: undefined }],
    ['an empty subject', { sub: '' }],
    ['a subject that is no text', { sub: 5 }],
    ['a NUL in its subject', { sub: 'a\0b' }],
  ])('401 with %s', async (_, more) => {
    expect(await status(await issuer.signToken({ ...claims, ...more }))).toBe(401)
  })
  test('401 when it has expired or is not yet valid, with a few seconds for clocks that differ', async () => {
    expect(await status(await issuer.signToken({ ...claims, exp: seconds() - 2 }))).toBe(200)
    expect(await status(await issuer.signToken({ ...claims, exp: seconds() - 8 }))).toBe(401)
    expect(await status(await issuer.signToken({ ...claims, nbf: seconds() + 60 }))).toBe(401)
  })
  test('401 with a key that is not the issuer’s, whatever kid it names', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    expect(await status(await issuer.signToken(claims, {}, privateKey))).toBe(401)
    expect(await status(await issuer.signToken(claims, { kid: 'unknown' }, privateKey))).toBe(401)
    const embedded = createPublicKey(privateKey).export({ format: 'jwk' })
    expect(await status(await issuer.signToken(claims, { jwk: embedded }, privateKey))).toBe(401)
    expect(await status(await issuer.signToken(claims, { kid: 'unknown' }))).toBe(401)
  })
  test('401 for HS256 with the public key as its secret', async () => {
    const key = createPublicKey({ key: issuer.publicJwk() as never, format: 'jwk' })
    const pem = Buffer.from(key.export({ type: 'spki', format: 'pem' }))
    const secrets = [pem, Buffer.from(pem.toString().trim()), Buffer.from(issuer.publicJwk().n!, 'base64url')]
    for (const secret of secrets)
      expect(await status(await issuer.signToken(claims, { alg: 'HS256' }, secret))).toBe(401)
  })
  test('401 for alg none, in any spelling, signed or not', async () => {
    const honest = await issuer.signToken(claims)
    const [, payload, signature] = honest.split('.')
    for (const alg of ['none', 'None', 'NONE', '']) {
      const header = Buffer.from(JSON.stringify({ alg, typ: 'at+jwt' })).toString('base64url')
      expect(await status(`${header}.${payload}.`)).toBe(401)
      expect(await status(`${header}.${payload}.${signature}`)).toBe(401)
    }
  })
  test('401 for other things the issuer signs, such as a logout token', async () => {
    for (const typ of ['logout+jwt', 'secevent+jwt', 'dpop+jwt', 'jwt-bearer'])
      expect(await status(await issuer.signToken(claims, { typ }))).toBe(401)
  })
  test('401 for one of our own access tokens signed by the issuer’s key', async () => {
    const own = { iss: 'parley', sub: ws.owner.id, tid: ws.tenantId, sid: 'lgn_x' }
    expect(await status(await issuer.signToken({ ...claims, ...own }))).toBe(401)
  })
  test('401 for nonsense in three parts', async () => {
    const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
    for (const token of [
      'a.b.c',
      '..',
      `${part({ alg: 'RS256' })}.${part({ iss: issuer.url })}.x`,
      `${part(null)}.${part([])}.${part(1)}`,
    ])
      expect(await status(token)).toBe(401)
  })
})

describe('the issuer’s keys', () => {
  test('200 for the new and 401 for the old soon after a rotation', async () => {
    const person = await createTestUser(api, ws.tenantId, { invited: true })
    known(person.email)
    const before = await accessToken()
    expect(await status(before)).toBe(200)
    await issuer.rotate()
    const after = await accessToken()
    const began = performance.now()
    while ((await status(after)) !== 200) {
      expect(performance.now() - began).toBeLessThan(within(5_000))
      await sleep(50)
    }
    await eventually(async () => expect(await status(before)).toBe(401))
  })
})

const servers: Server[] = []
afterAll(() => {
  for (const server of servers) server.close().closeAllConnections()
})

/** Something in the issuer's place, and a server of ours that believes in it. */
async function standIn(handle: (url: string) => RequestListener) {
  let listener: RequestListener = () => {}
  const server = createServer((request, response) => listener(request, response))
  servers.push(server)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  listener = handle(url)
  return { url, away: await believing(url) }
}
function believing(url: string) {
  const oidc = { issuer: url, audience, tenantClaim: 'workspace', tenantId: undefined }
  return api.another({ oidc })
}

const discovery = (url: string) => JSON.stringify({ issuer: url, jwks_uri: `${url}/jwks` })
const isDiscovery = (request: IncomingMessage) => request.url!.includes('well-known')
const faults: [string, (url: string) => RequestListener][] = [
  ['answers 500', () => (_, response) => response.writeHead(500).end('oops')],
  ['talks nonsense', () => (_, response) => response.end('<html>')],
  ['hangs up', () => request => request.socket.destroy()],
  ['is another', () => (_, response) => response.end(discovery('https://other.example'))],
  ['sends us elsewhere', () => (_, response) => response.writeHead(302, { location: issuer.url }).end()],
  [
    'has no keys to show',
    url => (request, response) =>
      isDiscovery(request) ? response.end(discovery(url)) : response.writeHead(503).end(),
  ],
  [
    'has keys that are none',
    url => (request, response) =>
      response.end(isDiscovery(request) ? discovery(url) : '{"keys":[{"kty":"RSA"}]}'),
  ],
]

describe.each(faults)('an issuer that %s', async (_, handle) => {
  const { url, away } = await standIn(handle)
  test('401 for its tokens, while our own callers notice nothing', async () => {
    const token = await issuer.signToken({ iss: url, workspace: ws.tenantId })
    expect(await status(token, away)).toBe(401)
    expect(await status(ws.owner.token, away)).toBe(200)
    expect((await away.as(await ws.key()).get('/users')).status).toBe(200)
  })
})

describe('an issuer that never answers', async () => {
  const { url, away } = await standIn(() => () => {})
  test('401 after a few seconds; what is not its token does not wait for it', async () => {
    const waiting = status(await issuer.signToken({ iss: url }), away)
    const began = performance.now()
    expect(await status(await issuer.signToken({ iss: 'parley' }), away)).toBe(401)
    expect(await status(ws.owner.token, away)).toBe(200)
    expect(performance.now() - began).toBeLessThan(within(2_000))
    expect(await waiting).toBe(401)
  })
})

describe('an issuer that was away', () => {
  test('200 once it is back', async () => {
    const away = await believing(issuer.url)
    const person = await createTestUser(api, ws.tenantId, { invited: true })
    const claims = { sub: subject, email: person.email, email_verified: true, workspace: ws.tenantId }
    const token = await issuer.signToken(claims)
    await issuer.pause()
    expect(await status(token, away)).toBe(401)
    await issuer.resume()
    const began = performance.now()
    while ((await status(token, away)) !== 200) {
      expect(performance.now() - began).toBeLessThan(within(5_000))
      await sleep(50)
    }
  })
})
