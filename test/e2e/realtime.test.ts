/** Tests realtime sockets as a client uses them: tickets, visibility, resume and revocation. */
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import type { Client } from '../harness/api.ts'
import { testService, until } from '../harness/service.ts'
import { within } from '../harness/wait.ts'

const service = await testService({}, { spread: true })
const text = (body: string) => ({ type: 'text', text: { body } })

interface Frame {
  seq?: number
  type: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read frames freely
  data: any
}

interface Connection {
  frames: Frame[]
  closed: Promise<number>
  close(): void
}

async function open(query: string, headers: Record<string, string> = {}): Promise<Connection> {
  const ws = new WebSocket(`${service.url.replace('http', 'ws')}/v1/realtime${query}`, { headers })
  const frames: Frame[] = []
  ws.on('message', data => frames.push(JSON.parse(String(data))))
  const closed = new Promise<number>(resolve => ws.on('close', code => resolve(code)))
  await new Promise((resolve, reject) => ws.once('open', resolve).once('error', reject))
  return { frames, closed, close: () => ws.close() }
}

const bearer = (client: Client) => ({ authorization: `Bearer ${client.token}` })
const types = (connection: Connection) => connection.frames.map(frame => frame.type)

async function createTestWorkspace() {
  const workspace = await service.workspace()
  const waba = String(Math.floor(Math.random() * 1e9))
  const connected = await workspace.owner.post('/inboxes', {
    chatapp: { resourceIds: [waba], phoneNumberIds: [`${waba}1`] },
  })
  return { ...workspace, inboxId: connected.body.inboxes[0].id as string }
}

test("a customer's message arrives as a frame, followed by the unread count", async () => {
  const { owner, inboxId } = await createTestWorkspace()
  const { ticket } = (await owner.post('/realtime/tickets')).body
  const connection = await open(`?ticket=${ticket}`)
  await owner.post('/sandbox/inbound', { inboxId, from: '+14155550171', content: text('hi') })
  await until(
    async () => types(connection),
    seen => seen.includes('message.created') && seen.includes('unread_count_update'),
  )
  const created = connection.frames.find(frame => frame.type === 'message.created')!
  expect(created.data).toMatchObject({
    message: { content: text('hi') },
    conversation: { externalId: '+14155550171' },
  })
  await until(
    async () => connection.frames.filter(frame => frame.type === 'unread_count_update').at(-1)?.data.count,
    count => count === 1,
  )
  await owner.post(`/conversations/${created.data.conversation.id}/read`, {
    lastMessageId: created.data.message.id,
  })
  await until(
    async () => types(connection),
    seen => seen.includes('conversation_read'),
  )
  const read = connection.frames.find(frame => frame.type === 'conversation_read')!
  const unread = (await owner.get('/users/me/unread-summary')).body
  expect(read.data).toMatchObject({ lastMessageId: created.data.message.id, version: unread.version })
  const second = await open(`?ticket=${ticket}`)
  expect(await second.closed).toBe(4401)
  connection.close()
})

test('resumes after a sequence number, once and in order; an unknown number gives a resync', async () => {
  const { owner, inboxId } = await createTestWorkspace()
  const first = await open('', bearer(owner))
  await owner.post('/sandbox/inbound', { inboxId, from: '+14155550172', content: text('0') })
  await until(
    async () => types(first),
    seen => seen.includes('message.created'),
  )
  first.close()
  const since = Math.max(...first.frames.flatMap(frame => frame.seq ?? []))
  for (let i = 1; i <= 5; i++)
    await owner.post('/sandbox/inbound', { inboxId, from: '+14155550172', content: text(String(i)) })
  const [conversation] = (await owner.get('/conversations')).body.conversations
  await until(
    async () => (await owner.get(`/conversations/${conversation.id}/messages`)).body.messages.length,
    n => n === 6,
  )
  const resumed = await open(`?since=${since}`, bearer(owner))
  await until(
    async () => resumed.frames.filter(frame => frame.type === 'message.created').length,
    n => n === 5,
  )
  const seqs = resumed.frames.flatMap(frame => frame.seq ?? [])
  expect(seqs).toEqual([...new Set(seqs)].sort((a, b) => a - b))
  expect(seqs[0]).toBeGreaterThan(since)
  const lost = await open('?since=999999', bearer(owner))
  await until(
    async () => types(lost),
    seen => seen.includes('resync'),
  )
  resumed.close()
  lost.close()
})

test('an agent of another team receives no frames; a disabled user is disconnected with 4401', async () => {
  const { owner, user, inboxId, teamId } = await createTestWorkspace()
  const other = (await owner.post('/teams', { name: 'Others' })).body.id
  await owner.put(`/inboxes/${inboxId}/team`, { teamId: other })
  const outsider = await user('agent', [teamId])
  const member = await user('agent', [other])
  const [outside, inside] = [await open('', bearer(outsider)), await open('', bearer(member))]
  await owner.post('/sandbox/inbound', { inboxId, from: '+14155550173', content: text('secret') })
  await until(
    async () => types(inside),
    seen => seen.includes('message.created'),
  )
  await new Promise(resolve => setTimeout(resolve, 200))
  expect(JSON.stringify(outside.frames)).not.toContain('secret')
  expect(types(outside)).not.toContain('message.created')
  const startedAt = Date.now()
  await owner.patch(`/users/${member.id}`, { disabled: true })
  expect(await inside.closed).toBe(4401)
  expect(Date.now() - startedAt).toBeLessThan(within(1_500))
  outside.close()
})

test('closes with 4401 without a valid token', async () => {
  expect(await (await open('')).closed).toBe(4401)
  expect(await (await open('?ticket=rtt_wrong')).closed).toBe(4401)
})

test('a key receives only the frames that its scopes allow, live and with since; 4403 without such a scope', async () => {
  const { owner, key, inboxId } = await createTestWorkspace()
  const connect = async (scopes: string[], query = '') =>
    open(query, bearer(await key({ role: 'admin', scopes: ['user:read_self', ...scopes] })))
  expect(await (await connect([])).closed).toBe(4403)
  expect(await (await connect([], '?since=0')).closed).toBe(4403)
  const live = [await connect(['contact:read']), await connect(['conversation:read'])] as const
  const all = await open('', bearer(owner))
  await owner.post('/sandbox/inbound', { inboxId, from: '+14155550174', content: text('secret') })
  await until(
    async () => types(all),
    seen => seen.includes('message.created') && seen.includes('contact.created'),
  )
  const since = [
    await connect(['contact:read'], '?since=0'),
    await connect(['conversation:read'], '?since=0'),
  ] as const
  for (const [contactReader, conversationReader] of [live, since]) {
    await until(
      async () => [types(contactReader), types(conversationReader)] as const,
      ([contacts, conversations]) =>
        contacts.includes('contact.created') && conversations.includes('message.created'),
    )
    expect(types(contactReader).filter(type => /^(message|conversation)/.test(type))).toEqual([])
    expect(types(conversationReader).filter(type => type.startsWith('contact'))).toEqual([])
  }
  for (const connection of [...live, ...since, all]) connection.close()
})
