import { expect, test } from 'vitest'
import { createClient } from '../../client/client.ts'
import { testApi } from '../harness/api.ts'

const api = await testApi({}, { spread: true })

test('the typed client calls the API and returns typed responses and problems', async () => {
  const { owner } = await api.workspace()
  const client = createClient({ baseUrl: api.url, token: owner.token })
  const { data } = await client.POST('/service-accounts', { body: { name: 'Robot', role: 'agent' } })
  expect(data?.role).toBe('agent')
  const { data: listed } = await client.GET('/service-accounts/{id}/api-keys', {
    params: { path: { id: data!.id } },
  })
  expect(listed?.apiKeys).toEqual([])
  const { error, response } = await client.GET('/users/{userId}', {
    params: { path: { userId: 'usr_nobody' } },
  })
  expect([response.status, error?.code]).toEqual([404, 'auth_user_not_found'])
})
