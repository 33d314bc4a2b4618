/** Tests presence between processes: each has sockets of its own and a connection to the bus of PostgreSQL. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { type Client, testApi, type Workspace } from '../../../test/harness/api.ts'
import { playProviders } from '../../../test/harness/sandbox.ts'
import { startBackground, until } from '../../../test/harness/service.ts'
import { openRealtime } from '../../app-realtime.ts'
import { postgresBus } from '../../platform/bus/postgres.ts'
import type { PresentUser } from './registry.ts'

const api = await testApi()
await playProviders(api)
const { connection } = api
let workspace: Workspace
let owner: Client
let inboxId: string
let phones = 0

/** Starts the sockets of a process. */
async function startProcess() {
  const bus = await postgresBus(connection)
  const deps = { ...api.deps, bus }
  const realtime = openRealtime(deps)
  const server = createServer().on('upgrade', realtime.upgrade).listen(0, '127.0.0.1')
  await once(server, 'listening')
  let isRunning = true
  const stop = async (kill: boolean) => {
    if (!isRunning) return
    isRunning = false
    // A killed process says nothing: its connection to the bus ends before its sockets do.
    if (kill) await bus.close()
    await realtime.stop()
    server.close().closeAllConnections()
    if (!kill) await bus.close()
  }
  afterAll(() => stop(false))
  return {
    deps,
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/v1/realtime`,
    kill: () => stop(true),
  }
}

const [here, there] = [await startProcess(), await startProcess()]
afterAll(startBackground({ deps: here.deps, connection }))

async function open({ url }: { url: string }, { token }: Client) {
  const ws = new WebSocket(url, { headers: { authorization: `Bearer ${token}` } })
  const errors: string[] = []
  const presence = new Map<string, PresentUser[]>()
  let updates = 0
  ws.on('message', bytes => {
    const { type, data } = JSON.parse(String(bytes))
    if (type === 'error') errors.push(data.code)
    if (type !== 'presence') return
    updates++
    presence.set(data.conversationId ?? data.workflowId, data.users)
  })
  await once(ws, 'message')
  onTestFinished(() => ws.terminate())
  return {
    ws,
    errors,
    countUpdates: () => updates,
    say: (type: string, data: object) => ws.send(JSON.stringify({ type, data })),
    sees: (id: string, users: PresentUser[]) =>
      until(
        async () => presence.get(id) ?? [],
        found => JSON.stringify(found) === JSON.stringify(users),
      ),
    get: (id: string) => presence.get(id) ?? [],
  }
}

async function startConversation(): Promise<string> {
  const { body } = await owner.post('/messages', {
    recipient: { type: 'phone', phoneNumber: `+1415556${6000 + phones++}` },
    inboxId,
    content: { type: 'text', text: { body: 'Hello' } },
  })
  return body.conversation.id
}

beforeAll(async () => {
  workspace = await api.workspace()
  owner = workspace.owner
  const chatapp = { resourceIds: ['5566'], phoneNumberIds: ['55660001'] }
  inboxId = (await owner.post('/inboxes', { chatapp })).body.inboxes[0].id
})

test('two agents in two processes see who views and types, until the socket ends', async () => {
  const id = await startConversation()
  const [sam, alex] = [await workspace.user('agent'), await workspace.user('agent')]
  const [one, two] = [await open(here, sam), await open(there, alex)]
  two.say('watch', { conversationIds: [id] })
  one.say('viewing', { conversationId: id })
  await two.sees(id, [{ userId: sam.id, typing: null }])
  one.say('typing', { conversationId: id, kind: 'note' })
  await two.sees(id, [{ userId: sam.id, typing: 'note' }])
  // Typing that is not repeated ends.
  await two.sees(id, [{ userId: sam.id, typing: null }])
  one.say('typing', { conversationId: id, kind: 'reply' })
  await two.sees(id, [{ userId: sam.id, typing: 'reply' }])
  one.say('typing', { conversationId: id, kind: null })
  await two.sees(id, [{ userId: sam.id, typing: null }])
  const late = await open(there, owner)
  late.say('watch', { conversationIds: [id] })
  await late.sees(id, [{ userId: sam.id, typing: null }])
  one.ws.terminate()
  await two.sees(id, [])
  await late.sees(id, [])
})

test('another conversation replaces the one that was viewed; two sockets of a user are one', async () => {
  const [a, b] = [await startConversation(), await startConversation()]
  const sam = await workspace.user('agent')
  const [one, other, watcher] = [await open(here, sam), await open(there, sam), await open(there, owner)]
  watcher.say('watch', { conversationIds: [a, b] })
  one.say('viewing', { conversationId: a })
  other.say('typing', { conversationId: a, kind: 'reply' })
  await watcher.sees(a, [{ userId: sam.id, typing: 'reply' }])
  other.say('viewing', { conversationId: b })
  await watcher.sees(b, [{ userId: sam.id, typing: null }])
  await watcher.sees(a, [{ userId: sam.id, typing: null }])
  one.say('viewing', { conversationId: null })
  await watcher.sees(a, [])
  expect(watcher.get(b)).toHaveLength(1)
})

test('the users of a process that died disappear', async () => {
  const id = await startConversation()
  const dying = await startProcess()
  const [one, watcher] = [await open(dying, await workspace.user('agent')), await open(here, owner)]
  watcher.say('watch', { conversationIds: [id] })
  one.say('viewing', { conversationId: id })
  await until(
    async () => watcher.get(id),
    users => users.length === 1,
  )
  await dying.kill()
  await watcher.sees(id, [])
})

test('a user who cannot see a conversation learns nothing of it, and loses it with the access', async () => {
  const [id, shared] = [await startConversation(), await startConversation()]
  const member = await workspace.user('agent', [workspace.teamId])
  const [hidden, viewer] = [await open(there, await workspace.user('agent')), await open(here, member)]
  const audience = await open(here, owner)
  for (const socket of [hidden, audience]) socket.say('watch', { conversationIds: [id, shared] })
  viewer.say('viewing', { conversationId: id })
  await hidden.sees(id, [{ userId: member.id, typing: null }])
  await owner.put(`/conversations/${id}/owner`, { type: 'team', id: workspace.teamId })
  hidden.say('viewing', { conversationId: id })
  // Its own attempt to view is refused, and presence in a conversation that it may see still arrives.
  hidden.say('typing', { conversationId: shared, kind: 'reply' })
  await until(
    async () => audience.get(shared),
    users => users.length === 1,
  )
  await until(
    async () => hidden.get(shared),
    users => users.length === 1,
  )
  const before = hidden.countUpdates()
  viewer.say('typing', { conversationId: id, kind: 'reply' })
  await audience.sees(id, [{ userId: member.id, typing: 'reply' }])
  viewer.say('viewing', { conversationId: shared })
  await until(
    async () => hidden.get(shared),
    users => users.length === 2,
  )
  expect(hidden.countUpdates()).toBe(before + 1)
  // A change of the user's teams takes the viewer away.
  viewer.say('viewing', { conversationId: id })
  await audience.sees(id, [{ userId: member.id, typing: null }])
  await owner.delete(`/teams/${workspace.teamId}/members/${member.id}`)
  await audience.sees(id, [])
})

test('the editors of a journey and of a chatbot see each other, until one of them may no longer read it', async () => {
  const name = 'Shared'
  const journeyId = (await owner.post('/journeys', { name })).body.id
  const chatbotId = (await owner.post('/chatbots', { name })).body.id
  const conversationId = await startConversation()
  const sam = await workspace.user('admin')
  const [one, two] = [await open(here, sam), await open(there, owner)]
  const stranger = await open(here, (await api.workspace()).owner)
  for (const socket of [two, stranger])
    socket.say('watch', { conversationIds: [conversationId], workflowIds: [journeyId, chatbotId] })
  stranger.say('viewing', { workflowId: journeyId })
  one.say('viewing', { workflowId: journeyId })
  await two.sees(journeyId, [{ userId: sam.id, typing: null }])
  // The kind is part of the place: a journey is no conversation.
  one.say('viewing', { conversationId: journeyId })
  await two.sees(journeyId, [])
  one.say('viewing', { workflowId: chatbotId })
  await two.sees(chatbotId, [{ userId: sam.id, typing: null }])
  one.say('typing', { conversationId, kind: 'reply' })
  await two.sees(conversationId, [{ userId: sam.id, typing: 'reply' }])
  await two.sees(chatbotId, [])
  one.say('viewing', { workflowId: journeyId })
  await two.sees(journeyId, [{ userId: sam.id, typing: null }])
  await owner.patch(`/users/${sam.id}`, { disabled: true })
  await two.sees(journeyId, [])
  expect(stranger.countUpdates()).toBe(0)
  const { body } = await owner.get('/events?since=0')
  expect(JSON.stringify(body)).not.toContain('presence')
})

test('another workspace sees nothing; malformed frames are refused, unknown ones ignored', async () => {
  const id = await startConversation()
  const stranger = await open(there, (await api.workspace()).owner)
  const [one, watcher] = [await open(here, owner), await open(there, owner)]
  stranger.say('watch', { conversationIds: [id] })
  stranger.say('typing', { conversationId: id, kind: 'reply' })
  for (const data of [{}, { conversationIds: 'x' }, { conversationIds: Array(201).fill('x') }])
    one.say('watch', data)
  one.say('typing', { conversationId: id, kind: 'poem' })
  one.say('dance', {})
  one.ws.send('{')
  watcher.say('watch', { conversationIds: [id] })
  one.say('viewing', { conversationId: id })
  await watcher.sees(id, [{ userId: owner.id, typing: null }])
  expect(one.errors).toEqual(Array(4).fill('invalid_frame'))
  expect(stranger.countUpdates()).toBe(0)
})
