/** Tests the availability of users over HTTP and realtime. */
import { expect, test } from 'vitest'
import { testApi } from '../../../test/harness/api.ts'
import { openFrames } from '../../../test/harness/frames.ts'
import { until } from '../../../test/harness/service.ts'

const api = await testApi()

test('200 for all users; busy ends at its time; colleagues receive a frame, other workspaces do not', async () => {
  const { owner, user, key } = await api.workspace()
  const agent = await user('agent')
  const [seen, hidden] = [await openFrames(agent), await openFrames((await api.workspace()).owner)]
  const inAMinute = new Date(api.deps.clock.now().getTime() + 60_000).toISOString()
  const set = await owner.put('/users/me/availability', { status: 'busy', until: inAMinute })
  expect(set.body).toEqual({ userId: owner.id, status: 'busy', until: inAMinute })
  await agent.put('/users/me/availability', { status: 'away' })
  const list = async () =>
    Object.fromEntries(
      (await agent.get('/users/availability')).body.availability.map(
        ({ userId, status }: { userId: string; status: string }) => [userId, status],
      ),
    )
  expect(await list()).toEqual({ [owner.id]: 'busy', [agent.id]: 'away' })
  const frames = await until(
    async () => seen.filter(({ type }) => type === 'availability_changed').map(({ data }) => data),
    found => found.length === 2,
  )
  expect(frames[0]).toEqual({ userId: owner.id, status: 'busy', until: inAMinute })
  expect(hidden.filter(({ type }) => type === 'availability_changed')).toEqual([])
  api.deps.clock.advance(60_000)
  expect(await list()).toEqual({ [owner.id]: 'online', [agent.id]: 'away' })
  const past = { status: 'busy', until: '2020-01-01T00:00:00Z' }
  expect((await owner.put('/users/me/availability', past)).status).toBe(400)
  const body = { status: 'busy' }
  expect((await (await key()).put('/users/me/availability', body)).body.code).toBe('auth_user_required')
})
