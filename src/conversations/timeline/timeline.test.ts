/** Tests the timeline of conversations: order, paging in both directions, actors, merges and visibility. */
import { beforeEach, expect, test } from 'vitest'
import type { Client, Workspace } from '../../../test/harness/api.ts'
import { testService, until } from '../../../test/harness/service.ts'

const service = await testService()
let workspace: Workspace
let owner: Client
let inboxId: string
let numbers = 5571000
const newPhone = () => `+141555${numbers++ % 100_000}`
const text = (body: string) => ({ type: 'text', text: { body } })

interface Item {
  type: string
  id: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read items freely
  [member: string]: any
}

beforeEach(async () => {
  workspace = await service.workspace()
  owner = workspace.owner
  const { body } = await owner.post('/inboxes', {
    chatapp: { resourceIds: ['5571'], phoneNumberIds: [String(++numbers)] },
  })
  inboxId = body.inboxes[0].id
})

async function startConversation(to = newPhone()) {
  const { body } = await owner.post('/messages', {
    recipient: { type: 'phone', phoneNumber: to },
    inboxId,
    content: text('m1'),
  })
  return body.conversation as { id: string; contactId: string }
}
const reply = (id: string, body: string) =>
  owner.post(`/conversations/${id}/messages`, { content: text(body) })
const note = (id: string, body: string) => owner.post(`/conversations/${id}/notes`, { text: body })
const describeItem = ({ type, message, note: written, event }: Item): string =>
  type === 'message' ? message.content.text.body : type === 'note' ? written.text : event.type
const read = async (id: string, query = ''): Promise<Item[]> => {
  const { status, body } = await owner.get(`/conversations/${id}/timeline${query}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.items
}

test('messages, notes and events in the order in which they were written, with their actors', async () => {
  const { id, contactId } = await startConversation()
  await note(id, 'n1')
  await reply(id, 'm2')
  const agent = await workspace.user('agent', [workspace.teamId])
  await owner.post(`/conversations/${id}/reassign`, { userId: agent.id })
  await note(id, 'n2')
  await agent.post(`/conversations/${id}/close`)
  await agent.post(`/conversations/${id}/close`)
  await owner.put(`/contacts/${contactId}/opt-outs/chatapp`)
  await owner.delete(`/contacts/${contactId}/opt-outs/chatapp`)
  await reply(id, 'm3')
  const items = (await read(id)).reverse()
  expect(items.map(describeItem)).toEqual([
    'opened',
    'm1',
    'n1',
    'm2',
    'assigned',
    'n2',
    'closed',
    'opted_out',
    'opted_in',
    'reopened',
    'm3',
  ])
  const events = items.flatMap(item => (item.type === 'event' ? [item.event] : []))
  expect(events[0]).toMatchObject({ actor: null, details: { inboxId } })
  expect(events[1]).toMatchObject({
    actor: { type: 'user', id: owner.id },
    details: { from: null, to: { type: 'user', id: agent.id } },
  })
  expect(events[2]).toMatchObject({ type: 'closed', actor: { type: 'user', id: agent.id } })
  expect(events[3].actor).toEqual({ type: 'user', id: owner.id })
})

test('labels appear with their name and actor, also after the label is deleted', async () => {
  const { id } = await startConversation()
  const label = (await owner.post('/labels', { name: 'Returns' })).body
  await owner.put(`/conversations/${id}/labels/${label.id}`)
  await owner.put(`/conversations/${id}/labels/${label.id}`)
  await owner.delete(`/conversations/${id}/labels/${label.id}`)
  await owner.put(`/conversations/${id}/labels/${label.id}`)
  await owner.delete(`/labels/${label.id}`)
  const events = await until(
    async () => (await read(id)).flatMap(item => (item.type === 'event' ? [item.event] : [])).reverse(),
    found => found.length === 5,
  )
  expect(events.map(({ type }) => type)).toEqual([
    'opened',
    'labelled',
    'unlabelled',
    'labelled',
    'unlabelled',
  ])
  const details = { labelId: label.id, name: 'Returns' }
  for (const event of events.slice(1, 4))
    expect(event).toMatchObject({ actor: { type: 'user', id: owner.id }, details })
  expect(events[4]).toMatchObject({ actor: null, details })
})

test('pages in both directions and around any entry have every entry once', async () => {
  const { id } = await startConversation()
  for (const n of [2, 3, 4]) {
    await reply(id, `m${n}`)
    await note(id, `n${n}`)
    await note(id, `o${n}`)
  }
  const all = await read(id)
  expect(all).toHaveLength(11)
  const pages = async (query: string) => {
    const found: Item[] = []
    let token = ''
    do {
      const { body } = await owner.get(`/conversations/${id}/timeline?pageSize=2${query}&pageToken=${token}`)
      found.push(...body.items)
      token = body.nextPageToken ?? ''
    } while (token)
    return found.map(item => item.id)
  }
  const ids = all.map(item => item.id)
  expect(await pages('')).toEqual(ids)
  expect(await pages('&direction=newer')).toEqual([...ids].reverse())
  for (const [i, anchor] of ids.entries()) {
    expect(await pages(`&around=${anchor}&direction=older`)).toEqual(ids.slice(i + 1))
    expect(await pages(`&around=${anchor}&direction=newer`)).toEqual(ids.slice(0, i).reverse())
    const centred = await read(id, `?pageSize=4&around=${anchor}`)
    expect(centred.map(item => item.id)).toEqual(ids.slice(Math.max(0, i - 2), Math.max(0, i - 2) + 4))
    expect(await pages(`&around=${anchor}`)).toEqual(ids.slice(Math.max(0, i - 1)))
  }
})

test('messages around a message, and 400 for one of another conversation', async () => {
  const { id } = await startConversation()
  for (const n of [2, 3, 4, 5]) await reply(id, `m${n}`)
  const list = async (query = '') => {
    const { status, body } = await owner.get(`/conversations/${id}/messages${query}`)
    return status === 200
      ? body.messages.map((message: Item) => message.content.text.body)
      : [status, body.violations[0].code]
  }
  const { messages } = (await owner.get(`/conversations/${id}/messages`)).body
  const third = messages[2].id as string
  expect(await list(`?around=${third}&pageSize=3`)).toEqual(['m4', 'm3', 'm2'])
  expect(await list(`?around=${third}&direction=older`)).toEqual(['m2', 'm1'])
  expect(await list(`?around=${third}&direction=newer`)).toEqual(['m4', 'm5'])
  expect(await list(`?around=${messages[0].id}&direction=newer`)).toEqual([])
  const other = await startConversation()
  const [foreign] = (await owner.get(`/conversations/${other.id}/messages`)).body.messages
  expect(await list(`?around=${foreign.id}`)).toEqual([400, 'unknown_message'])
  const unknown = await owner.get(`/conversations/${id}/timeline?around=${foreign.id}&direction=newer`)
  expect([unknown.status, unknown.body.violations[0].code]).toEqual([400, 'unknown_entry'])
})

test('404 for agents who cannot see the conversation', async () => {
  await owner.put(`/inboxes/${inboxId}/team`, { teamId: workspace.teamId })
  const { id } = await startConversation()
  await note(id, 'hidden')
  const [member, outsider] = [
    await workspace.user('agent', [workspace.teamId]),
    await workspace.user('agent'),
  ]
  expect((await member.get(`/conversations/${id}/timeline`)).body.items.length).toBeGreaterThan(2)
  expect((await outsider.get(`/conversations/${id}/timeline`)).status).toBe(404)
})

test('notes and events follow the same messages when conversations are merged', async () => {
  const from = newPhone()
  const receive = async (body: string, hidePhone: boolean) => {
    await owner.post('/sandbox/inbound', { inboxId, from, hidePhone, content: text(body) })
    return until(
      async () => {
        const { conversations } = (await owner.get('/conversations')).body
        return conversations.find((one: Item) => one.lastMessagePreview === body)?.id as string
      },
      found => found !== undefined,
    )
  }
  const hidden = await receive('hidden', true)
  await note(hidden, 'after hidden')
  const { body } = await owner.post('/messages', {
    recipient: { type: 'phone', phoneNumber: from },
    inboxId,
    content: text('by phone'),
  })
  const known = body.conversation.id as string
  expect(known).not.toBe(hidden)
  await note(known, 'after by phone')
  const merged = await receive('shown', false)
  const written = (await read(merged)).filter(item => item.type !== 'event').map(describeItem)
  expect(written).toEqual(['shown', 'after by phone', 'by phone', 'after hidden', 'hidden'])
  expect((await read(hidden)).map(item => item.id)).toEqual((await read(merged)).map(item => item.id))
})
