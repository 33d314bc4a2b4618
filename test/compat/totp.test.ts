/** Another TOTP library, as in authenticator apps, reads our URI and computes the codes that our service accepts. */
import { randomBytes, randomInt } from 'node:crypto'
import { expect, test } from 'vitest'
import { computeCode, getStep, toBase32 } from '../../src/identity/auth/totp.ts'
import { clientWithToken, createTestUser, logIn, password } from '../../src/identity/testing/users.ts'
import { testApi } from '../harness/api.ts'
import { load } from './packages.ts'

const { TOTP, URI, Secret } = await load('otpauth')
const api = await testApi()

test('codes agree for random secrets and times', () => {
  for (let n = 0; n < 500; n++) {
    const bytes = randomBytes(20)
    const timestamp = randomInt(4_000_000) * 1_000_000 + randomInt(1_000_000)
    const other = new TOTP({ secret: Secret.fromBase32(toBase32(bytes)) })
    const code = computeCode(bytes, getStep(new Date(timestamp)))
    expect(code, `${bytes.toString('hex')} at ${timestamp}`).toBe(other.generate({ timestamp }))
  }
})

test("a login is completed with the code that the library computes from the setup's URI", async () => {
  const { clock } = api.deps
  const { tenantId } = await api.workspace('Blue Harbour')
  const user = await createTestUser(api, tenantId)
  const { accessToken } = (await logIn(api, user.email)).body
  const client = clientWithToken(api, accessToken)
  const app = URI.parse((await client.post('/users/me/second-factor', { password })).body.uri)
  expect([app.issuer, app.label]).toEqual(['Blue Harbour', user.email])
  const codeNow = () => app.generate({ timestamp: clock.now().getTime() })
  expect((await client.post('/users/me/second-factor/confirm', { code: codeNow() })).status).toBe(200)
  clock.advance(30_000) // a code is accepted once
  const { challenge } = (await logIn(api, user.email)).body
  const completed = await api.anonymous.post('/auth/second-factor', { challenge, code: codeNow() })
  expect(completed.status, JSON.stringify(completed.body)).toBe(200)
})
