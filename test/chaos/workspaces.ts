/** Creates workspaces of a running program. */
import { expectStatus } from '../../src/workflows/testing/fixtures.ts'
import { type Client, client } from '../harness/api.ts'
import type { Service } from '../system/program.ts'

async function createKeyClient(service: Service, token: string): Promise<Client> {
  const owner = client(service.url, '', '', token)
  const { tenantId, id } = await expectStatus(owner.get('/users/me'), 200)
  const account = await expectStatus(owner.post('/service-accounts', { name: 'Robot', role: 'admin' }), 200)
  const { key } = await expectStatus(
    owner.post(`/service-accounts/${account.id}/api-keys`, { name: 'Key' }),
    200,
  )
  return client(service.url, tenantId, id, key)
}

/** Signs up, which needs SIGNUP=open, and returns a client with the key of an admin. */
export async function createWorkspace(service: Service, name: string): Promise<Client> {
  const email = `${name.toLowerCase()}@example.com`
  const password = 'correct horse battery staple'
  const created = client(service.url, '', '', '').post('/workspaces', {
    name,
    owner: { name, email, password },
  })
  return createKeyClient(service, (await expectStatus(created, 201)).accessToken)
}
