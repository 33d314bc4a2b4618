/** Limits of one workspace: HTTP requests, simulations, exports, and messages of an automation that loops. */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import type { Client } from '../../../test/harness/api.ts'
import { testService, until } from '../../../test/harness/service.ts'
import { slowConnections } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'
import { transact } from '../../platform/db/transact.ts'
import {
  connectInbox,
  connectSms,
  createChatbot,
  createContact,
  createJourney,
  expectStatus,
  listSentTexts,
  newPhone,
  receiveMessage,
  text,
  waitForRun,
} from '../testing/fixtures.ts'

const service = await testService({
  HTTP_CALLS_PER_WORKSPACE: '2',
  SIMULATIONS_PER_WORKSPACE: '1',
  EXPORTS_PER_WORKSPACE: '1',
  AUTOMATED_MESSAGES_PER_MINUTE: '5',
})

const held: ServerResponse[] = []
const tarpit = createServer((request, response) => {
  if (request.url === '/slow') held.push(response)
  else response.end('{}')
})
let url: string
let owner: Client
let other: Client

beforeAll(async () => {
  await new Promise<void>(resolve => tarpit.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(tarpit.address() as AddressInfo).port}`
})
beforeEach(async () => {
  owner = await (await service.workspace()).key()
  other = await (await service.workspace()).key()
})
afterAll(() => {
  tarpit.closeAllConnections()
  tarpit.close()
})

const callJourney = (path: string) => ({
  trigger: { type: 'manual' },
  nodes: {
    call: ['http', { method: 'GET', url: `${url}${path}`, timeoutSeconds: 30 }] as [
      string,
      Record<string, unknown>,
    ],
  },
  edges: ['start > call'],
})

async function startRuns(client: Client, path: string, count: number): Promise<string> {
  const id = await createJourney(client, callJourney(path))
  for (let n = 0; n < count; n++) {
    const { id: contactId } = await createContact(client)
    await expectStatus(client.post(`/journeys/${id}/runs`, { contactId }), 201)
  }
  return id
}

test('requests of one workspace to a slow server wait for each other, those of others do not', async () => {
  const slow = await startRuns(owner, '/slow', 6)
  await until(
    async () => held.length,
    count => count === 2,
  )
  const quick = await startRuns(other, '/quick', 1)
  await waitForRun(other, quick, 'completed')
  expect(held).toHaveLength(2)
  const answering = setInterval(() => {
    for (const response of held.splice(0)) response.end('{}')
  }, 20)
  await waitForRun(owner, slow, 'completed')
  clearInterval(answering)
})

test('429 for more simulations than a workspace may run at a time; another workspace may', async () => {
  const simulate = async (client: Client) => {
    const id = await createJourney(client, callJourney('/quick'))
    return (count: number) =>
      Promise.all(Array.from({ length: count }, () => client.post(`/journeys/${id}/simulate`, {})))
  }
  const [mine, theirs] = [await simulate(owner), await simulate(other)]
  const [many, [one]] = await Promise.all([mine(8), theirs(1)])
  const statuses = many.map(({ status }) => status)
  expect(new Set(statuses)).toEqual(new Set([200, 429]))
  expect(one!.status).toBe(200)
  expect((await mine(1))[0]!.status).toBe(200)
})

test('simulations have connections of their own, and wait for them without holding one of the writers', async () => {
  const { slow } = service.deps.db
  let release = () => {}
  const released = new Promise<void>(resolve => {
    release = resolve
  })
  onTestFinished(() => release())
  const holding = Array.from({ length: slowConnections }, () => transact(slow, () => released))
  const id = await createJourney(owner, callJourney('/quick'))
  let ended = false
  const simulating = owner.post(`/journeys/${id}/simulate`, {}).finally(() => {
    ended = true
  })
  for (let n = 0; n < 20; n++) await createContact(other)
  expect(ended).toBe(false)
  release()
  expect((await simulating).status).toBe(200)
  await Promise.all(holding)
})

test('429 for more exports than a workspace may read at a time; one is possible again afterwards', async () => {
  const headers = { authorization: `Bearer ${owner.token}` }
  const read = async () => {
    const response = await fetch(`${service.url}/v1/contacts/export`, { headers })
    await response.text()
    return response.status
  }
  const statuses = await Promise.all(Array.from({ length: 8 }, read))
  expect(new Set(statuses)).toEqual(new Set([200, 429]))
  await until(read, status => status === 200)
})

const listRefused = ({ tenantId }: Client) =>
  service.deps.db.rows(sql`
    select 1 from workflow_steps
    where tenant_id = ${tenantId} and concat(detail, following) like '%"automation_limit"%'`)

test('automation_limit stops a bot that answers every reply of another bot', async () => {
  const inboxId = await connectInbox(owner, '7001')
  await createChatbot(owner, {
    trigger: { type: 'message_received' },
    nodes: { reply: ['sendMessage', { content: text('I am a bot') }] },
    edges: ['start > reply'],
  })
  const phone = newPhone()
  for (let n = 1; n <= 5; n++) {
    await receiveMessage(owner, inboxId, phone, `I am a bot too ${n}`)
    await until(
      () => listSentTexts(owner, inboxId, phone),
      sent => sent.length === n,
    )
  }
  await receiveMessage(owner, inboxId, phone, 'And on')
  await until(
    () => listRefused(owner),
    rows => rows.length > 0,
  )
  expect(await listSentTexts(owner, inboxId, phone)).toHaveLength(5)
  service.deps.clock.advance(61_000)
  await receiveMessage(owner, inboxId, phone, 'Later')
  await until(
    () => listSentTexts(owner, inboxId, phone),
    sent => sent.length === 6,
  )
})

test('automation_limit counts the messages of a contact in all its conversations', async () => {
  const [chatapp, sms] = [await connectInbox(other, '7002'), await connectSms(other)]
  const { id: contactId, phone } = await createContact(other)
  await receiveMessage(other, chatapp, phone, 'Hello')
  const send = (inboxId: string, body: string) =>
    ['sendMessage', { content: text(body), inboxId }] as [string, Record<string, unknown>]
  const id = await createJourney(other, {
    trigger: { type: 'manual' },
    nodes: {
      a: send(chatapp, 'One'),
      b: send(sms, 'Two'),
      c: send(chatapp, 'Three'),
      d: send(sms, 'Four'),
      e: send(chatapp, 'Five'),
      f: send(sms, 'Six'),
    },
    edges: ['start > a', 'a > b', 'b > c', 'c > d', 'd > e', 'e > f'],
  })
  await expectStatus(other.post(`/journeys/${id}/runs`, { contactId }), 201)
  expect(await waitForRun(other, id, 'completed')).toMatchObject({ nodeId: 'f', endReason: 'undelivered' })
  expect(await listRefused(other)).not.toEqual([])
  const countAccepted = sql`
    select c.channel, count(*)::int as n from messages m
    join conversations c on c.tenant_id = m.tenant_id and c.id = m.conversation_id
    where m.tenant_id = ${other.tenantId} and c.contact_id = ${contactId} and m.sender_type = 'journey'
    group by c.channel order by c.channel`
  expect(await service.deps.db.rows(countAccepted)).toEqual([
    { channel: 'chatapp', n: 3 },
    { channel: 'sms', n: 2 },
  ])
})
