/** Tests internal notes over HTTP and realtime, with a provider that records everything it is sent. */
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
const newPhone = () => `+1415556${2000 + phones++}`
const text = (body: string) => ({ type: 'text', text: { body } })

async function connect(client: Client, number: string): Promise<string> {
  const { body } = await client.post('/inboxes', {
    chatapp: { resourceIds: ['5561'], phoneNumberIds: [number] },
  })
  return body.inboxes[0].id
}

async function startConversation(to = newPhone()): Promise<{ id: string; contactId: string; to: string }> {
  const { body } = await owner.post('/messages', {
    recipient: { type: 'phone', phoneNumber: to },
    inboxId,
    content: text('Hello'),
  })
  return { ...body.conversation, to }
}

async function upload(client: Client, content: string): Promise<string> {
  const form = new FormData()
  form.append('file', new Blob([content], { type: 'text/plain' }), 'note.txt')
  const response = await fetch(`${api.url}/v1/media/uploads`, {
    method: 'POST',
    headers: { authorization: `Bearer ${client.token}` },
    body: form,
  })
  return ((await response.json()) as { mediaId: string }).mediaId
}

beforeAll(async () => {
  workspace = await api.workspace()
  owner = workspace.owner
  inboxId = await connect(owner, '55610001')
})

test('a note never reaches the provider, also when the process dies right after the commit', async () => {
  const frames = await openFrames(owner)
  const { id, to } = await startConversation()
  const note = await owner.post(`/conversations/${id}/notes`, { text: 'only for us' })
  expect(note.status).toBe(201)
  expect(note.body).toMatchObject({
    conversationId: id,
    authorType: 'user',
    authorId: owner.id,
    mentions: [],
  })
  // Nothing has been emitted or sent so far. Other processes take over.
  expect(frames.filter(frame => frame.type === 'note.created')).toEqual([])
  onTestFinished(startBackground(api))
  const [created] = await until(
    async () => frames.filter(frame => frame.type === 'note.created'),
    found => found.length > 0,
  )
  expect(created!.data).toMatchObject({
    note: { id: note.body.id, text: 'only for us' },
    conversation: { id },
  })
  await owner.post(`/conversations/${id}/messages`, { content: text('for the customer') })
  const sent = await until(
    async () => (await owner.get(`/sandbox/sent?inboxId=${inboxId}&to=${encodeURIComponent(to)}`)).body.items,
    items => items.length === 2,
  )
  expect(JSON.stringify(sent)).not.toContain('only for us')
  const { messages } = (await owner.get(`/conversations/${id}/messages`)).body
  expect(JSON.stringify(messages)).not.toContain('only for us')
  const { conversation } = (await owner.get(`/messages/${messages[0].id}`)).body
  expect(conversation.lastMessagePreview).toBe('for the customer')
})

describe('with workers', () => {
  beforeAll(() => startBackground(api))

  test('400 for mentions of users who cannot see the conversation', async () => {
    await owner.delete(`/inboxes/${inboxId}/team`)
    const { id } = await startConversation()
    const agent = await workspace.user('agent')
    const mention = (...mentions: string[]) =>
      owner.post(`/conversations/${id}/notes`, { text: 'please look', mentions })
    expect((await mention(agent.id, agent.id)).body.mentions).toEqual([agent.id])
    await owner.post(`/conversations/${id}/reassign`, { userId: owner.id })
    await owner.put(`/inboxes/${inboxId}/team`, { teamId: workspace.teamId })
    const { id: ofTeam } = await startConversation()
    const refused = await owner.post(`/conversations/${ofTeam}/notes`, {
      text: 'x',
      mentions: [owner.id, agent.id],
    })
    expect(refused.status).toBe(400)
    expect(refused.body.violations).toMatchObject([{ field: 'mentions[1]', code: 'unknown_user' }])
    await owner.patch(`/users/${agent.id}`, { disabled: true })
    const other = await api.workspace()
    for (const unknown of [agent.id, other.owner.id, 'usr_nothing'])
      expect((await mention(unknown)).status).toBe(400)
  })

  test('agents outside the team get 404 and no frame; members get both', async () => {
    await owner.put(`/inboxes/${inboxId}/team`, { teamId: workspace.teamId })
    const { id } = await startConversation()
    const [member, outsider] = [
      await workspace.user('agent', [workspace.teamId]),
      await workspace.user('agent'),
    ]
    const [seen, hidden] = [await openFrames(member), await openFrames(outsider)]
    expect((await outsider.post(`/conversations/${id}/notes`, { text: 'x' })).status).toBe(404)
    const { body: note } = await member.post(`/conversations/${id}/notes`, { text: 'team only' })
    expect((await outsider.patch(`/notes/${note.id}`, { text: 'x' })).status).toBe(404)
    expect((await outsider.delete(`/notes/${note.id}`)).status).toBe(404)
    expect((await owner.patch(`/notes/${note.id}`, { text: 'x' })).body.code).toBe('note_not_yours')
    const changed = await member.patch(`/notes/${note.id}`, { text: 'changed' })
    expect(changed.body).toMatchObject({ text: 'changed', authorId: member.id })
    expect((await owner.delete(`/notes/${note.id}`)).status).toBe(204)
    expect((await member.patch(`/notes/${note.id}`, { text: 'x' })).status).toBe(404)
    const types = (await until(
      async () => seen.map(frame => frame.type).filter(type => type.startsWith('note.')),
      found => found.length === 3,
    )) as string[]
    expect(types).toEqual(['note.created', 'note.updated', 'note.deleted'])
    expect(hidden.filter(frame => frame.type.startsWith('note.'))).toEqual([])
    const { body: others } = await member.post(`/conversations/${id}/notes`, { text: 'mine' })
    const colleague = await workspace.user('agent', [workspace.teamId])
    expect((await colleague.delete(`/notes/${others.id}`)).body.code).toBe('note_not_yours')
  })

  test('files of a note are visible with the conversation and deleted with their last use', async () => {
    const { id } = await startConversation()
    const [member, outsider] = [
      await workspace.user('agent', [workspace.teamId]),
      await workspace.user('agent'),
    ]
    const [kept, dropped] = [await upload(owner, 'kept'), await upload(owner, 'dropped')]
    const stolen = await outsider.post(`/conversations/${(await startConversation()).id}/notes`, {
      text: 'x',
      mediaIds: [kept],
    })
    expect([400, 404]).toContain(stolen.status)
    const { body: note } = await owner.post(`/conversations/${id}/notes`, {
      text: 'files',
      mediaIds: [kept, dropped],
    })
    expect((await member.get(`/media/${kept}`)).status).toBe(200)
    expect((await outsider.get(`/media/${kept}`)).status).toBe(404)
    await owner.post(`/conversations/${id}/messages`, {
      content: { type: 'media', media: { mediaId: kept } },
    })
    expect((await owner.patch(`/notes/${note.id}`, { mediaIds: [kept] })).body.mediaIds).toEqual([kept])
    expect((await owner.get(`/media/${dropped}`)).status).toBe(404)
    await owner.delete(`/notes/${note.id}`)
    expect((await member.get(`/media/${kept}`)).status).toBe(200)
  })
})
