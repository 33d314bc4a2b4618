/** Tests which addresses a message can be sent to, by whom, and that one person has one conversation. */
import { beforeEach, expect, test } from 'vitest'
import type { Client, Workspace } from '../../../test/harness/api.ts'
import { testService, until } from '../../../test/harness/service.ts'
import { sql } from '../../platform/db/sql.ts'

const service = await testService()
let workspace: Workspace
let owner: Client
let inboxes: { chatapp: string; sms: string; socialapp: string }
let runs = Date.now() % 1_000_000

const content = { type: 'text', text: { body: 'Hello' } }

beforeEach(async () => {
  workspace = await service.workspace()
  owner = workspace.owner
  runs++
  const connect = async (body: object) => {
    const { status, body: created } = await owner.post('/inboxes', body)
    expect(status, JSON.stringify(created)).toBe(200)
    return created.inboxes[0].id as string
  }
  const { pendingCredentialId, phoneNumbers } = (
    await owner.post(`/smsprovider/AC${String(runs).padStart(32, '7')}/phone-numbers`, { authToken: 'token' })
  ).body
  inboxes = {
    chatapp: await connect({ chatapp: { resourceIds: [`66${runs}`], phoneNumberIds: [`66${runs}1`] } }),
    sms: await connect({
      sms: { pendingCredentialId, phoneNumberSids: [phoneNumbers[0].phoneNumberSid] },
    }),
    socialapp: await connect({ socialapp: { resourceIds: [`55${runs}`] } }),
  }
})

const send = (client: Client, inboxId: string, recipient: object) =>
  client.post('/messages', { recipient, inboxId, content })

test('202 in one conversation whatever the spelling of the number', async () => {
  const spellings = ['14156635604', '+14156635604', '+1 (415) 663-5604', '0014156635604', ' 1 415 663 5604 ']
  const sent = await Promise.all(
    spellings.map(externalId =>
      send(owner, inboxes.chatapp, { type: 'channel', channel: 'chatapp', externalId }),
    ),
  )
  expect(sent.map(response => response.status)).toEqual(spellings.map(() => 202))
  expect(new Set(sent.map(response => response.body.conversation.id)).size).toBe(1)
  expect(sent[0]!.body.conversation.externalId).toBe('+14156635604')
  const text = await send(owner, inboxes.sms, { type: 'channel', channel: 'sms', externalId: '14156635604' })
  expect(text.body.conversation).toMatchObject({
    externalId: '+14156635604',
    contactId: sent[0]!.body.conversation.contactId,
  })
})

test('a customer who writes from a legacy format of a number continues the conversation with it', async () => {
  const phone = { type: 'phone', phoneNumber: '+5511987654321' }
  const { conversation } = (await send(owner, inboxes.chatapp, phone)).body
  const inbound = { inboxId: inboxes.chatapp, from: '+551187654321', content }
  expect((await owner.post('/sandbox/inbound', inbound)).status).toBe(202)
  const read = async () => (await owner.get(`/conversations/${conversation.id}/messages`)).body.messages
  expect(await until(read, messages => messages.length === 2)).toMatchObject([
    { senderType: 'customer', senderId: conversation.contactId },
    {},
  ])
})

test('400 for an address that the channel does not have', async () => {
  const refused = async (inboxId: string, recipient: object) => {
    const { status, body } = await send(owner, inboxId, recipient)
    return [status, body.violations?.[0]?.field ?? JSON.stringify(body)]
  }
  const channel = (name: keyof typeof inboxes, externalId: string) =>
    refused(inboxes[name], { type: 'channel', channel: name, externalId })
  expect(await channel('sms', 'CUSTOMER')).toEqual([400, 'recipient.externalId'])
  expect(await channel('sms', '+1415abc5604')).toEqual([400, 'recipient.externalId'])
  expect(await channel('chatapp', 'someone')).toEqual([400, 'recipient.externalId'])
  expect(await channel('socialapp', '+1 415 663 5604')).toEqual([400, 'recipient.externalId'])
  expect(await refused(inboxes.socialapp, { type: 'phone', phoneNumber: '+14156635604' })).toEqual([
    400,
    'recipient.type',
  ])
  expect((await owner.get('/contacts')).body.contacts).toEqual([])
})

test('a contact who wrote on socialapp is a recipient there', async () => {
  const inbound = { inboxId: inboxes.socialapp, from: `99${runs}`, content }
  expect((await owner.post('/sandbox/inbound', inbound)).status).toBe(202)
  const list = async () => (await owner.get('/conversations')).body.conversations
  const [conversation] = await until(list, found => found.length === 1)
  const { contactId } = conversation
  const sent = await send(owner, inboxes.socialapp, { type: 'contact', contactId })
  expect(sent.body.conversation.id).toBe(conversation.id)
})

test('404 for an agent who opens a conversation through an inbox of another team; nothing is created', async () => {
  const agent = await workspace.user('agent')
  const member = await workspace.user('agent', [workspace.teamId])
  await owner.put(`/inboxes/${inboxes.chatapp}/team`, { teamId: workspace.teamId })
  const phone = { type: 'phone', phoneNumber: '+14156635605' }
  const refused = await send(agent, inboxes.chatapp, phone)
  expect(refused.body).toMatchObject({ status: 404, code: 'recipient_not_found' })
  expect((await owner.get('/contacts')).body.contacts).toEqual([])
  expect((await owner.get('/conversations')).body.conversations).toEqual([])

  const sent = (await send(member, inboxes.chatapp, phone)).body
  expect((await member.get(`/messages/${sent.message.id}`)).status).toBe(200)

  // An agent to whom the open session is assigned may write in it, with and without an idempotency key.
  await owner.post(`/conversations/${sent.conversation.id}/reassign`, { userId: agent.id })
  const reply = (headers = {}) =>
    agent.post(`/conversations/${sent.conversation.id}/messages`, { content }, headers)
  const replies = [await reply(), await reply({ 'idempotency-key': `key-${runs}` })]
  for (const { status, body } of replies) {
    expect(status, JSON.stringify(body)).toBe(202)
    expect((await agent.get(`/messages/${body.message.id}`)).status).toBe(200)
  }

  // After it is closed, a message would open a session of the team.
  await owner.post(`/conversations/${sent.conversation.id}/close`)
  expect((await reply()).body).toMatchObject({ status: 404, code: 'recipient_not_found' })
  expect((await owner.get(`/conversations/${sent.conversation.id}`)).body.status).toBe('closed')
})

test('first messages to the same people over two inboxes do not deadlock', async () => {
  const phones = Array.from({ length: 60 }, (_, i) => `+1415664${String(runs * 60 + i).slice(-4)}`)
  const countDeadlocks = async () => {
    // Connections report their statistics at most once a second.
    await new Promise(resolve => setTimeout(resolve, 1_100))
    const { n } = await service.deps.db.one<{ n: number }>(
      sql`select deadlocks as n from pg_stat_database where datname = current_database()`,
    )
    return n
  }
  const before = await countDeadlocks()
  const firstMessages = phones.flatMap((phoneNumber, i) => {
    const recipient = (n: number) => ({ type: 'phone', phoneNumber: phones[n]! })
    return [
      send(owner, inboxes.chatapp, { type: 'phone', phoneNumber }),
      send(owner, inboxes.sms, recipient(phones.length - 1 - i)),
    ]
  })
  const sent = await Promise.all(firstMessages)
  expect(new Set(sent.map(response => response.status))).toEqual(new Set([202]))
  const contacts = new Set(sent.map(response => response.body.conversation.contactId))
  expect(contacts.size).toBe(phones.length)
  expect(await countDeadlocks()).toBe(before)
})
