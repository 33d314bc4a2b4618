/** Tests statements of the documents about delivery statuses, read frames and the operations of the sandbox. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { routes } from '../../src/app.ts'
import { toOperation } from '../../src/platform/http/route.ts'
import { openFrames } from '../harness/frames.ts'
import { testService, until } from '../harness/service.ts'

const service = await testService({}, { spread: true })
let accounts = 0

async function receiveOnSocialapp() {
  const workspace = await service.workspace()
  const { owner } = workspace
  const account = `178416${++accounts}`
  const inboxId = (await owner.post('/inboxes', { socialapp: { resourceIds: [account] } })).body.inboxes[0].id
  const write = (content: object) =>
    owner.post('/sandbox/inbound', { inboxId, from: `9916${accounts}`, content })
  expect((await write({ type: 'text', text: { body: 'Hello' } })).status).toBe(202)
  const [conversation] = await until(
    async () => (await owner.get('/conversations')).body.conversations,
    found => found.length === 1,
  )
  const path = `/conversations/${conversation.id}`
  const [message] = (await owner.get(`${path}/messages`)).body.messages
  const getMessage = async (id: string) => (await owner.get(`/messages/${id}`)).body.message
  return { owner, user: workspace.user, write, id: conversation.id as string, path, message, getMessage }
}

test('a socialapp message is sent, then read, and never delivered; that of the customer stays received', async () => {
  const { owner, write, path, message, getMessage } = await receiveOnSocialapp()
  const content = { type: 'text', text: { body: 'Hi' } }
  const { id } = (await owner.post(`${path}/messages`, { content })).body.message
  const reaches = (status: string) =>
    until(
      () => getMessage(id),
      found => found.deliveryStatus === status,
    )
  const { channelMessageId } = await reaches('sent')
  await write({ type: 'read', read: { providerMessageId: channelMessageId } })
  const { timeline } = await reaches('read')
  const types = timeline.map(({ type }: { type: string }) => type)
  expect(types).toEqual(expect.arrayContaining(['sent', 'read']))
  expect(types).not.toContain('delivered')
  const events = await until(
    async () => (await owner.get('/events?eventTypes=message.updated')).body.events,
    found => found.some((event: { data: { message: object } }) => 'read' === statusOf(event)),
  )
  expect(events.map(statusOf)).toEqual(['sent', 'read'])
  expect((await getMessage(message.id)).deliveryStatus).toBe('received')
})

const statusOf = (event: { data: { message: { deliveryStatus?: string } } }) =>
  event.data.message.deliveryStatus

test('conversation_read names the user who read, and other users do not receive it', async () => {
  const { owner, user, id, path, message } = await receiveOnSocialapp()
  const [own, other] = [await openFrames(owner), await openFrames(await user('admin'))]
  await owner.post(`${path}/read`, { lastMessageId: message.id })
  const frame = await until(
    async () => own.find(({ type }) => type === 'conversation_read'),
    found => found !== undefined,
  )
  expect(frame!.data).toEqual({
    userId: owner.id,
    conversationId: id,
    lastMessageId: message.id,
    version: expect.any(Number),
  })
  // Frames are sent in order: after this one, none of the reading can follow.
  await owner.post(`${path}/close`)
  await until(
    async () => other.map(({ type }) => type),
    types => types.includes('conversation.closed'),
  )
  expect(other.filter(({ type }) => type === 'conversation_read')).toEqual([])
})

test('docs/sandbox.md lists the operations of the sandbox', () => {
  const document = readFileSync(new URL('../../docs/sandbox.md', import.meta.url), 'utf8')
  const listed = [...document.matchAll(/^\| `([A-Z]+) \/v1(\/sandbox[\w/]*)/gm)].map(
    ([, method, path]) => `${method} ${path}`,
  )
  const served = routes.map(toOperation).filter(operation => / \/sandbox\b/.test(operation))
  expect(listed.sort()).toEqual(served.sort())
})
