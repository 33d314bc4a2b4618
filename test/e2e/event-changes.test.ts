/** Webhook events name the properties that changed, and distinguish deletion, merge and archiving. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../src/platform/db/sql.ts'
import { startEndpoint, type TestEndpoint } from '../../src/webhooks/testing/endpoint.ts'
import type { Client } from '../harness/api.ts'
import { testService } from '../harness/service.ts'
import { eventually } from '../harness/wait.ts'

const service = await testService({}, { spread: true })
let owner: Client
let inboxId: string
let endpoint: TestEndpoint

beforeAll(async () => {
  owner = (await service.workspace()).owner
  const { body } = await owner.post('/inboxes', {
    chatapp: { resourceIds: ['9991'], phoneNumberIds: ['9991001'] },
  })
  inboxId = body.inboxes[0].id
  endpoint = await startEndpoint()
  await owner.patch('/webhooks', { url: endpoint.url, enabled: true })
})
afterAll(() => endpoint.close())

let phones = 0
/** A phone number that no other contact has. */
const newPhone = () => `+1415555${9000 + phones++}`
const create = async (body: object) => (await owner.post('/contacts', body)).body.id as string
/** Waits for an event of this type whose data matches. */
const received = (type: string, data: object) =>
  eventually(() => {
    const found = endpoint.received.map(({ event }) => event).filter(event => event.type === type)
    expect(found.map(event => event.data)).toContainEqual(expect.objectContaining(data))
  })
const like = (id: string, members: object) => expect.objectContaining({ id, ...members })

test('message.updated of a status, and of a reaction with all reactions and a new updatedAt', async () => {
  const sent = await owner.post('/messages', {
    recipient: { type: 'phone', phoneNumber: newPhone() },
    inboxId,
    content: { type: 'text', text: { body: 'Hello' } },
  })
  const { id } = sent.body.message
  await received('message.updated', {
    message: like(id, { deliveryStatus: 'delivered' }),
    changes: ['deliveryStatus'],
  })
  const { updatedAt } = (await owner.get(`/messages/${id}`)).body.message
  const react = (body: object) => owner.post(`/messages/${id}/reactions`, body)
  expect((await react({ emoji: '👍' })).status).toBe(200)
  const reacted = (await owner.get(`/messages/${id}`)).body.message
  expect(reacted.updatedAt > updatedAt).toBe(true)
  await received('message.updated', {
    message: like(id, { reactions: reacted.reactions, updatedAt: reacted.updatedAt }),
    changes: ['reactions'],
  })
  await react({ emoji: '👍', removed: true })
  await received('message.updated', { message: like(id, { reactions: [] }), changes: ['reactions'] })
})

test('conversation.updated names the owner', async () => {
  const { body } = await owner.post('/messages', {
    recipient: { type: 'phone', phoneNumber: newPhone() },
    inboxId,
    content: { type: 'text', text: { body: 'Hello' } },
  })
  const { id } = body.conversation
  await owner.post(`/conversations/${id}/reassign`, { userId: owner.id })
  await received('conversation.updated', { conversation: like(id, {}), changes: ['activeOwner'] })
})

test('contact.updated of an opt-out and an opt-in, by the API and by the customer', async () => {
  const phone = newPhone()
  const id = await create({ name: 'Ada', phone })
  /** Waits until the updates of the contact are these, oldest first. An event may be delivered twice. */
  const changed = (...optOuts: string[][]) =>
    eventually(() => {
      const updates = endpoint.received
        .map(({ event }) => event)
        .filter(({ type, data }) => type === 'contact.updated' && data.contact.id === id)
      const bySequence = new Map(updates.map(({ sequence, data }) => [sequence, data]))
      const found = [...bySequence].sort(([a], [b]) => a - b).map(([, data]) => data)
      expect(found).toMatchObject(
        optOuts.map(value => ({ contact: { optOuts: value }, changes: ['optOuts'] })),
      )
    })
  await owner.put(`/contacts/${id}/opt-outs/sms`)
  await changed(['sms'])
  await owner.delete(`/contacts/${id}/opt-outs/sms`)
  await changed(['sms'], [])
  const write = (body: string) =>
    owner.post('/sandbox/inbound', {
      inboxId,
      from: phone,
      content: { type: 'text', text: { body } },
    })
  await write('STOP')
  await changed(['sms'], [], ['chatapp'])
  await write('START')
  await changed(['sms'], [], ['chatapp'], [])
})

test('contact.updated when a tag or a field of the contact is deleted', async () => {
  const tag = (await owner.post('/tags', { name: 'vip' })).body
  const field = (await owner.post('/contacts/custom-fields', { name: 'Plan', type: 'text' })).body
  const id = await create({ customFields: { Plan: 'gold' } })
  await owner.post(`/contacts/${id}/tags/${tag.id}`)
  const before = (await owner.get(`/contacts/${id}`)).body.updatedAt
  await owner.delete(`/tags/${tag.id}`)
  await received('contact.updated', { contact: like(id, { tagIds: [] }), changes: ['tagIds'] })
  await owner.delete(`/contacts/custom-fields/${field.id}`)
  await received('contact.updated', { contact: like(id, { customFields: {} }), changes: ['customFields'] })
  expect((await owner.get(`/contacts/${id}`)).body.updatedAt > before).toBe(true)
})

test('contact.archived distinguishes archiving, deletion and merge', async () => {
  const [archived, deleted, merged, survivor] = await Promise.all([
    create({}),
    create({}),
    create({}),
    create({}),
  ])
  await owner.post(`/contacts/${archived}/archive`)
  await owner.delete(`/contacts/${deleted}`)
  await owner.post(`/contacts/${merged}/merge`, { intoContactId: survivor })
  const deletedAt = expect.any(String)
  for (const [id, members] of [
    [archived, { deletedAt: null, mergedInto: null }],
    [deleted, { deletedAt, mergedInto: null }],
    [merged, { deletedAt, mergedInto: survivor }],
  ] as const)
    await received('contact.archived', { contact: like(id!, { archivedAt: expect.any(String), ...members }) })
})

test('sequence counts the public events without gaps, whatever internal events happen between them', async () => {
  const { body } = await owner.post('/messages', {
    recipient: { type: 'phone', phoneNumber: newPhone() },
    inboxId,
    content: { type: 'text', text: { body: 'Hello' } },
  })
  const { message, conversation } = body
  await owner.post(`/conversations/${conversation.id}/read`, { lastMessageId: message.id })
  await owner.post('/inboxes', {
    chatapp: { resourceIds: ['9991'], phoneNumberIds: [`9991${newPhone().slice(-4)}`] },
  })
  const id = await create({ name: 'Last' })
  await received('contact.created', { contact: like(id, {}) })
  await received('message.updated', { message: like(message.id, { deliveryStatus: 'delivered' }) })
  const { db } = await service.depsOf(owner.tenantId)
  const internal = await db.one<{ n: number }>(sql`
    select count(*) as n from event_log where tenant_id = ${owner.tenantId} and public_seq is null`)
  expect(internal.n).toBeGreaterThan(1)
  await eventually(async () => {
    const sequences = new Set(endpoint.received.map(({ event }) => event.sequence))
    expect([...sequences].sort((a, b) => a - b)).toEqual(Array.from(sequences, (_, i) => i + 1))
  })
})
