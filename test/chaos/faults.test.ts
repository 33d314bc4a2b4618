/**
 * Injects random faults into three processes on one replicated PostgreSQL: processes killed, paused and restarted one after
 * another, NATS connections cut, the database restarted and failed over to its standby, clocks moved by an hour, the disk
 * full, the provider failing, slow or killed. Afterwards checks the API and the provider's list of messages. Short by
 * default; `npm run test:chaos` runs CHAOS_SECONDS (180).
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { Webhook } from 'standardwebhooks'
import { expect, onTestFinished, test } from 'vitest'
import { until } from '../harness/service.ts'
import { type Client, retryingClient } from './client.ts'
import { type Fleet, startFleet } from './fleet.ts'
import { startUploads } from './uploads.ts'

const seconds = Number(process.env.CHAOS_SECONDS ?? 4)
const people = Math.max(4, Math.min(60, seconds))
const audience = Math.max(24, seconds * 6)
/** Without faults the campaign would take half of the time: it cannot catch up by sending faster. */
const sendRate = Math.max(5, Math.ceil((2 * audience) / seconds))
const pauseMs = seconds > 60 ? 20_000 : 3_000
const settleMs = 120_000

const text = (body: string) => ({ type: 'text', text: { body } })
const pick = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)]!

type Uploads = ReturnType<typeof startUploads>

/** Injects each fault at least once in random order, then random faults until the end. */
async function injectFaults(
  fleet: Fleet,
  client: Client,
  uploads: Uploads,
  { end, faultLog }: { end: number; faultLog: string[] },
): Promise<string[]> {
  const injected: string[] = []
  const kinds: Record<string, () => Promise<unknown>> = {
    'a process killed': () => fleet.kill(Math.floor(Math.random() * fleet.size)),
    'a process paused': async () => {
      const pid = await fleet.getPid(Math.floor(Math.random() * fleet.size))
      process.kill(pid, 'SIGSTOP')
      await sleep(pauseMs)
      process.kill(pid, 'SIGCONT')
    },
    'a clock moved by an hour': async () => {
      const n = Math.floor(Math.random() * fleet.size)
      fleet.setClock(n, pick([-3_600, 3_600]))
      await sleep(pauseMs / 2)
      fleet.setClock(n, 0)
    },
    'the database restarted': () => fleet.restartDatabase(),
    'the database failed over': () => fleet.failOver(),
    'a rolling restart': () => fleet.restartAll(),
    'NATS cut off': async () => fleet.cutNats(),
    'the sandbox killed': () => fleet.killSandbox(),
    'the provider failing': () =>
      client.call('PUT', '/sandbox/faults', {
        requests: [
          { answer: 'serverError', probability: 0.2 },
          { answer: 'rateLimited', probability: 0.1 },
          { answer: 'acceptThenReset', probability: 0.1 },
        ],
        callbacks: {
          drop: { probability: 0.2 },
          duplicate: { probability: 0.2 },
          reorder: { probability: 0.2 },
          delay: { probability: 0.2, ms: 500 },
        },
      }),
  }
  const { disk } = fleet
  if (disk) kinds['the disk full'] = () => uploads.fillDisk(disk)
  const first = Object.keys(kinds).sort(() => Math.random() - 0.5)
  for (let n = 0; n < first.length || Date.now() < end; n++) {
    const kind = first[n] ?? pick(Object.keys(kinds))
    faultLog.push(`${new Date().toISOString()} ${kind}`)
    await kinds[kind]!()
    injected.push(kind)
    await sleep(200 + Math.random() * (seconds > 60 ? 4_000 : 800))
  }
  return injected
}

async function startEndpoint() {
  const received = new Map<string, { type: string; data: { message?: { id: string } } }>()
  const errors: string[] = []
  let secret = ''
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    try {
      // Verifies the timestamp too: processes use the database's time even with moved clocks.
      new Webhook(secret).verify(body, request.headers as Record<string, string>)
      received.set(String(request.headers['webhook-id']), JSON.parse(body))
    } catch (error) {
      errors.push(String(error))
    }
    response.writeHead(204).end()
  })
  server.listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  onTestFinished(() => void server.close())
  return {
    received,
    errors,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    useKey: (key: string) => {
      secret = key
    },
  }
}

const toPhone = (n: number) => `+1415556${String(n).padStart(4, '0')}`

/** Returns the texts that the provider received, by recipient and in order. */
async function listSent(client: Client, inboxId: string): Promise<Map<string, string[]>> {
  const sent = new Map<string, string[]>()
  const { items } = await client.call('GET', `/sandbox/sent?inboxId=${inboxId}`)
  for (const { to, payload } of items) {
    const body = (typeof payload === 'string' ? JSON.parse(payload) : payload).text.body as string
    sent.set(to, [...(sent.get(to) ?? []), body])
  }
  return sent
}

/** Describes a failure: the injected faults and the messages of the recipient. */
async function describeFailure(client: Client, to: string, faultLog: readonly string[]): Promise<string> {
  const { conversations } = await client.call('GET', `/conversations?search=${encodeURIComponent(to)}`)
  const lines: string[] = []
  for (const { id } of conversations) {
    const { messages } = await client.call('GET', `/conversations/${id}/messages?pageSize=100`)
    for (const message of messages)
      lines.push(JSON.stringify((await client.call('GET', `/messages/${message.id}`)).message))
  }
  return `${to}\n${faultLog.join('\n')}\n${lines.filter(line => /sent_again|send_/.test(line)).join('\n')}`
}

test('random faults lose, duplicate or reorder no message', {
  timeout: settleMs + seconds * 3_000 + 120_000,
}, async () => {
  const fleet = await startFleet(3, pauseMs)
  onTestFinished(() => fleet.stop())
  const client = retryingClient(fleet.url, fleet.key)
  const endpoint = await startEndpoint()
  endpoint.useKey((await client.call('GET', '/webhooks/signing-keys')).keys[0].plaintextKey)
  await client.call('PATCH', '/webhooks', {
    url: endpoint.url,
    enabled: true,
    eventTypes: ['message.created'],
  })
  const { inboxes } = await client.call('GET', '/inboxes')
  const inboxId = inboxes.find((inbox: { channel: string }) => inbox.channel === 'chatapp').id as string

  // A campaign with a rate that makes it last, and a journey triggered by events.
  const tag = await client.call('POST', '/tags', { name: 'audience' })
  for (let n = 0; n < audience; n++) {
    const { id } = await client.call('POST', '/contacts', { name: `C${n}`, phone: toPhone(1_000 + n) })
    await client.call('POST', `/contacts/${id}/tags/${tag.id}`)
  }
  const segment = await client.call('POST', '/segments', {
    name: 'all',
    filter: { match: 'all', conditions: [{ type: 'hasAnyTag', tagIds: [tag.id] }] },
  })
  const campaign = await client.call('POST', '/campaigns', { name: 'Everyone' })
  await client.call('PATCH', `/campaigns/${campaign.id}`, {
    segmentId: segment.id,
    inboxId,
    content: text('Hello {{contact.name}}'),
    sendRate,
  })
  const counted = await client.call('POST', '/tags', { name: 'journeyed' })
  const journey = await client.call('POST', '/journeys', {
    name: 'Orders',
    definition: {
      nodes: [
        {
          id: 'start',
          type: 'start',
          data: { triggerConfig: { type: 'event', name: 'order', conditions: {} }, entryMode: 'every_time' },
        },
        { id: 'tag', type: 'addTag', data: { tagId: counted.id } },
        { id: 'wait', type: 'delay', data: { for: { seconds: 1 } } },
        { id: 'send', type: 'sendMessage', data: { inboxId, content: text('Order {{event.data.n}}') } },
      ],
      edges: [
        { id: 'a', source: 'start', target: 'tag' },
        { id: 'b', source: 'tag', target: 'wait' },
        { id: 'c', source: 'wait', target: 'send' },
      ],
    },
  })
  await client.call('POST', `/journeys/${journey.id}/publish`)
  await client.call('POST', `/journeys/${journey.id}/activate`)

  const end = Date.now() + seconds * 1_000
  const sent = new Map<string, string[]>()
  const ordered = new Map<string, string[]>()
  const senders = Array.from({ length: people }, async (_, n) => {
    const to = toPhone(n)
    const bodies: string[] = []
    sent.set(to, bodies)
    for (let k = 0; Date.now() < end; k++) {
      const body = `${n}: ${k}`
      await client.call('POST', '/messages', {
        recipient: { type: 'phone', phoneNumber: to },
        inboxId,
        content: text(body),
        clientMessageId: `${n}-${k}`,
      })
      bodies.push(body)
      await sleep(100 + Math.random() * 400)
    }
  })
  const orders = Array.from({ length: Math.ceil(people / 2) }, async (_, n) => {
    const phone = toPhone(500 + n)
    const { id } = await client.call('POST', '/contacts', { name: `J${n}`, phone })
    const bodies: string[] = []
    ordered.set(phone, bodies)
    for (let k = 0; Date.now() < end; k++) {
      await client.call('POST', '/events', { name: 'order', contactId: id, data: { n: `${n}.${k}` } })
      bodies.push(`Order ${n}.${k}`)
      await sleep(300 + Math.random() * 700)
    }
  })
  await client.call('POST', `/campaigns/${campaign.id}/schedule`, { sendAt: 'now' })
  const uploads = startUploads(fleet.url, fleet.key, end)
  const faultLog: string[] = []
  const faults = await injectFaults(fleet, client, uploads, { end, faultLog })
  await Promise.all([...senders, ...orders, uploads.done])
  await client.call('DELETE', '/sandbox/faults')

  const { finished } = await until(
    async () => ({
      finished: await client.call('GET', `/campaigns/${campaign.id}`),
      analytics: await client.call('GET', `/campaigns/${campaign.id}/analytics`),
    }),
    ({ finished: { status } }) => status === 'sent' || status === 'failed',
    // Little is sent while processes die every few seconds; the whole audience may remain.
    settleMs + (audience / sendRate) * 1_000,
  )
  expect(finished).toMatchObject({ status: 'sent', audienceCount: audience, dispatchError: null })
  const countAll = (lists: Iterable<string[]>) => [...lists].reduce((sum, list) => sum + list.length, 0)
  const expected = countAll(sent.values()) + countAll(ordered.values()) + audience
  const received = await until(
    () => listSent(client, inboxId),
    lists => countAll(lists.values()) >= expected,
    settleMs,
  )
  for (const [to, bodies] of sent)
    if (!isDeepStrictEqual(received.get(to), bodies))
      expect(received.get(to), await describeFailure(client, to, faultLog)).toEqual(bodies)
  for (const [to, bodies] of ordered)
    expect([...(received.get(to) ?? [])].sort(), to).toEqual([...bodies].sort())
  for (let n = 0; n < audience; n++) expect(received.get(toPhone(1_000 + n))).toEqual([`Hello C${n}`])

  const { counts } = await until(
    () => client.call('GET', `/campaigns/${campaign.id}/analytics`),
    ({ counts }) => counts.delivered + counts.read === audience,
    settleMs,
  )
  expect(counts).toMatchObject({ pending: 0, failed: 0, skipped: 0 })
  const countDelivered = () =>
    new Set([...endpoint.received.values()].map(event => event.data.message!.id)).size
  await until(
    async () => countDelivered(),
    size => size >= expected,
    settleMs,
  )
  expect(countDelivered()).toBe(expected)
  expect(endpoint.received.size).toBe(expected)
  expect(endpoint.errors).toEqual([])
  expect(fleet.unexpected).toEqual([])
  await uploads.check(client)
  const { accepted, refused } = uploads.counts()
  console.log(
    `${expected} messages, ${accepted} files, ${refused} uploads refused, ${faults.length} faults (${[...new Set(faults)].join(', ')}), ${client.retries()} retries`,
  )
})
