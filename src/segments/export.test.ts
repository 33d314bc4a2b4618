/** Tests the export of the contacts that match a filter. */
import { expect, test } from 'vitest'
import { type Client, testApi } from '../../test/harness/api.ts'

const api = await testApi()

const exported = (client: Client, filter: unknown) =>
  client.get(
    `/contacts/search/export?filter=${encodeURIComponent(typeof filter === 'string' ? filter : JSON.stringify(filter))}`,
  )
const named = (text: string) => ({ match: 'all', conditions: [{ type: 'searchText', text }] })

test('200 exports exactly what the search finds, without formulas', async () => {
  const { owner } = await api.workspace()
  await owner.post('/contacts/custom-fields', { name: 'plan', type: 'text' })
  const create = async (body: object) => (await owner.post('/contacts', body)).body.id as string
  const ada = await create({ name: 'Ada Harbor', customFields: { plan: '=cmd|calc' } })
  const bob = await create({ name: '+Bob Harbor' })
  await create({ name: 'Cyd' })
  const old = await create({ name: 'Old Harbor' })
  await owner.post(`/contacts/${old}/archive`)
  const { status, body, headers } = await exported(owner, named('harbor'))
  expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8'])
  const lines = (body as string).trim().split('\r\n')
  expect(lines.slice(1).map(line => line.split(',').at(-1))).toEqual([ada, bob])
  expect(body).toContain(`'=cmd|calc`)
  expect(body).toContain(`'+Bob Harbor`)
  const archived = { match: 'all', conditions: [{ type: 'archiveStatus', status: 'archived' }] }
  expect((await exported(owner, archived)).body).toContain(old)
  const { items } = (await owner.get('/audit-log?action=contact.exported')).body
  expect(items[1].details.filter).toEqual(named('harbor'))
})

test('400 for a text that is no filter, 403 for agents and keys without the scope', async () => {
  const workspace = await api.workspace()
  for (const filter of [
    '',
    '{',
    '[]',
    '{"match":"all"}',
    { match: 'all', conditions: [{ type: 'nothing' }] },
  ]) {
    const { status, body } = await exported(workspace.owner, filter)
    expect([status, body.violations[0].field.startsWith('filter')], JSON.stringify(filter)).toEqual([
      400,
      true,
    ])
  }
  const unknown = { match: 'all', conditions: [{ type: 'hasAnyTag', tagIds: ['tag_unknown'] }] }
  expect((await exported(workspace.owner, unknown)).status).toBe(
    (await workspace.owner.post('/contacts/search', { filter: unknown })).status,
  )
  expect((await exported(await workspace.user('agent'), named('a'))).status).toBe(403)
  expect((await exported(await workspace.key({ scopes: ['contact:list'] }), named('a'))).status).toBe(403)
})
