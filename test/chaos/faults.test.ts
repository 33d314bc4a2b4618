/**
 * Three processes on one PostgreSQL, hurt at random while they work: killed, stopped for a while, cut off from NATS,
 * their database restarted, their clocks moved by an hour, the disk of their files full, their provider failing, slow,
 * silent or killed. Afterwards everything is looked at from
 * outside, through the API and the provider's ledger. Short here; `npm run test:faults` takes FAULTS_SECONDS (180).
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

const seconds = Number(process.env.FAULTS_SECONDS ?? 4)
const people = Math.max(4, Math.min(60, seconds))
const audience = Math.max(24, seconds * 6)
/** Undisturbed it would take half of the time: what faults take away is not made up by sending faster. */
const sendRate = Math.max(5, Math.ceil((2 * audience) / seconds))
const pauseMs = seconds > 60 ? 20_000 : 3_000
const settleMs = 120_000

const text = (body: string) => ({ type: 'text', text: { body } })
const pick = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)]!

type Uploads = ReturnType<typeof startUploads>

/** Each kind at least once, in any order, and then whatever comes. */
async function hurt(
  fleet: Fleet,
  client: Client,
  uploads: Uploads,
  { end, hurtAt }: { end: number; hurtAt: string[] },
): Promise<string[]> {
  const done: string[] = []
  const kinds: Record<string, () => Promise<unknown>> = {
    'a process killed': () => fleet.kill(Math.floor(Math.random() * fleet.size)),
    'a process stopped for a while': async () => {
      const pid = await fleet.pidOf(Math.floor(Math.random() * fleet.size))
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
    hurtAt.push(`${new Date().toISOString()} ${kind}`)
    await kinds[kind]!()
    done.push(kind)
    await sleep(200 + Math.random() * (seconds > 60 ? 4_000 : 800))
  }
  return done
}

async function startReceiver() {
  const received = new Map<string, { type: string; data: { message?: { id: string } } }>()
  const faults: string[] = []
  let secret = ''
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    try {
      // Its time included, though clocks are moved: processes go by the database's.
      new Webhook(secret).verify(body, request.headers as Record<string, string>)
      received.set(String(request.headers['webhook-id']), JSON.parse(body))
    } catch (error) {
      faults.push(String(error))
    }
    response.writeHead(204).end()
  })
  server.listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  onTestFinished(() => void server.close())
  return {
    received,
    faults,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    useKey: (key: string) => {
      secret = key
    },
  }
}

const phoneOf = (n: number) => `+1415556${String(n).padStart(4, '0')}`

/** What the provider saw, per recipient, in its order. */
async function ledger(client: Client, inboxId: string): Promise<Map<string, string[]>> {
  const seen = new Map<string, string[]>()
  const { items } = await client.call('GET', `/sandbox/sent?inboxId=${inboxId}`)
  for (const { to, payload } of items) {
    const said = (typeof payload === 'string' ? JSON.parse(payload) : payload).text.body as string
    seen.set(to, [...(seen.get(to) ?? []), said])
  }
  return seen
}

/** What is known of the messages to somebody, beside what was done when: for whoever has to find out why. */
async function storyOf(client: Client, to: string, hurtAt: readonly string[]): Promise<string> {
  const { conversations } = await client.call('GET', `/conversations?search=${encodeURIComponent(to)}`)
  const lines: string[] = []
  for (const { id } of conversations) {
    const { messages } = await client.call('GET', `/conversations/${id}/messages?pageSize=100`)
    for (const one of messages)
      lines.push(JSON.stringify((await client.call('GET', `/messages/${one.id}`)).message))
  }
  return `${to}\n${hurtAt.join('\n')}\n${lines.filter(line => /sent_again|send_/.test(line)).join('\n')}`
}

test('whatever is hurt, nothing is lost, doubled or out of order', {
  timeout: settleMs + seconds * 3_000 + 120_000,
  retry: 0,
}, async () => {
  const fleet = await startFleet(3, pauseMs)
  onTestFinished(() => fleet.stop())
  const client = retryingClient(fleet.url, fleet.key)
  const receiver = await startReceiver()
  receiver.useKey((await client.call('GET', '/webhooks/signing-keys')).keys[0].plaintextKey)
  await client.call('PATCH', '/webhooks', {
    url: receiver.url,
    enabled: true,
    eventTypes: ['message.created'],
  })
  const { inboxes } = await client.call('GET', '/inboxes')
  const inboxId = inboxes.find((inbox: { channel: string }) => inbox.channel === 'chatapp').id as string

  // A campaign to some, at a pace that makes it last; a journey for others, started by events.
  const tag = await client.call('POST', '/tags', { name: 'audience' })
  for (let n = 0; n < audience; n++) {
    const { id } = await client.call('POST', '/contacts', { name: `C${n}`, phone: phoneOf(1_000 + n) })
    await client.call('POST', `/contacts/${id}/tags/${tag.id}`)
  }
  const segment = await client.call('POST', '/segments', {
    name: 'all',
    filter: { match: 'all', conditions: [{ type: 'hasAnyTag', tagIds: [tag.id] }] },
  })
  const campaign = await client.call('POST', '/campaigns', { name: 'To everybody' })
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
        { id: 'say', type: 'sendMessage', data: { inboxId, content: text('Order {{event.data.n}}') } },
      ],
      edges: [
        { id: 'a', source: 'start', target: 'tag' },
        { id: 'b', source: 'tag', target: 'wait' },
        { id: 'c', source: 'wait', target: 'say' },
      ],
    },
  })
  await client.call('POST', `/journeys/${journey.id}/publish`)
  await client.call('POST', `/journeys/${journey.id}/activate`)

  const end = Date.now() + seconds * 1_000
  const sent = new Map<string, string[]>()
  const ordered = new Map<string, string[]>()
  const talk = Array.from({ length: people }, async (_, n) => {
    const to = phoneOf(n)
    const said: string[] = []
    sent.set(to, said)
    for (let k = 0; Date.now() < end; k++) {
      const body = `${n} says ${k}`
      await client.call('POST', '/messages', {
        recipient: { type: 'phone', phoneNumber: to },
        inboxId,
        content: text(body),
        clientMessageId: `${n}-${k}`,
      })
      said.push(body)
      await sleep(100 + Math.random() * 400)
    }
  })
  const orders = Array.from({ length: Math.ceil(people / 2) }, async (_, n) => {
    const phone = phoneOf(500 + n)
    const { id } = await client.call('POST', '/contacts', { name: `J${n}`, phone })
    const said: string[] = []
    ordered.set(phone, said)
    for (let k = 0; Date.now() < end; k++) {
      await client.call('POST', '/events', { name: 'order', contactId: id, data: { n: `${n}.${k}` } })
      said.push(`Order ${n}.${k}`)
      await sleep(300 + Math.random() * 700)
    }
  })
  await client.call('POST', `/campaigns/${campaign.id}/schedule`, { sendAt: 'now' })
  const uploads = startUploads(fleet.url, fleet.key, end)
  const hurtAt: string[] = []
  const faults = await hurt(fleet, client, uploads, { end, hurtAt })
  await Promise.all([...talk, ...orders, uploads.done])
  await client.call('DELETE', '/sandbox/faults')

  const { finished } = await until(
    async () => ({
      finished: await client.call('GET', `/campaigns/${campaign.id}`),
      analytics: await client.call('GET', `/campaigns/${campaign.id}/analytics`),
    }),
    ({ finished: { status } }) => status === 'sent' || status === 'failed',
    // While processes die every few seconds little of it is sent; afterwards all of it may still have to be.
    settleMs + (audience / sendRate) * 1_000,
  )
  expect(finished).toMatchObject({ status: 'sent', audienceCount: audience, dispatchError: null })
  const wanted =
    [...sent.values(), ...ordered.values()].reduce((sum, said) => sum + said.length, 0) + audience
  const seen = await until(
    () => ledger(client, inboxId),
    found => [...found.values()].reduce((sum, said) => sum + said.length, 0) >= wanted,
    settleMs,
  )
  for (const [to, said] of sent)
    if (!isDeepStrictEqual(seen.get(to), said))
      expect(seen.get(to), await storyOf(client, to, hurtAt)).toEqual(said)
  for (const [to, said] of ordered) expect([...(seen.get(to) ?? [])].sort(), to).toEqual([...said].sort())
  for (let n = 0; n < audience; n++) expect(seen.get(phoneOf(1_000 + n))).toEqual([`Hello C${n}`])

  const { counts } = await until(
    () => client.call('GET', `/campaigns/${campaign.id}/analytics`),
    ({ counts }) => counts.delivered + counts.read === audience,
    settleMs,
  )
  expect(counts).toMatchObject({ pending: 0, failed: 0, skipped: 0 })
  await until(
    async () => new Set([...receiver.received.values()].map(event => event.data.message!.id)).size,
    size => size >= wanted,
    settleMs,
  )
  expect(new Set([...receiver.received.values()].map(event => event.data.message!.id)).size).toBe(wanted)
  expect(receiver.received.size).toBe(wanted)
  expect(receiver.faults).toEqual([])
  expect(fleet.unexpected).toEqual([])
  await uploads.check(client)
  const { taken, refused } = uploads.counts()
  console.log(
    `${wanted} messages, ${taken} files and ${refused} refused for want of space, ${faults.length} faults (${[...new Set(faults)].join(', ')}), ${client.retries()} requests tried again`,
  )
})
