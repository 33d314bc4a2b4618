/** Tests saved views over HTTP and realtime: who sees and changes them, and their order. */
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { type Client, testApi } from '../../../test/harness/api.ts'
import { openFrames } from '../../../test/harness/frames.ts'
import { startBackground, until } from '../../../test/harness/service.ts'

const api = await testApi()
let teamId: string
let owner: Client
let member: Client
let outsider: Client

beforeEach(async () => {
  const workspace = await api.workspace()
  teamId = workspace.teamId
  owner = workspace.owner
  member = await workspace.user('agent', [teamId])
  outsider = await workspace.user('agent')
})

const names = async (client: Client) =>
  (await client.get('/views')).body.views.map(({ name }: { name: string }) => name)
const create = async (client: Client, name: string, body: object = {}) =>
  client.post('/views', { name, filter: { status: ['open'] }, ...body })

test('200 lists own, team and workspace views by position, then in the order of the user', async () => {
  const team = { scope: 'team', teamIds: [teamId] }
  const mine = (await create(member, 'Mine', { position: 3 })).body
  const ofTeam = (await create(owner, 'Team', { ...team, position: 2 })).body
  const all = (await create(owner, ' All ', { scope: 'workspace', position: 1 })).body
  await create(owner, 'Private')
  expect(all).toMatchObject({ name: 'All', filter: { status: ['open'] }, sort: null, revision: 1 })
  expect(await names(member)).toEqual(['All', 'Team', 'Mine'])
  expect(await names(outsider)).toEqual(['All'])
  expect(await names(owner)).toEqual(['Private', 'All', 'Team'])
  const order = { viewIds: [mine.id, 'view_unknown', ofTeam.id] }
  expect((await member.put('/users/me/view-order', order)).status).toBe(204)
  expect(await names(member)).toEqual(['Mine', 'Team', 'All'])
  expect(await names(owner)).toEqual(['Private', 'All', 'Team'])
})

test('403 for agents who share or change shared views; 404 for views that they do not see', async () => {
  const team = { scope: 'team', teamIds: [teamId] }
  for (const sharing of [team, { scope: 'workspace' }])
    expect((await create(member, 'Shared', sharing)).body.code).toBe('sharing_forbidden')
  const { id } = (await create(owner, 'Shared', team)).body
  expect((await member.patch(`/views/${id}`, { name: 'x' })).status).toBe(403)
  expect((await member.delete(`/views/${id}`)).status).toBe(403)
  expect((await outsider.delete(`/views/${id}`)).status).toBe(404)
  const mine = (await create(member, 'Mine')).body
  expect((await owner.patch(`/views/${mine.id}`, { name: 'x' })).status).toBe(404)
  const sort = { field: 'waitingSince', direction: 'asc' }
  const changed = await member.patch(`/views/${mine.id}`, { filter: { ownerId: 'me' }, sort })
  expect(changed.body).toMatchObject({ name: 'Mine', filter: { ownerId: 'me' }, sort, revision: 2 })
  expect((await member.patch(`/views/${mine.id}`, { sort: null })).body.sort).toBeNull()
  expect((await member.delete(`/views/${mine.id}`)).status).toBe(204)
})

test('views of contacts are a list of their own, with columns', async () => {
  const filter = { match: 'all', conditions: [{ type: 'archiveStatus', status: 'archived' }] }
  const content = { kind: 'contacts', filter, sort: { field: 'name' }, columns: ['name', 'phone'] }
  const view = (await create(owner, 'Old ones', { ...content, scope: 'workspace' })).body
  expect(view).toMatchObject({ name: 'Old ones', ...content, scope: 'workspace', revision: 1 })
  const conversations = (await create(owner, 'Open ones', { columns: ['owner'] })).body
  expect(conversations).toMatchObject({ kind: 'conversations', columns: ['owner'] })
  const listed = async (client: Client) => (await client.get('/views?kind=contacts')).body.views
  expect(await listed(owner)).toEqual([view])
  expect(await listed(member)).toEqual([view])
  expect(await names(owner)).toEqual(['Open ones'])
  expect((await owner.get('/console/bootstrap')).body.views).toEqual([conversations])
  expect((await owner.post('/contacts/search', { filter: view.filter, sort: view.sort })).status).toBe(200)
  const changed = await owner.patch(`/views/${view.id}`, { columns: [], filter: { ...filter, match: 'any' } })
  expect(changed.body).toMatchObject({ columns: [], filter: { match: 'any' }, sort: { field: 'name' } })
})

test('arranging the views of one kind keeps the order of the other', async () => {
  const filter = { match: 'all', conditions: [] }
  const people = [
    (await create(owner, 'One', { kind: 'contacts', filter })).body.id,
    (await create(owner, 'Two', { kind: 'contacts', filter })).body.id,
  ]
  const open = [(await create(owner, 'A')).body.id, (await create(owner, 'B')).body.id]
  const arrange = (viewIds: string[]) => owner.put('/users/me/view-order', { viewIds })
  const list = async (kind: string) =>
    (await owner.get(`/views?kind=${kind}`)).body.views.map(({ id }: { id: string }) => id)
  await arrange(people.toReversed())
  await arrange(open.toReversed())
  expect([await list('contacts'), await list('conversations')]).toEqual([
    people.toReversed(),
    open.toReversed(),
  ])
  await arrange([])
  expect([await list('contacts'), await list('conversations')]).toEqual([people, open])
})

test('400 for a filter or an order of the other kind', async () => {
  const filter = { match: 'all', conditions: [] }
  const contacts = { kind: 'contacts', filter }
  const { id } = (await create(owner, 'People', contacts)).body
  for (const [field, body] of [
    ['kind', { kind: 'journeys' }],
    ['filter.match', { kind: 'contacts' }],
    ['filter.match', { filter }],
    ['sort.field', { ...contacts, sort: { field: 'waitingSince' } }],
    ['filter.conditions', { kind: 'contacts', filter: { match: 'all', conditions: Array(200).fill({}) } }],
  ] as const) {
    const answer = await create(owner, 'Bad', body)
    expect([answer.status, answer.body.violations?.[0]?.field], JSON.stringify(answer.body)).toEqual([
      400,
      field,
    ])
  }
  for (const body of [
    { filter: { status: ['open'] } },
    { sort: { field: 'waitingSince' } },
    { kind: 'conversations' },
  ])
    expect((await owner.patch(`/views/${id}`, body)).status).toBe(400)
})

test('400 for a filter that a search would refuse', async () => {
  for (const filter of [{ colour: 'red' }, { status: ['asleep'] }, { unread: 'yes' }, []])
    expect((await owner.post('/views', { name: 'Bad', filter })).status).toBe(400)
})

test('a stored filter is accepted by the search as it is', async () => {
  const filter = { ownerId: 'me', waiting: true, priority: ['high'], labelIds: ['lbl_x'], unread: true }
  const view = (await create(owner, 'Search', { filter })).body
  const found = await owner.post('/conversations/search', { filter: view.filter })
  expect([found.status, found.body.items]).toEqual([200, []])
})

test('changes of a shared view reach those who see it', async () => {
  onTestFinished(startBackground(api))
  const [seen, hidden] = [await openFrames(member), await openFrames(outsider)]
  const { id } = (await create(owner, 'Live', { scope: 'team', teamIds: [teamId] })).body
  const { id: last } = (await create(owner, 'Last', { scope: 'workspace' })).body
  const changed = (frames: typeof seen) =>
    frames
      .filter(({ type, data }) => type === 'changed' && [id, last].includes(data.id))
      .map(({ data }) => data.id)
  const found = await until(
    async () => [changed(seen), changed(hidden)],
    lists => lists.every(list => list.includes(last)),
  )
  expect(found).toEqual([[id, last], [last]])
})
