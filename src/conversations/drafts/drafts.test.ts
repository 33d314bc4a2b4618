/** Tests drafts over HTTP and realtime: older tabs do not overwrite newer ones, and a send deletes what it sent. */
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type Client, testApi, type Workspace } from '../../../test/harness/api.ts'
import { openFrames } from '../../../test/harness/frames.ts'
import { playProviders } from '../../../test/harness/sandbox.ts'
import { startBackground, until } from '../../../test/harness/service.ts'

const api = await testApi()
await playProviders(api)
let workspace: Workspace
let owner: Client
let inboxId: string
let phones = 0

beforeAll(async () => {
  workspace = await api.workspace()
  owner = workspace.owner
  const chatapp = { resourceIds: ['5564'], phoneNumberIds: ['55640001'] }
  inboxId = (await owner.post('/inboxes', { chatapp })).body.inboxes[0].id
})

const text = (body: string) => ({ type: 'text', text: { body } })

async function startConversation(): Promise<{ id: string; contactId: string; path: string }> {
  const recipient = { type: 'phone', phoneNumber: `+1415556${4000 + phones++}` }
  const { body } = await owner.post('/messages', { recipient, inboxId, content: text('Hello') })
  return { ...body.conversation, path: `/conversations/${body.conversation.id}` }
}

const save = (client: Client, path: string, body: string, revision: number, kind = 'reply') =>
  client.put(`${path}/draft`, { kind, content: { text: body }, revision })
const read = async (client: Client, path: string, kind = 'reply') =>
  (await client.get(`${path}/draft?kind=${kind}`)).body.draft

describe('PUT /conversations/{id}/draft', () => {
  test('200 for the revision that was read; 409 with the current draft for an older one', async () => {
    const { path, id } = await startConversation()
    expect(await read(owner, path)).toBeNull()
    const first = await save(owner, path, 'one', 0)
    expect(first.body).toMatchObject({ conversationId: id, kind: 'reply', content: { text: 'one' } })
    const second = await save(owner, path, 'two', first.body.revision)
    expect(second.body.revision).toBeGreaterThan(first.body.revision)
    for (const revision of [0, first.body.revision, second.body.revision + 1000]) {
      const refused = await save(owner, path, 'older', revision)
      expect(refused).toMatchObject({ status: 409, body: { code: 'draft_conflict', draft: second.body } })
    }
    expect((await owner.delete(`${path}/draft?revision=${first.body.revision}`)).status).toBe(409)
    expect(await read(owner, path)).toEqual(second.body)
    expect((await owner.delete(`${path}/draft?revision=${second.body.revision}`)).status).toBe(204)
    expect((await owner.delete(`${path}/draft`)).status).toBe(204)
    const refused = await save(owner, path, 'older', second.body.revision)
    expect(refused).toMatchObject({ status: 409, body: { draft: null } })
    const third = await save(owner, path, 'three', 0)
    expect(third.body.revision).toBeGreaterThan(second.body.revision)
  })

  test('one of two concurrent changes of the same revision is refused', async () => {
    const { path } = await startConversation()
    const created = await Promise.all([save(owner, path, 'a', 0), save(owner, path, 'b', 0)])
    expect(created.map(({ status }) => status).sort()).toEqual([200, 409])
    const { revision } = await read(owner, path)
    const changed = await Promise.all(['c', 'd', 'e'].map(body => save(owner, path, body, revision)))
    expect(changed.map(({ status }) => status).sort()).toEqual([200, 409, 409])
  })

  test('drafts belong to one user and kind; 404 without access to the conversation, 403 for keys', async () => {
    const { path, id } = await startConversation()
    const agent = await workspace.user('agent')
    await save(owner, path, 'of the owner', 0)
    await save(owner, path, 'a note', 0, 'note')
    await save(agent, path, 'of the agent', 0)
    expect((await read(agent, path)).content.text).toBe('of the agent')
    expect((await read(owner, path)).content.text).toBe('of the owner')
    expect((await read(owner, path, 'note')).content.text).toBe('a note')
    const listed = async (client: Client) =>
      (await client.get('/users/me/drafts')).body.drafts
        .filter((draft: { conversationId: string }) => draft.conversationId === id)
        .map(({ content }: { content: { text: string } }) => content.text)
    expect(await listed(owner)).toEqual(['a note', 'of the owner'])
    await owner.put(`${path}/owner`, { type: 'team', id: workspace.teamId })
    expect((await agent.get(`${path}/draft`)).status).toBe(404)
    expect((await save(agent, path, 'x', 0)).status).toBe(404)
    expect(await listed(agent)).toEqual([])
    expect((await (await workspace.key()).get(`${path}/draft`)).body.code).toBe('auth_user_required')
  })
})

describe('a send', () => {
  test('deletes the draft, and only the one of its sender, kind and conversation', async () => {
    const [{ path }, other] = [await startConversation(), await startConversation()]
    const agent = await workspace.user('agent')
    for (const [client, at, kind] of [
      [owner, path, 'reply'],
      [owner, path, 'note'],
      [owner, other.path, 'reply'],
      [agent, path, 'reply'],
    ] as const)
      await save(client, at, 'x', 0, kind)
    const { revision } = await read(owner, path)
    expect((await owner.post(`${path}/messages`, { content: text('sent') })).status).toBe(202)
    expect(await read(owner, path)).toBeNull()
    // A save that was in flight does not bring the sent text back.
    expect((await save(owner, path, 'x', revision)).status).toBe(409)
    expect(await read(owner, path, 'note')).not.toBeNull()
    expect(await read(owner, other.path)).not.toBeNull()
    expect(await read(agent, path)).not.toBeNull()
    expect((await owner.post(`${path}/notes`, { text: 'noted' })).status).toBe(201)
    expect(await read(owner, path, 'note')).toBeNull()
  })

  test.each([
    ['a reply', {}, {}],
    ['a reply with an Idempotency-Key', {}, { 'idempotency-key': 'draft-1' }],
    ['a scheduled reply', { sendAt: new Date(Date.now() + 86_400_000).toISOString() }, {}],
  ])('%s leaves a draft that is newer than draftRevision', async (_, members, headers) => {
    const { path, id } = await startConversation()
    const older = (await save(owner, path, 'sent by this tab', 0)).body
    const newer = (await save(owner, path, 'written in another tab', older.revision)).body
    const send = (draftRevision: number, key: string) =>
      owner.post(
        `${path}/messages`,
        { content: text('sent by this tab'), draftRevision, ...members },
        'idempotency-key' in headers ? { 'idempotency-key': key } : {},
      )
    expect((await send(older.revision, `draft-1-${id}`)).status).toBe(202)
    expect(await read(owner, path)).toEqual(newer)
    expect((await send(newer.revision, `draft-2-${id}`)).status).toBe(202)
    expect(await read(owner, path)).toBeNull()
  })

  test('a repeated send with the same clientMessageId leaves the next draft', async () => {
    const { path } = await startConversation()
    const message = { content: text('once'), clientMessageId: `once-${path}` }
    await owner.post(`${path}/messages`, message)
    await save(owner, path, 'the next reply', 0)
    expect((await owner.post(`${path}/messages`, message)).status).toBe(202)
    expect((await read(owner, path)).content.text).toBe('the next reply')
  })

  test('other tabs of the user receive draft_changed, other users do not', async () => {
    const { path, id } = await startConversation()
    const agent = await workspace.user('agent')
    const [tab, others] = [await openFrames(owner), await openFrames(agent)]
    const { revision } = (await save(owner, path, 'x', 0)).body
    await owner.post(`${path}/messages`, { content: text('sent') })
    const changes = await until(
      async () => tab.filter(({ type }) => type === 'draft_changed').map(({ data }) => data),
      found => found.length === 2,
    )
    expect(changes).toEqual([
      { conversationId: id, kind: 'reply', revision },
      { conversationId: id, kind: 'reply', revision: null },
    ])
    expect(others.filter(({ type }) => type === 'draft_changed')).toEqual([])
  })
})

test('erasing the contact deletes the drafts of its conversations', async () => {
  onTestFinished(startBackground(api))
  const { path, contactId } = await startConversation()
  await save(owner, path, 'about this person', 0)
  expect((await owner.post(`/contacts/${contactId}/erase`)).status).toBeLessThan(300)
  await until(
    async () => (await owner.get(path)).status,
    status => status === 404,
  )
})
