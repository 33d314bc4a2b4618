/** HTTP requests of journeys, and simulations. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Client } from '../../../../test/harness/api.ts'
import { testService, until } from '../../../../test/harness/service.ts'
import {
  connectInbox,
  createChatbot,
  createContact,
  createJourney,
  expectStatus,
  getPath,
  listRuns,
  listSentTexts,
  receiveMessage,
  text,
  type WorkflowInput,
  waitForRun,
} from '../../testing/fixtures.ts'

const service = await testService()
let owner: Client
let inboxId: string
const calls: { url: string; key: string | undefined; body: string }[] = []

const shop = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const body = Buffer.concat(chunks).toString()
  calls.push({ url: request.url!, key: request.headers['idempotency-key'] as string, body })
  if (request.url === '/slow') return void setTimeout(() => response.end('{}'), 60_000).unref()
  if (request.url === '/broken') return void response.writeHead(500).end('no')
  if (request.url === '/huge') {
    const block = Buffer.alloc(1024 * 1024, 'x')
    const more = () => {
      while (!response.destroyed && response.write(block));
      if (!response.destroyed) response.once('drain', more)
    }
    response.on('error', () => {})
    return more()
  }
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ level: 'gold', echoed: body }))
})

let address: string

beforeAll(async () => {
  owner = await (await service.workspace()).key()
  inboxId = await connectInbox(owner, '7201')
  await new Promise<void>(resolve => shop.listen(0, '127.0.0.1', resolve))
  address = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`
})
beforeEach(() => {
  calls.length = 0
})
afterAll(() => {
  shop.closeAllConnections()
  shop.close()
})

const calling = (path: string, more: Record<string, unknown> = {}): WorkflowInput => ({
  trigger: { type: 'manual' },
  nodes: {
    call: [
      'http',
      { method: 'POST', url: `${address}${path}`, saveAs: 'answer', timeoutSeconds: 1, ...more },
    ],
    ok: ['end'],
    error: ['end'],
    late: ['end'],
  },
  edges: ['start > call', 'call:ok > ok', 'call:error > error', 'call:timeout > late'],
})

async function endOf(input: WorkflowInput) {
  const id = await createJourney(owner, input)
  const { id: contactId } = await createContact(owner, { name: 'Ann' })
  await expectStatus(owner.post(`/journeys/${id}/runs`, { contactId }), 201)
  return waitForRun(owner, id, 'completed')
}

test('a request is sent once, with its idempotency key, and its response is stored in a variable', async () => {
  const run = await endOf(calling('/level', { body: { name: '{{contact.name}}' } }))
  expect(getPath(run).slice(-2)).toEqual(['call:ok', 'ok:end'])
  expect(run.variables.answer).toEqual({ status: 200, body: { level: 'gold', echoed: '{"name":"Ann"}' } })
  const made = calls.filter(call => call.url === '/level')
  expect(made).toEqual([{ url: '/level', key: `${run.id}-2`, body: '{"name":"Ann"}' }])
})

test.each([
  ['/broken', 'call:error', { status: 500, body: 'no' }],
  ['/slow', 'call:timeout', { error: 'timeout' }],
  ['/huge', 'call:error', { error: 'response_too_large' }],
])('%s goes its own way, and the service stays well', async (path, way, answer) => {
  const run = await endOf(calling(path))
  expect(getPath(run)).toContain(way)
  expect(run.variables.answer).toEqual(answer)
})

test('forbidden_address for a private address', async () => {
  const input = calling('/')
  input.nodes.call![1]!.url = 'http://10.0.0.1/{{contact.id}}'
  const run = await endOf(input)
  expect(getPath(run)).toContain('call:error')
})

const bot: WorkflowInput = {
  trigger: { type: 'message_received', match: 'any' },
  nodes: {
    ask: [
      'ask',
      {
        content: text('How old are you?'),
        variable: 'age',
        validate: 'number',
        retries: 1,
        timeout: { hours: 1 },
      },
    ],
    grown: ['branch', { cases: ['variables.age >= 18'] }],
    yes: ['sendMessage', { content: text('Come in') }],
    no: ['sendMessage', { content: text('Not yet') }],
    odd: ['sendMessage', { content: text('Pardon?') }],
  },
  edges: ['start > ask', 'ask:answered > grown', 'grown:0 > yes', 'grown:else > no', 'ask:invalid > odd'],
}

test('a simulated bot takes the same path as a real run and stores nothing', async () => {
  const id = await createChatbot(owner, bot)
  const before = (await expectStatus(owner.get('/contacts?pageSize=200'), 200)).contacts.length
  for (const said of [['20'], ['7'], ['x', 'y']]) {
    const played = await expectStatus(
      owner.post(`/chatbots/${id}/simulate`, {
        message: 'Hello',
        inputs: said.map(message => ({ message, afterSeconds: 30 })),
      }),
      200,
    )
    const { phone } = await createContact(owner)
    await receiveMessage(owner, inboxId, phone, 'Hello')
    for (const [i, message] of said.entries()) {
      await until(
        () => listSentTexts(owner, inboxId, phone),
        sent => sent.length === i + 1,
      )
      await receiveMessage(owner, inboxId, phone, message)
    }
    const sent = await until(
      () => listSentTexts(owner, inboxId, phone),
      all => all.length === said.length + 1,
    )
    const shown = played.effects.filter((one: { effect: string }) => one.effect === 'send')
    // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
    expect(shown.map((one: any) => one.input[0].content.text.body)).toEqual(sent)
    expect(played).toMatchObject({ status: 'completed', endReason: 'end_of_path' })
  }
  const silent = await expectStatus(owner.post(`/chatbots/${id}/simulate`), 200)
  expect(silent.path.at(-1)).toMatchObject({ nodeId: 'ask', output: 'timeout' })
  expect(Date.parse(silent.endedAt) - Date.parse(silent.startedAt)).toBe(3_600_000)
  expect((await expectStatus(owner.get('/contacts?pageSize=200'), 200)).contacts.length).toBe(before + 3)
  await expectStatus(owner.post(`/chatbots/${id}/pause`), 200)
})

test('a simulated journey sends nothing and skips long waits', async () => {
  const input = calling('/never')
  input.nodes.wait = ['delay', { for: { days: 400 } }]
  input.nodes.hello = ['sendMessage', { content: text('Hello {{contact.name}}'), inboxId }]
  const id = await createJourney(owner, {
    ...input,
    edges: [
      'start > hello',
      'hello > wait',
      'wait > call',
      'call:ok > ok',
      'call:error > error',
      'call:timeout > late',
    ],
  })
  const { id: contactId, phone } = await createContact(owner, { name: 'Zoe' })
  const played = await expectStatus(
    owner.post(`/journeys/${id}/simulate`, { window: 'open', contactId, http: { call: { status: 404 } } }),
    200,
  )
  expect(getPath(played)).toEqual([
    'start:next',
    'hello:next',
    'wait',
    'wait:next',
    'call',
    'call:error',
    'error:end',
  ])
  expect(played.effects[0]).toMatchObject({ nodeId: 'hello', effect: 'send' })
  expect(Date.parse(played.endedAt) - Date.parse(played.startedAt)).toBe(400 * 86_400_000)
  expect(await listSentTexts(owner, inboxId, phone)).toEqual([])
  expect(await listRuns(owner, id)).toEqual([])
  expect(calls.some(call => call.url === '/never')).toBe(false)
  await expectStatus(owner.post(`/journeys/${id}/simulate`, { contact: { phone } }), 409)
})

test('403 for simulating a contact without contact:read; 404 for a contact that the caller may not see', async () => {
  const { owner: admin, key, user, teamId } = await service.workspace()
  const inbox = await connectInbox(admin, '7203')
  const { id: team } = await expectStatus(admin.post('/teams', { name: 'Others' }), 201)
  await expectStatus(admin.put(`/inboxes/${inbox}/team`, { teamId: team }), 200)
  const phone = '+14155550188'
  await receiveMessage(admin, inbox, phone, 'hi')
  const [contact] = await until(
    async () => (await admin.get('/contacts')).body.contacts as { id: string }[],
    contacts => contacts.length === 1,
  )
  const journey = await createJourney(admin, calling('/never'))
  const path = `/journeys/${journey}/simulate`
  const blind = await key({ role: 'admin', scopes: ['journey:read'] })
  await expectStatus(blind.post(path, { contactId: contact!.id }), 403)
  await expectStatus(blind.post(path), 200)
  const outsider = await user('agent', [teamId])
  await expectStatus(outsider.post(path), 403)
  const withoutHttp = await createJourney(admin, {
    trigger: { type: 'manual' },
    nodes: { note: ['note', { text: 'x' }] },
    edges: ['start > note'],
  })
  const allowed = `/journeys/${withoutHttp}/simulate`
  await expectStatus(outsider.post(allowed, { contactId: contact!.id }), 404)
  await expectStatus((await user('agent', [team])).post(allowed, { contactId: contact!.id }), 200)
})
