/** Expired rows are deleted, all others stay. */
import { expect, test } from 'vitest'
import { testApi } from '../../test/harness/api.ts'
import { sql } from '../platform/db/sql.ts'
import { identityCrons } from './jobs.ts'
import { createTestUser, logIn } from './testing/users.ts'

const api = await testApi()
const { db, clock } = api.deps
const day = 86_400_000
const count = async (table: 'logins' | 'refresh_tokens') => {
  const counts = {
    logins: sql`select count(*) as n from auth_sessions`,
    refresh_tokens: sql`select count(*) as n from refresh_tokens`,
  }
  return (await db.one<{ n: number }>(counts[table])).n
}
const run = async () => {
  for (const { job } of identityCrons) await job.handle(api.deps, { at: '' }, undefined as never)
}

test('logins end with their refresh tokens a day after their thirty', async () => {
  const { tenantId } = await api.workspace()
  const { email } = await createTestUser(api, tenantId)
  const { body } = await logIn(api, email)
  await api.anonymous.post('/auth/refresh', { refreshToken: body.refreshToken })
  await run()
  expect([await count('logins'), await count('refresh_tokens')]).toEqual([2, 3])
  clock.advance(day + 60_000)
  await run()
  expect([await count('logins'), await count('refresh_tokens')]).toEqual([2, 3])
  clock.advance(30 * day)
  await run()
  expect([await count('logins'), await count('refresh_tokens')]).toEqual([0, 0])
})
