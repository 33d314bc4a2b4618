import { describe, expect, test } from 'vitest'
import { otherDeps } from '../../../test/harness/other-process.ts'
import { testService, until } from '../../../test/harness/service.ts'
import type { Deps } from '../../platform/deps.ts'
import { RetryLater } from '../../platform/jobs/job.ts'
import { takeToken } from '../../platform/limits/stored-buckets.ts'
import { acquireInboxSlot, recipientLimit, toBucketKey } from './rate-limiter.ts'

const service = await testService({ SANDBOX: 'strict', CHATAPP_RATE: '25' })
const { owner, tenantId } = await service.workspace()
const made = await owner.post('/inboxes', {
  chatapp: { resourceIds: ['7771'], phoneNumberIds: ['7771001'] },
})
const inboxId = made.body.inboxes[0].id
const account = { channel: 'chatapp', account: '7771001' } as const
let phones = 1000
const newPhone = () => `+1415557${phones++}`
const text = (body: string) => ({ type: 'text', text: { body } })

async function customer(from: string): Promise<string> {
  await owner.post('/sandbox/inbound', { inboxId, from, content: text('Hi') })
  const [found] = await until(
    async () => (await owner.get(`/conversations?search=${encodeURIComponent(from)}`)).body.conversations,
    list => list.length === 1,
  )
  return found.id
}

describe('an inbox with a rate', () => {
  let runs = 0
  test('sends at its rate, and the provider never refuses a message', { timeout: 120_000 }, async () => {
    const people = Array.from({ length: 60 }, newPhone)
    const template = { type: 'template', template: { name: 'hello_world', language: 'en_US' } }
    await Promise.all(
      people.map(phoneNumber =>
        owner.post('/messages', { recipient: { type: 'phone', phoneNumber }, inboxId, content: template }),
      ),
    )
    const sent = await until(
      async () => (await service.sandbox.control.sent(account)).filter(({ to }) => people.includes(to)),
      items => items.length === people.length,
      100_000,
    )
    const times = sent.map(item => Date.parse(item.receivedAt))
    // 59 gaps of 40 ms, less the second that a message may come late.
    expect(Math.max(...times) - Math.min(...times)).toBeGreaterThan(59 * 40 - 1_100)
  })

  test('shares its rate between processes', async () => {
    const inbox = { tenantId, inboxId, channel: 'chatapp', rate: 50 } as const
    const others = [service.deps, otherDeps(service.deps, service.connection)]
    const run = ++runs
    const began = performance.now()
    const turn = async (deps: Deps, id: string): Promise<void> => {
      try {
        await acquireInboxSlot(deps, inbox, id)
      } catch (error) {
        if (!(error instanceof RetryLater)) throw error
        await new Promise(resolve => setTimeout(resolve, error.delayMs))
        await turn(deps, id)
      }
    }
    await Promise.all(
      others.flatMap((deps, d) => Array.from({ length: 25 }, (_, i) => turn(deps, `${run}/${d}/${i}`))),
    )
    expect(performance.now() - began).toBeGreaterThan(49 * 20 - 150)
  })
})

describe('one recipient', () => {
  const intervalMs = 6_000
  let conversations = 0
  const send = (conversationId: string) =>
    takeToken(service.deps.db, toBucketKey({ tenantId, inboxId }, conversationId), recipientLimit)

  test('gets 45 messages immediately and then one every six seconds', async () => {
    const { clock } = service.deps
    const id = `cnv_${++conversations}`
    const began = performance.now()
    let count = 0
    while (await send(id)) count++
    expect(count).toBeGreaterThanOrEqual(45)
    expect(count).toBeLessThanOrEqual(46 + (performance.now() - began) / intervalMs)
    clock.advance(2 * intervalMs)
    expect(await send(id)).toBe(true)
  })

  test('delays messages beyond that; with handling=strict 409 with the time when the next is allowed', {
    timeout: 90_000,
  }, async () => {
    const { clock } = service.deps
    const id = await customer(newPhone())
    while (await send(id));
    const refused = await owner.post(
      `/conversations/${id}/messages`,
      { content: text('now or never') },
      { prefer: 'handling=strict' },
    )
    expect(refused).toMatchObject({
      status: 409,
      body: { code: 'pair_rate_limited', nextAllowedAt: expect.any(String) },
    })
    const sent = await owner.post(`/conversations/${id}/messages`, { content: text('when I may') })
    expect(sent.status).toBe(202)
    clock.advance(60_000)
    const { message } = await until(
      async () => (await owner.get(`/messages/${sent.body.message.id}`)).body,
      found => found.message.deliveryStatus !== 'pending',
      60_000,
    )
    expect(message.deliveryStatus).not.toBe('failed')
    expect(message.timeline.map((line: { type: string }) => line.type)).not.toContain('send_rate_limited')
  })
})

test('window_closed for anything but templates outside the window, on a strict sandbox', async () => {
  const sent = await owner.post('/messages', {
    recipient: { type: 'phone', phoneNumber: newPhone() },
    inboxId,
    content: text('Hello?'),
  })
  const message = await until(
    async () => (await owner.get(`/messages/${sent.body.message.id}`)).body.message,
    found => found.deliveryStatus !== 'pending',
  )
  expect(message).toMatchObject({ deliveryStatus: 'failed', deliveryError: { code: 'window_closed' } })
})
