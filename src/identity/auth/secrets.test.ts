/** Nothing that opens a door is written to the log, at any level, whether things go well or break. */
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { testApi } from '../../../test/harness/api.ts'
import { sql } from '../../platform/db/sql.ts'
import { audience, startIssuer } from '../testing/oidc-issuer.ts'
import { clientWithToken, createTestUser, logIn } from '../testing/users.ts'

const lines: string[] = []
const issuer = await startIssuer()
const api = await testApi(
  {
    LOG_LEVEL: 'trace',
    SIGNUP: 'open',
    OIDC_ISSUER: issuer.url,
    OIDC_AUDIENCE: audience,
    OIDC_TENANT_CLAIM: 'workspace',
  },
  { logTo: { write: line => lines.push(line) } },
)
const { db, log } = api.deps
const { anonymous } = api
const password = 'umbrella tango fossil'
let runs = 0
let email = ''

/** Everything secret that came by. */
const secrets = new Set<string>([password])
/** Remembers what is secret in an answer. */
function note<T extends { body: Record<string, unknown> }>(answer: T): T {
  for (const name of ['accessToken', 'refreshToken', 'token', 'key'])
    if (typeof answer.body[name] === 'string') secrets.add(answer.body[name])
  return answer
}
const newOwner = () =>
  anonymous.post('/workspaces', { name: 'W', owner: { name: 'O', email, password } }).then(note)

async function everythingGoesWell() {
  const { body } = await newOwner()
  const owner = clientWithToken(api, body.accessToken)
  note(await logIn(api, email, password))
  const again = note(await anonymous.post('/auth/refresh', { refreshToken: body.refreshToken }))
  const invited = note(await owner.post('/users/invitations', { email: 'guest@example.com', role: 'admin' }))
  const { token } = invited.body
  note(await anonymous.post('/auth/invitations/accept', { token, name: 'G', password: `${password}!` }))
  const account = (await owner.post('/service-accounts', { name: 'R' })).body
  const once = { 'idempotency-key': 'once' }
  const made = note(await owner.post(`/service-accounts/${account.id}/api-keys`, { name: 'K' }, once))
  await owner.post(`/service-accounts/${account.id}/api-keys`, { name: 'K' }, once)
  expect((await clientWithToken(api, made.body.key).get('/users')).status).toBe(200)
  await owner.put(`/users/${body.user.id}/role`, { role: 'agent' })
  expect((await clientWithToken(api, again.body.accessToken).post('/auth/logout')).status).toBe(204)
  return body.tenantId as string
}

async function everythingIsRefused(tenantId: string) {
  const { email: address } = await createTestUser(api, tenantId)
  for (const secret of ['a wrong password', `${password}?`]) secrets.add(secret)
  await logIn(api, address, 'a wrong password')
  await anonymous.post('/auth/login', { email: address, password: `${password}?`, extra: true })
  await anonymous.post('/auth/login', `{"email":"x","password":"${password}?"`)
  for (const token of secrets) {
    await anonymous.post('/auth/refresh', { refreshToken: token.slice(0, 200) })
    await anonymous.post('/auth/invitations/accept', { token: token.slice(0, 200), name: 'G', password })
    await anonymous.get('/users/me', { authorization: `Bearer ${token.replaceAll(' ', '_')}` })
    await anonymous.get('/users/me', { authorization: `Basic ${token}` })
  }
  // A server logs the reason of a refused token again only after ten seconds; this one has refused none.
  const server = (await api.another()).anonymous
  issuer.users.set('s', { email: address, email_verified: true, workspace: tenantId })
  const outside = (await issuer.logIn('s')).accessToken
  secrets.add(outside)
  await server.get('/users/me', { authorization: `Bearer ${outside}` })
  // With a key that we have to ask for, when asking is allowed again, and nobody there to answer.
  await issuer.rotate()
  await issuer.pause()
  await sleep(2_100)
  const forged = await issuer.signToken({ iss: issuer.url })
  secrets.add(forged)
  await server.get('/users/me', { authorization: `Bearer ${forged}` })
  await issuer.resume()
}

/** Statements that fail, with the row in PostgreSQL's own words. */
async function everythingBreaks() {
  await db.run(sql`alter table users add constraint broken_row check (name <> 'Broken') not valid`)
  await db.run(
    sql`alter table refresh_tokens add constraint broken_row check (created_at < '2000-01-01') not valid`,
  )
  const broken = [
    await anonymous.post('/workspaces', { name: 'W', owner: { name: 'Broken', email, password } }),
    await newOwner(),
    await logIn(api, email, password),
  ]
  await db.run(sql`alter table users drop constraint broken_row`)
  await db.run(sql`alter table refresh_tokens drop constraint broken_row`)
  for (const answer of broken) {
    expect(answer.status).toBe(500)
    expect(answer.body).toMatchObject({ code: 'internal_error', title: 'Internal error' })
    expect(JSON.stringify(answer.body)).not.toMatch(/broken|argon2|sesame/i)
  }
}

async function hashes(): Promise<string[]> {
  const rows = await db.rows<{ text: string; bytes: Buffer }>(sql`
    select null as text, hash as bytes from api_keys union all select null, hash from refresh_tokens
    union all select null, token_hash from invitations union all select password_hash, null from users`)
  return rows.flatMap(row =>
    row.bytes
      ? [row.bytes.toString('hex'), row.bytes.toString('base64'), JSON.stringify([...row.bytes])]
      : row.text
        ? [row.text]
        : [],
  )
}

describe('the log', () => {
  test('holds no password, token, key or hash', async () => {
    email = `owner${++runs}@example.com`
    lines.length = 0
    await everythingIsRefused(await everythingGoesWell())
    for (const hash of await hashes()) secrets.add(hash)
    await everythingBreaks()
    const written = lines.join('')
    expect(secrets.size).toBeGreaterThan(15)
    for (const secret of secrets) {
      expect(written).not.toContain(secret)
      // Nor the telling half of a token.
      if (secret.length > 40) expect(written).not.toContain(secret.slice(-30))
    }
    expect(written).not.toMatch(/argon2/)
    // It is not silence that makes it so: what broke is there, with the request it belongs to.
    expect(lines.filter(line => line.includes('request failed'))).toHaveLength(3)
    expect(written).toContain('violates check constraint')
    expect(written).toContain('issuer_unreachable')
  })

  test('has one line per request with its route, status, problem code and caller', async () => {
    const { owner, tenantId } = await api.workspace()
    lines.length = 0
    await owner.get('/users/usr_unknown?secret=s3cret')
    await anonymous.get('/users/me')
    const requests = lines.map(line => JSON.parse(line)).filter(({ msg }) => msg === 'request')
    const request = {
      level: 'info',
      pid: process.pid,
      method: 'GET',
      requestId: expect.stringMatching(/^req_/),
    }
    expect(requests).toMatchObject([
      {
        ...request,
        route: '/v1/users/:userId',
        status: 400,
        code: 'validation_failed',
        tenantId,
        callerId: owner.id,
      },
      { ...request, route: '/v1/users/me', status: 401, code: 'auth_token_invalid' },
    ])
    expect(lines.join('')).not.toContain('s3cret')
  })

  test('cuts secrets that are passed in by mistake', () => {
    lines.length = 0
    log.info(
      { body: { password: 'p4ss' }, headers: { authorization: 'Bearer t0k' }, refreshToken: 'r3f' },
      'oops',
    )
    expect(lines.join('')).not.toMatch(/p4ss|t0k|r3f/)
  })
})
