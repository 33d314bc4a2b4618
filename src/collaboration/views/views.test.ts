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
