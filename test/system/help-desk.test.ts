/**
 * Two processes of one installation, as agents use them: presence between the processes and after one of them died; a
 * session that one process revokes and the other serves; and messages, scheduled messages and notes that are written while
 * the processes are killed at random moments. `FULL=1` kills more often.
 */
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { browserWithCookie, ownPage } from '../../src/identity/testing/browsers.ts'
import { startEmbedded } from '../../src/platform/db/embedded/start.ts'
import { type Client, retryingClient } from '../chaos/client.ts'
import { within } from '../harness/wait.ts'
import { eventually, freePort, fresh, type Service, scratch, start } from './program.ts'

const kills = process.env.FULL === '1' ? 20 : 4
const people = process.env.FULL === '1' ? 20 : 6
/** Of each kind and customer: a provider delays more than 45 messages to one of them. */
const maxWrites = 20
const root = scratch()

interface Office {
  ports: number[]
  services: Service[]
  /** Starts the process again after it was killed. */
  restart(n: number): Promise<void>
  client: Client
  inboxId: string
}
let office: Office

beforeAll(async () => {
  const database = await startEmbedded({ dataDir: fresh(root, 'database') })
  const dataDir = fresh(root, 'data')
  const [sandboxPort, ...ports] = (await Promise.all(Array.from({ length: 3 }, freePort))) as [
    number,
    ...number[],
  ]
  const env = {
    DATABASE_URL: `postgres:///parley?host=${encodeURIComponent(database.connection.host)}&user=parley`,
    SECRET_KEY: 'a secret of tests, and of nothing else',
    PUBLIC_URL: `http://127.0.0.1:${ports[0]}`,
    SANDBOX_URL: `http://127.0.0.1:${sandboxPort}`,
    CONSOLE: 'off',
  }
  await start({ dataDir, env, command: ['sandbox', '--port', String(sandboxPort)] })
  const run = (n: number) => start({ dataDir, env, port: ports[n]! })
  const services = [await run(0)]
  await services[0]!.ready()
  services.push(await run(1))
  await services[1]!.ready()
  const { apiKey } = services[0]!.credentials()
  const client = retryingClient(services[0]!.url, apiKey)
  const { inboxes } = await client.call('GET', '/inboxes')
  office = {
    ports,
    services,
    client,
    inboxId: inboxes.find(({ channel }: { channel: string }) => channel === 'chatapp').id,
    restart: async n => {
      services[n] = await run(n)
      await services[n].ready()
    },
  }
  return () => database.stop()
})

async function startConversation(phoneNumber: string): Promise<string> {
  const content = { type: 'text', text: { body: `Hello ${phoneNumber}` } }
  const recipient = { type: 'phone', phoneNumber }
  const { inboxId, client } = office
  return (await client.call('POST', '/messages', { recipient, inboxId, content })).conversation.id
}

const password = 'plum-Harbor-42-lantern'

/** Invites an agent and returns their id and token. */
async function hire(email: string): Promise<{ id: string; token: string }> {
  const { url } = office.services[0]!
  const { token } = await office.client.call('POST', '/users/invitations', { email, role: 'agent' })
  const post = async (path: string, body: object) => {
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(`${url}/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    expect(response.status, path).toBeLessThan(300)
    return response.json()
  }
  await post('/auth/invitations/accept', { token, name: email, password })
  const { accessToken } = (await post('/auth/login', { email, password })) as { accessToken: string }
  const me = await fetch(`${url}/v1/users/me`, { headers: { authorization: `Bearer ${accessToken}` } })
  return { id: ((await me.json()) as { id: string }).id, token: accessToken }
}

async function connect({ url }: Service, { token }: { token: string }) {
  const ws = new WebSocket(`${url.replace('http', 'ws')}/v1/realtime`, {
    headers: { authorization: `Bearer ${token}` },
  })
  ws.on('error', () => {})
  onTestFinished(() => ws.terminate())
  let users: object[] = []
  ws.on('message', bytes => {
    const { type, data } = JSON.parse(String(bytes))
    if (type === 'presence') users = data.users
  })
  await once(ws, 'message')
  return {
    say: (type: string, data: object) => ws.send(JSON.stringify({ type, data })),
    close: () => ws.close(),
    /** Resolves with the time that it took. */
    async sees(expected: object[]): Promise<number> {
      const startedAt = performance.now()
      await expect.poll(() => users, { timeout: 120_000, interval: 5 }).toEqual(expected)
      return performance.now() - startedAt
    },
  }
}

let customers = 0
/** Returns a number that no other test and no other run of the test uses. */
const newNumber = () => `+1415555${9900 - ++customers}`

test('agents of two processes see each other within a second, and not five seconds after one is killed', async () => {
  const [first, second] = office.services as [Service, Service]
  const number = newNumber()
  const [ada, bo] = [await hire(`ada${number}@example.com`), await hire(`bo${number}@example.com`)]
  const conversationId = await startConversation(number)
  const watcher = await connect(first, ada)
  watcher.say('watch', { conversationIds: [conversationId] })
  let agent = await connect(second, bo)
  const viewing = { userId: bo.id, typing: null }
  const times: Record<string, number> = {}

  agent.say('viewing', { conversationId })
  times.viewing = await watcher.sees([viewing])
  agent.say('typing', { conversationId, kind: 'reply' })
  times.typing = await watcher.sees([{ userId: bo.id, typing: 'reply' }])
  times.typingEnded = await watcher.sees([viewing])
  agent.close()
  times.closed = await watcher.sees([])

  agent = await connect(second, bo)
  agent.say('viewing', { conversationId })
  await watcher.sees([viewing])
  await second.kill()
  times.killed = await watcher.sees([])
  const limits = { viewing: 1_000, typing: 1_000, typingEnded: 6_000, closed: 1_000, killed: 5_000 }
  for (const [name, limit] of Object.entries(limits)) expect(times[name], name).toBeLessThan(within(limit))
  await office.restart(1)
})

/** Signs in on a page of the process. */
async function openBrowser({ url }: Service, email: string) {
  const response = await fetch(`${url}/v1/auth/sessions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...ownPage },
    body: JSON.stringify({ email, password }),
  })
  expect(response.status).toBe(204)
  return browserWithCookie({ url }, response.headers.getSetCookie()[0]!.split(';')[0]!)
}

test('a session that one process revokes ends at the other within a second, its socket too', async () => {
  const [first, second] = office.services as [Service, Service]
  const email = `cy${newNumber()}@example.com`
  await hire(email)
  const desk = await openBrowser(first, email)
  const lost = await openBrowser(second, email)
  const open = async (cookie: string) => {
    const socket = new WebSocket(`${second.url.replace('http', 'ws')}/v1/realtime`, {
      headers: { cookie, origin: second.url },
    })
    onTestFinished(() => socket.terminate())
    const closed = once(socket, 'close').then(([code]) => code as number)
    await once(socket, 'message')
    return { socket, closed }
  }
  const [kept, ended] = [await open(desk.cookie), await open(lost.cookie)]
  const { items } = (await lost.get('/users/me/sessions')).body
  const { id } = items.find(({ isCurrent }: { isCurrent: boolean }) => isCurrent)

  const startedAt = performance.now()
  expect((await desk.delete(`/users/me/sessions/${id}`)).status).toBe(204)
  expect(await ended.closed).toBe(4401)
  await expect.poll(async () => (await lost.get('/users/me')).status, { interval: 20 }).toBe(401)
  expect(performance.now() - startedAt).toBeLessThan(within(1_000))
  expect(kept.socket.readyState).toBe(WebSocket.OPEN)
})

interface Sent {
  payload: { text: { body: string } }
}

test('a note never reaches the provider, and messages and scheduled messages do once, whatever dies when', async () => {
  const numbers = Array.from({ length: people }, newNumber)
  const conversationIds = await Promise.all(numbers.map(startConversation))
  const clients = office.services.map(({ url }) =>
    retryingClient(url, office.services[0]!.credentials().apiKey),
  )
  const expected = new Map(numbers.map(number => [number, new Set([`Hello ${number}`])]))
  const notes: string[] = []
  let isWriting = true

  /** Writes to one customer, over both processes in turn, until the kills are over. */
  async function write(person: number): Promise<void> {
    const path = `/conversations/${conversationIds[person]}`
    const bodies = expected.get(numbers[person]!)!
    for (let n = 0; isWriting && n < maxWrites; n++) {
      const client = clients[(person + n) % 2]!
      const note = `internal ${person}: ${n}`
      notes.push(note)
      await client.call('POST', `${path}/notes`, { text: note })
      const message = { content: { type: 'text', text: { body: `message ${person}: ${n}` } } }
      await client.call('POST', `${path}/messages`, message)
      bodies.add(message.content.text.body)
      const later = { content: { type: 'text', text: { body: `later ${person}: ${n}` } } }
      const sendAt = new Date(Date.now() + 500 + Math.random() * 4_000).toISOString()
      await client.call('POST', `${path}/messages`, { ...later, sendAt })
      bodies.add(later.content.text.body)
      await sleep(Math.random() * 1_500)
    }
  }

  const writing = Promise.all(numbers.map((_, person) => write(person)))
  for (let n = 0; n < kills; n++) {
    await sleep(Math.random() * 1_500)
    await office.services[n % 2]!.kill()
    await office.restart(n % 2)
  }
  isWriting = false
  await writing

  /** Returns the texts that the provider received for a customer. */
  const readSent = async (number: string): Promise<string[]> => {
    const query = `inboxId=${office.inboxId}&to=${encodeURIComponent(number)}`
    const { items } = await office.client.call('GET', `/sandbox/sent?${query}`)
    return items.map((item: Sent) => item.payload.text.body).sort()
  }
  for (const [i, number] of numbers.entries()) {
    const wanted = expected.get(number)!
    expect(await eventually(async () => new Set(await readSent(number)).size >= wanted.size, 200_000)).toBe(
      true,
    )
    // Nothing is left that could still be sent.
    const { messages } = await office.client.call('GET', `/conversations/${conversationIds[i]}/scheduled`)
    expect(messages).toEqual([])
    expect(await readSent(number)).toEqual([...wanted].sort())
  }
  expect(notes.length).toBeGreaterThan(people)
  const all = await office.client.call('GET', `/sandbox/sent?inboxId=${office.inboxId}`)
  expect(all.items.length).toBeGreaterThan(people)
  expect(JSON.stringify(all.items)).not.toContain('internal')
  const stored = await office.client.call('GET', '/messages/search?q=internal&type=note&limit=200')
  expect(stored.items.length).toBeGreaterThan(0)
})
