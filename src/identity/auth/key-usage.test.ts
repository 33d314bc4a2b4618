/** The last use of API keys is recorded beside the requests, at most once a minute, by any process. */
import { expect, test } from 'vitest'
import { testApi } from '../../../test/harness/api.ts'
import { eventually } from '../../../test/harness/wait.ts'

const api = await testApi()
const other = await api.another()
const { clock } = api.deps

test('a key shows its last use, accurate to a minute', async () => {
  const { owner, key } = await api.workspace()
  const robot = await key()
  const load = async () => (await owner.get(`/service-accounts/${robot.id}/api-keys`)).body.apiKeys[0]
  expect(await load()).toMatchObject({ lastUsedAt: null, lastUsedFrom: null })
  const before = clock.now().toISOString()
  await robot.get('/users')
  const first = await eventually(async () => {
    const shown = await load()
    expect(shown.lastUsedAt).not.toBeNull()
    return shown
  })
  expect(first.lastUsedAt >= before).toBe(true)
  expect(first.lastUsedFrom).toBe('127.0.0.1')

  clock.advance(30_000)
  await robot.get('/users')
  await other.as(robot).get('/users')
  clock.advance(40_000)
  const later = clock.now().toISOString()
  // The second process has seen the key less than a minute ago, the first one more than that.
  await other.as(robot).get('/users')
  await robot.get('/users')
  await eventually(async () => expect((await load()).lastUsedAt >= later).toBe(true))
  expect((await load()).updatedAt).toBe(first.updatedAt)
})

test('a key that is refused is not used', async () => {
  const { owner, key } = await api.workspace()
  const [robot, witness] = [await key(), await key()]
  await owner.patch(`/service-accounts/${robot.id}`, { isActive: false })
  expect((await robot.get('/users')).status).toBe(401)
  await witness.get('/users')
  const load = async (id: string) => (await owner.get(`/service-accounts/${id}/api-keys`)).body.apiKeys[0]
  await eventually(async () => expect((await load(witness.id)).lastUsedAt).not.toBeNull())
  expect((await load(robot.id)).lastUsedAt).toBeNull()
})
