/** Generates a steady mix of requests of a help desk and records the response times. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'
import type { Installation } from './installation.ts'

export interface Workload {
  /** Returns response times in milliseconds and failed responses since the last call. */
  takeResults(): { times: number[]; failed: string[]; received: number; delivered: number }
  stop(): Promise<void>
}

const text = (body: string) => ({ type: 'text', text: { body } })
const toPhone = (n: number) => `+1415555${String(n).padStart(4, '0')}`
/** Number of contacts with conversations; all others are only in the contact list. */
const people = 500

export async function startWorkload({ url, key }: Installation, perSecond: number): Promise<Workload> {
  let [times, failed, received, delivered] = [[] as number[], [] as string[], 0, 0]
  async function call(method: string, at: string, body?: object) {
    const startedAt = performance.now()
    const answer = await fetch(`${url}/v1${at}`, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const responseText = await answer.text()
    times.push(performance.now() - startedAt)
    if (!answer.ok) failed.push(`${method} ${at}: ${answer.status} ${responseText}`)
    return responseText === '' ? undefined : JSON.parse(responseText)
  }

  const endpoint = createServer((request, response) => {
    request.resume().on('end', () => {
      delivered++
      response.writeHead(204).end()
    })
  }).listen(0, '127.0.0.1')
  await new Promise(resolve => endpoint.once('listening', resolve))
  const hook = `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/`
  await call('PATCH', '/webhooks', { url: hook, enabled: true })
  const { inboxes } = await call('GET', '/inboxes')
  const inboxId = inboxes.find((inbox: { channel: string }) => inbox.channel === 'chatapp').id as string
  const tag = await call('POST', '/tags', { name: 'ordered' })
  const journey = await call('POST', '/journeys', { name: 'Orders', definition: orders(tag.id) })
  await call('POST', `/journeys/${journey.id}/publish`)
  await call('POST', `/journeys/${journey.id}/activate`)
  const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/realtime`, {
    headers: { authorization: `Bearer ${key}` },
  })
  socket.on('message', () => received++)
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))

  const contactIds: string[] = []
  const randomPhone = () => toPhone(Math.floor(Math.random() * people))
  const chore: (() => Promise<unknown>)[] = [
    () =>
      call('POST', '/sandbox/inbound', { inboxId, from: randomPhone(), content: text('Where is my order?') }),
    () =>
      call('POST', '/messages', {
        recipient: { type: 'phone', phoneNumber: randomPhone() },
        inboxId,
        content: text('It is on its way.'),
      }),
    async () => {
      const { conversations } = await call('GET', '/conversations?pageSize=20')
      const one = conversations[Math.floor(Math.random() * conversations.length)]
      if (one) await call('GET', `/conversations/${one.id}/messages?pageSize=50`)
    },
    async () => {
      const created = await call('POST', '/contacts', { name: `Person ${Math.random()}` })
      if (created?.id && contactIds.push(created.id) > 1_000) contactIds.shift()
    },
    async () => {
      const contactId = contactIds[Math.floor(Math.random() * contactIds.length)]
      if (contactId) await call('POST', '/events', { name: 'order', contactId, data: {} })
    },
    () => call('GET', '/contacts?pageSize=50'),
    () =>
      call('POST', '/contacts/search', {
        filter: { match: 'all', conditions: [{ type: 'hasAnyTag', tagIds: [tag.id] }] },
      }),
  ]

  let over = false
  const doing = new Set<Promise<unknown>>()
  const working = (async () => {
    const startedAt = performance.now()
    for (let n = 0; !over; n++) {
      await sleep(Math.max(0, startedAt + (n * 1_000) / perSecond - performance.now()))
      const one = chore[n % chore.length]!()
        .catch(error => failed.push(String(error)))
        .finally(() => doing.delete(one))
      doing.add(one)
    }
  })()

  return {
    takeResults() {
      const results = { times, failed, received, delivered }
      ;[times, failed, received, delivered] = [[], [], 0, 0]
      return results
    },
    async stop() {
      over = true
      await working
      await Promise.all(doing)
      socket.close()
      endpoint.closeAllConnections()
      endpoint.close()
    },
  }
}

const orders = (tagId: string) => ({
  nodes: [
    {
      id: 'start',
      type: 'start',
      data: { triggerConfig: { type: 'event', name: 'order', conditions: {} }, entryMode: 'every_time' },
    },
    { id: 'wait', type: 'delay', data: { for: { seconds: 5 } } },
    { id: 'tag', type: 'addTag', data: { tagId } },
  ],
  edges: [
    { id: 'a', source: 'start', target: 'wait' },
    { id: 'b', source: 'wait', target: 'tag' },
  ],
})
