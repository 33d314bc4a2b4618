/** Tests retry, cancellation and scheduling of messages, with processes that die after their commits. */
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type Client, testApi } from '../../../test/harness/api.ts'
import { openFrames } from '../../../test/harness/frames.ts'
import { playProviders } from '../../../test/harness/sandbox.ts'
import { startBackground, until } from '../../../test/harness/service.ts'
import { jobs } from '../../app.ts'
import { startWorkers } from '../../platform/jobs/workers.ts'

const api = await testApi()
await playProviders(api)
const { clock } = api.deps
const workspace = await api.workspace()
const { owner } = workspace
const connected = await owner.post('/inboxes', {
  chatapp: { resourceIds: ['5581'], phoneNumberIds: ['55810001'] },
})
const inboxId = connected.body.inboxes[0].id as string
let phones = 2000
const newPhone = () => `+1415558${phones++}`
const text = (body: string) => ({ type: 'text', text: { body } })
/** Short, so that the tokens of the callers stay valid. */
const step = 10_000
const inSteps = (n: number) => new Date(clock.now().getTime() + n * step).toISOString()

async function start(
  to = newPhone(),
): Promise<{ id: string; contactId: string; to: string; messageId: string }> {
  const recipient = { type: 'phone', phoneNumber: to }
  const { body } = await owner.post('/messages', { recipient, inboxId, content: text('first') })
  return { ...body.conversation, to, messageId: body.message.id }
}
const reply = (client: Client, id: string, body: string, more: object = {}) =>
  client.post(`/conversations/${id}/messages`, { content: text(body), ...more })
const getMessage = async (id: string) => (await owner.get(`/messages/${id}`)).body.message
const listSent = async (to: string): Promise<string[]> =>
  (await owner.get(`/sandbox/sent?inboxId=${inboxId}&to=${encodeURIComponent(to)}`)).body.items
    .map((item: { payload: { text: { body: string } } }) => item.payload.text.body)
    .sort()
const untilSent = (id: string) =>
  until(
    () => getMessage(id),
    message => ['sent', 'delivered', 'read'].includes(message.deliveryStatus),
  )
const untilFailed = (id: string) =>
  until(
    () => getMessage(id),
    message => message.deliveryStatus === 'failed',
  )

test('one send of what is due and none of what was cancelled, by processes that start after others died', async () => {
  const frames = await openFrames(owner)
  const { id, to } = await start()
  const cancelled = (await reply(owner, id, 'cancelled')).body.message.id
  expect((await owner.delete(`/messages/${cancelled}`)).status).toBe(204)
  expect((await owner.delete(`/messages/${cancelled}`)).body.code).toBe('message_not_cancellable')
  expect(await getMessage(cancelled)).toMatchObject({
    content: { type: 'deleted' },
    deliveryStatus: 'failed',
    deliveryError: { code: 'cancelled' },
  })
  const clientMessageId = `later-to-${to}`
  const later = { sendAt: inSteps(1), clientMessageId }
  const scheduled = await reply(owner, id, 'scheduled', later)
  expect(scheduled.status, JSON.stringify(scheduled.body)).toBe(202)
  const { message } = scheduled.body
  expect(message).toMatchObject({ deliveryStatus: 'pending', sendAt: later.sendAt })
  expect((await reply(owner, id, 'scheduled', later)).body.message.id).toBe(message.id)
  expect((await reply(owner, id, 'another', later)).body.code).toBe('message_client_id_reused')
  const dropped = (await reply(owner, id, 'dropped', { sendAt: inSteps(1) })).body.message.id
  expect(
    (await owner.get(`/conversations/${id}/scheduled`)).body.messages.map((one: { id: string }) => one.id),
  ).toEqual([message.id, dropped])
  expect((await owner.delete(`/messages/${dropped}`)).status).toBe(204)
  expect((await owner.get(`/conversations/${id}/messages`)).body.messages).toHaveLength(2)
  clock.advance(2 * step)
  onTestFinished(startBackground(api))
  const others = startWorkers((await api.another()).deps, jobs)
  onTestFinished(() => others.stop(30_000))
  await untilSent(message.id)
  expect(await listSent(to)).toEqual(['first', 'scheduled'])
  const [newest] = (await owner.get(`/conversations/${id}/messages`)).body.messages
  expect(newest).toMatchObject({ id: message.id, clientMessageId })
  expect(newest.sendAt).toBeUndefined()
  expect((await owner.get(`/conversations/${id}/scheduled`)).body.messages).toEqual([])
  expect((await owner.delete(`/messages/${message.id}`)).body.code).toBe('message_not_cancellable')
  expect((await owner.patch(`/messages/${message.id}`, { sendAt: inSteps(1) })).body.code).toBe(
    'message_not_scheduled',
  )
  const types = await until(
    async () => frames.map(frame => frame.type),
    found => found.includes('message.unscheduled'),
  )
  expect(types.filter(type => type === 'message.scheduled')).toHaveLength(2)
})

describe('with workers', () => {
  beforeAll(() => startBackground(api))

  test('a rescheduled message is sent at its new time only, also into a closed conversation', async () => {
    const { id, to } = await start()
    const { message } = (await reply(owner, id, 'moved', { sendAt: inSteps(1) })).body
    const moved = await owner.patch(`/messages/${message.id}`, { sendAt: inSteps(10) })
    expect(moved.status, JSON.stringify(moved.body)).toBe(200)
    await owner.post(`/conversations/${id}/close`)
    clock.advance(2 * step)
    const early = (await reply(owner, (await start()).id, 'barrier', { sendAt: inSteps(1) })).body.message.id
    clock.advance(2 * step)
    await untilSent(early)
    expect(await getMessage(message.id)).toMatchObject({
      deliveryStatus: 'pending',
      sendAt: expect.any(String),
    })
    clock.advance(8 * step)
    await untilSent(message.id)
    expect(await listSent(to)).toEqual(['first', 'moved'])
    expect((await owner.get(`/conversations/${id}`)).body.status).toBe('open')
  })

  test('a time up to one minute ago means now, also for the first message and when it is changed', async () => {
    const { id, to } = await start()
    const justNow = new Date(clock.now().getTime() - 5_000).toISOString()
    const late = await reply(owner, id, 'a little late', { sendAt: justNow })
    expect(late.status, JSON.stringify(late.body)).toBe(202)
    await untilSent(late.body.message.id)
    const later = (await reply(owner, id, 'moved to now', { sendAt: inSteps(100) })).body.message.id
    expect((await owner.patch(`/messages/${later}`, { sendAt: justNow })).status).toBe(200)
    await untilSent(later)
    expect(await listSent(to)).toEqual(['a little late', 'first', 'moved to now'])
    const other = newPhone()
    const recipient = { type: 'phone', phoneNumber: other }
    const first = { recipient, inboxId, content: text('hello'), sendAt: justNow }
    expect((await owner.post('/messages', first)).status).toBe(202)
    await until(
      () => listSent(other),
      sent => sent.length === 1,
    )
  })

  test('the send policy and the rights of the sender are those of the time when it is due', async () => {
    const { id, contactId, to } = await start()
    const agent = await workspace.user('agent')
    const byAgent = (await reply(agent, id, 'by agent', { sendAt: inSteps(1) })).body.message.id
    const refused = (await reply(owner, id, 'refused', { sendAt: inSteps(1) })).body.message.id
    await owner.patch(`/users/${agent.id}`, { disabled: true })
    await owner.put(`/contacts/${contactId}/opt-outs/chatapp`)
    clock.advance(2 * step)
    expect((await untilFailed(byAgent)).deliveryError.code).toBe('sender_disabled')
    expect((await untilFailed(refused)).deliveryError.code).toBe('opted_out')
    const kept = (await owner.get(`/conversations/${id}/scheduled`)).body.messages
    expect(kept).toMatchObject([{ id: byAgent, deliveryStatus: 'failed' }])
    await owner.delete(`/contacts/${contactId}/opt-outs/chatapp`)
    const retried = await owner.post(`/messages/${refused}/retry`)
    expect(retried.status, JSON.stringify(retried.body)).toBe(202)
    expect(retried.body.message).toMatchObject({ deliveryStatus: 'pending' })
    expect(retried.body.message.deliveryError).toBeUndefined()
    await untilSent(refused)
    expect((await owner.post(`/messages/${refused}/retry`)).body.code).toBe('message_not_retryable')
    expect(await listSent(to)).toEqual(['first', 'refused'])
  })

  test('concurrent retries of one failed message send it once', async () => {
    const { messageId, to } = await start('+15005550010')
    await untilFailed(messageId)
    const before = (await listSent(to)).length
    const answers = await Promise.all([1, 2, 3].map(() => owner.post(`/messages/${messageId}/retry`)))
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 409, 409])
    await untilFailed(messageId)
    expect(await listSent(to)).toHaveLength(before + 1)
  })

  test('400 for times in the past, too far ahead and without a conversation; 404 for agents without access', async () => {
    const { id } = await start()
    const code = async (sendAt: string) => (await reply(owner, id, 'x', { sendAt })).body.violations?.[0].code
    expect(await code(new Date(clock.now().getTime() - 61_000).toISOString())).toBe('in_the_past')
    expect(await code(inSteps(5_000_000))).toBe('too_far_ahead')
    const recipient = { type: 'phone', phoneNumber: newPhone() }
    const first = { recipient, inboxId, content: text('x'), sendAt: inSteps(5) }
    expect((await owner.post('/messages', first)).body.violations[0].code).toBe('conversation_required')
    await owner.put(`/inboxes/${inboxId}/team`, { teamId: workspace.teamId })
    const hidden = await start()
    const scheduled = (await reply(owner, hidden.id, 'x', { sendAt: inSteps(5) })).body.message.id
    const outsider = await workspace.user('agent')
    const frames = await openFrames(outsider)
    for (const message of [scheduled, hidden.messageId]) {
      expect((await outsider.get(`/messages/${message}`)).status).toBe(404)
      expect((await outsider.delete(`/messages/${message}`)).status).toBe(404)
      expect((await outsider.patch(`/messages/${message}`, { sendAt: inSteps(6) })).status).toBe(404)
      expect((await outsider.post(`/messages/${message}/retry`)).status).toBe(404)
    }
    expect((await outsider.get(`/conversations/${hidden.id}/scheduled`)).status).toBe(404)
    await owner.patch(`/messages/${scheduled}`, { sendAt: inSteps(7) })
    await reply(owner, id, 'seen by all')
    await until(
      async () => frames.map(frame => frame.type),
      types => types.includes('message.created'),
    )
    expect(frames.filter(frame => frame.type === 'message.scheduled')).toEqual([])
    expect((await owner.delete(`/inboxes/${inboxId}/team`)).status).toBe(200)
  })
})
