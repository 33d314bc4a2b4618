/** Tests which channels the sandbox simulates, for owners and admins. */
import { expect, test } from 'vitest'
import { testApi } from '../../test/harness/api.ts'
import { channels } from '../platform/config.ts'

const api = await testApi()

test('GET /sandbox lists the channels that use it', async () => {
  const { owner, user } = await api.workspace()
  const simulated = channels.filter(name => api.deps.channels[name].isSandbox)
  expect((await owner.get('/sandbox')).body).toEqual({ channels: simulated })
  expect((await (await user('agent')).get('/sandbox')).status).toBe(403)
})
