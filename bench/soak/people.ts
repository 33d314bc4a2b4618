/** What goes on at a help desk, a little of everything at a steady rate, and how long each of it takes. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'
import type { Installation } from './installation.ts'

export interface Desk {
  /** Since it was last asked: milliseconds of every answer, and answers that were no success. */
  news(): { took: number[]; failed: string[]; heard: number; delivered: number }
  stop(): Promise<void>
}

const text = (body: string) => ({ type: 'text', text: { body } })
const phoneOf = (n: number) => `+1415555${String(n).padStart(4, '0')}`
/** Those who write and are written to; everybody else is only in the address book. */
const people = 500

export async function openDesk({ url, key }: Installation, perSecond: number): Promise<Desk> {
  let [took, failed, heard, delivered] = [[] as number[], [] as string[], 0, 0]
  async function call(method: string, at: string, body?: object) {
    const began = performance.now()
    const answer = await fetch(`${url}/v1${at}`, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const said = await answer.text()
    took.push(performance.now() - began)
    if (!answer.ok) failed.push(`${method} ${at}: ${answer.status} ${said}`)
    return said === '' ? undefined : JSON.parse(said)
  }

  const receiver = createServer((request, response) => {
    request.resume().on('end', () => {
      delivered++
      response.writeHead(204).end()
    })
  }).listen(0, '127.0.0.1')
  await new Promise(resolve => receiver.once('listening', resolve))
  const hook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
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
  socket.on('message', () => heard++)
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))

  const contactIds: string[] = []
  const somebody = () => phoneOf(Math.floor(Math.random() * people))
  const chore: (() => Promise<unknown>)[] = [
    () =>
      call('POST', '/sandbox/inbound', { inboxId, from: somebody(), content: text('Where is my order?') }),
    () =>
      call('POST', '/messages', {
        recipient: { type: 'phone', phoneNumber: somebody() },
        inboxId,
        content: text('It is on its way.'),
      }),
    async () => {
      const { conversations } = await call('GET', '/conversations?pageSize=20')
      const one = conversations[Math.floor(Math.random() * conversations.length)]
      if (one) await call('GET', `/conversations/${one.id}/messages?pageSize=50`)
    },
    async () => {
      const made = await call('POST', '/contacts', { name: `Person ${Math.random()}` })
      if (made?.id && contactIds.push(made.id) > 1_000) contactIds.shift()
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
    const began = performance.now()
    for (let n = 0; !over; n++) {
      await sleep(Math.max(0, began + (n * 1_000) / perSecond - performance.now()))
      const one = chore[n % chore.length]!()
        .catch(error => failed.push(String(error)))
        .finally(() => doing.delete(one))
      doing.add(one)
    }
  })()

  return {
    news() {
      const news = { took, failed, heard, delivered }
      ;[took, failed, heard, delivered] = [[], [], 0, 0]
      return news
    },
    async stop() {
      over = true
      await working
      await Promise.all(doing)
      socket.close()
      receiver.closeAllConnections()
      receiver.close()
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
