/** Tests which contact a conversation and its messages belong to after contacts are deleted, renamed and changed. */
import { beforeEach, expect, test } from 'vitest'
import type { Client, Workspace } from '../../../test/harness/api.ts'
import { testService, until } from '../../../test/harness/service.ts'
import type { Contact, LinkedContact } from '../../contacts/schemas.ts'
import { readLog } from '../../platform/events/log.ts'
import type { Conversation } from '../schemas.ts'

const service = await testService()
let workspace: Workspace
let owner: Client
let inboxId: string
let phone: string
let runs = Date.now() % 1_000_000

const text = (body: string) => ({ type: 'text', text: { body } })

// Each run of a test uses a new workspace, inbox number and customer.
beforeEach(async () => {
  workspace = await service.workspace()
  owner = workspace.owner
  runs++
  phone = `+1415${String(runs).padStart(7, '2')}`
  const connected = await owner.post('/inboxes', {
    chatapp: { resourceIds: [`77${runs}`], phoneNumberIds: [`77${runs}1`] },
  })
  inboxId = connected.body.inboxes[0].id
})

/** Sends a message from the customer and returns it, as stored, with its conversation. */
async function receive(body: string, profileName?: string) {
  const sent = await owner.post('/sandbox/inbound', {
    inboxId,
    from: phone,
    profileName,
    content: text(body),
  })
  expect(sent.status, JSON.stringify(sent.body)).toBe(202)
  const find = async () => {
    const { conversations } = (await owner.get(`/conversations?search=${encodeURIComponent(phone)}`)).body
    if (conversations.length === 0) return undefined
    const { messages } = (await owner.get(`/conversations/${conversations[0].id}/messages`)).body
    const message = messages.find(
      (m: { content: { text?: { body: string } } }) => m.content.text?.body === body,
    )
    // Read together: the conversation was listed before the message was stored.
    return message && (await owner.get(`/messages/${message.id}`)).body
  }
  return until(find, found => found !== undefined)
}

async function send(body: string, recipient: object = { type: 'phone', phoneNumber: phone }) {
  const response = await owner.post('/messages', { recipient, inboxId, content: text(body) })
  expect(response.status, JSON.stringify(response.body)).toBe(202)
  return response.body
}

const createContact = async (name: string, number?: string) =>
  (await owner.post('/contacts', { name, ...(number ? { phone: number } : {}) })).body.id as string
const getContact = (id: string) => owner.get(`/contacts/${id}`)
const movePhone = async (from: string, to: string) => {
  expect((await owner.patch(`/contacts/${from}`, { phone: null })).status).toBe(200)
  expect((await owner.patch(`/contacts/${to}`, { phone })).status).toBe(200)
}
/** Reads the contact of a message again. */
const contactOf = async (message: { id: string }) =>
  (await owner.get(`/messages/${message.id}`)).body.message.contactId

test('a deleted contact that writes becomes a new contact, in the same conversation', async () => {
  const first = await receive('before', 'Ada')
  const { contactId } = first.conversation
  expect((await owner.delete(`/contacts/${contactId}`)).status).toBe(204)
  const next = await receive('after', 'Ada Lovelace')
  expect(next.conversation.id).toBe(first.conversation.id)
  expect(next.conversation.contactId).not.toBe(contactId)
  expect(next.conversation).toMatchObject({ contactName: 'Ada Lovelace', name: 'Ada Lovelace' })
  expect(next.message.senderId).toBe(next.conversation.contactId)
  const contact = await getContact(next.conversation.contactId)
  expect(contact.body).toMatchObject({
    identities: [{ channel: 'chatapp', metadata: { phoneNumber: phone } }],
  })
  expect(await contactOf(first.message)).toBe(contactId)
  expect(await contactOf(next.message)).toBe(next.conversation.contactId)
})

test('a send to the phone of a deleted contact creates a new contact, also as a reply and beside the fast path', async () => {
  const first = await send('one')
  expect((await owner.delete(`/contacts/${first.conversation.contactId}`)).status).toBe(204)
  const reply = await owner.post(`/conversations/${first.conversation.id}/messages`, { content: text('two') })
  expect(reply.status).toBe(202)
  const { contactId } = reply.body.conversation
  expect(contactId).not.toBe(first.conversation.contactId)
  expect(reply.body.message.contactId).toBe(contactId)
  expect((await getContact(contactId)).status).toBe(200)
  expect((await send('three')).conversation.contactId).toBe(contactId)
})

test('a number that moved belongs to its new owner; older messages stay with the former owner', async () => {
  const alice = await createContact('Alice', phone)
  const bob = await createContact('Bob')
  const toAlice = await send('to Alice')
  expect(toAlice.conversation).toMatchObject({ contactId: alice, contactName: 'Alice', name: 'Alice' })
  await movePhone(alice, bob)
  const toBob = await send('to Bob', { type: 'contact', contactId: bob })
  expect(toBob.conversation).toMatchObject({
    id: toAlice.conversation.id,
    contactId: bob,
    contactName: 'Bob',
    name: 'Bob',
  })
  const fromBob = await receive('from Bob')
  expect(fromBob.message).toMatchObject({ senderId: bob, contactId: bob })
  expect(await contactOf(toAlice.message)).toBe(alice)
  expect(await contactOf(toBob.message)).toBe(bob)
  // The open session was replaced, with the same assignment.
  expect((await owner.get(`/conversations/${toBob.conversation.id}`)).body.status).toBe('open')
})

test('a reaction belongs to the owner of the address, also before the first message of the new owner', async () => {
  const alice = await createContact('Alice', phone)
  const bob = await createContact('Bob')
  const { message } = await send('to Alice')
  const read = async () => (await owner.get(`/messages/${message.id}`)).body.message
  const { channelMessageId: providerMessageId } = await until(read, found => found.channelMessageId)
  const react = async (emoji: string) => {
    const content = { type: 'reaction', reaction: { providerMessageId, emoji } }
    await owner.post('/sandbox/inbound', { inboxId, from: phone, content })
    const isSet = (found: { reactions?: { emoji: string }[] }) => found.reactions?.[0]?.emoji === emoji
    return (await until(read, isSet)).reactions
  }
  expect(await react('❤')).toMatchObject([{ senderId: alice }])
  await movePhone(alice, bob)
  expect(await react('👍')).toMatchObject([{ senderType: 'customer', senderId: bob }])
})

test('a number that moved while its session was open keeps its team and owner', async () => {
  const alice = await createContact('Alice', phone)
  const bob = await createContact('Bob')
  const { conversation } = await send('to Alice')
  const agent = await workspace.user('agent')
  expect((await owner.post(`/conversations/${conversation.id}/reassign`, { userId: agent.id })).status).toBe(
    204,
  )
  await movePhone(alice, bob)
  const { conversation: now } = await receive('from Bob')
  expect(now).toMatchObject({ contactId: bob, activeOwner: { type: 'user', id: agent.id } })
})

test('a number that returns to its contact continues the session', async () => {
  const alice = await createContact('Alice', phone)
  const before = await send('one')
  await owner.patch(`/contacts/${alice}`, { phone: null })
  await owner.patch(`/contacts/${alice}`, { phone })
  const after = await send('two')
  expect(after.conversation.contactId).toBe(alice)
  expect(await contactOf(before.message)).toBe(alice)
})

test('erasing a contact whose number moved deletes its messages and none of the new owner', async () => {
  const alice = await createContact('Alice', phone)
  const bob = await createContact('Bob')
  const toAlice = await send('to Alice')
  await movePhone(alice, bob)
  const toBob = await send('to Bob')
  expect((await owner.post(`/contacts/${alice}/erase`)).status).toBe(202)
  const status = async (id: string) => (await owner.get(`/messages/${id}`)).status
  await expect.poll(() => status(toAlice.message.id), { timeout: 30_000 }).toBe(404)
  expect(await status(toBob.message.id)).toBe(200)
  expect((await owner.get(`/conversations/${toBob.conversation.id}`)).body).toMatchObject({ contactId: bob })
})

test('POST /conversations/{id}/contact relinks by hand, with the address and the assignment', async () => {
  const alice = await createContact('Alice', phone)
  const bob = await createContact('Bob')
  const { conversation, message } = await send('to Alice')
  const agent = await workspace.user('agent')
  await owner.post(`/conversations/${conversation.id}/reassign`, { userId: agent.id })
  const relinked = await owner.post(`/conversations/${conversation.id}/contact`, { contactId: bob })
  expect(relinked.status, JSON.stringify(relinked.body)).toBe(200)
  expect(relinked.body).toMatchObject({
    id: conversation.id,
    contactId: bob,
    contactName: 'Bob',
    name: 'Bob',
    activeOwner: { type: 'user', id: agent.id },
  })
  expect((await getContact(alice)).body.identities).toEqual([])
  expect((await getContact(bob)).body.identities).toMatchObject([{ metadata: { phoneNumber: phone } }])
  expect((await receive('from Bob')).message.contactId).toBe(bob)
  expect(await contactOf(message)).toBe(alice)
  expect((await owner.post(`/conversations/${conversation.id}/contact`, { contactId: bob })).status).toBe(200)
  const unknown = await owner.post(`/conversations/${conversation.id}/contact`, { contactId: 'con_none' })
  expect(unknown.status).toBe(400)
  expect(JSON.stringify(unknown.body)).toContain('unknown_contact')
})

test('name, contactName and search follow a rename immediately', async () => {
  const { conversation } = await receive('hello', 'Ada')
  const found = async (search: string) =>
    (await owner.get(`/conversations?search=${encodeURIComponent(search)}`)).body.conversations.map(
      ({ id, name, contactName }: Record<string, string>) => ({ id, name, contactName }),
    )
  expect(await found('ada')).toEqual([{ id: conversation.id, name: 'Ada', contactName: 'Ada' }])
  await owner.patch(`/contacts/${conversation.contactId}`, { name: 'Çelebi ÖZ' })
  const renamed = [{ id: conversation.id, name: 'Çelebi ÖZ', contactName: 'Çelebi ÖZ' }]
  expect(await found('ada')).toEqual([])
  expect(await found('çelebi öz')).toEqual(renamed)
  expect(await found(phone)).toEqual(renamed)
})

/** Lists the contact events of the workspace, once all are in the log. */
async function contactEvents(count: number) {
  const read = async () =>
    (await readLog(service.deps.db, workspace.tenantId, { after: 0, limit: 1_000 })).filter(event =>
      event.type.startsWith('contact.'),
    )
  const events = await until(read, found => found.length >= count)
  return events.map(({ type, data }) => ({ type, contact: (data as { contact: LinkedContact }).contact }))
}

test('contact.created has every channel link: from the API, a first inbound and a first outbound message', async () => {
  const link = (conversationId: string | null, channel = 'chatapp') => ({
    conversationId,
    channel,
    metadata: { phoneNumber: phone },
  })
  const { conversation: inbound } = await receive('hello')
  expect(await contactEvents(1)).toMatchObject([
    { type: 'contact.created', contact: { id: inbound.contactId, conversations: [link(inbound.id)] } },
  ])
  phone = phone.replace('+1415', '+1416')
  const { conversation: outbound } = await send('hello')
  expect((await contactEvents(2))[1]).toMatchObject({
    type: 'contact.created',
    contact: { id: outbound.contactId, conversations: [link(outbound.id)] },
  })
  phone = phone.replace('+1416', '+1417')
  const id = await createContact('Ada', phone)
  expect((await contactEvents(3))[2]).toMatchObject({
    type: 'contact.created',
    contact: { id, conversations: [link(null)] },
  })
  await owner.patch(`/contacts/${id}`, { name: 'Ada Lovelace' })
  const updated = (await contactEvents(4))[3]!
  expect(updated.type).toBe('contact.updated')
  expect(updated.contact.conversations).toEqual([link(null)])
})

test('a customer whose number becomes known has one identity, with the number and without the user id', async () => {
  const hidden = { inboxId, from: phone, hidePhone: true, content: text('hidden') }
  expect((await owner.post('/sandbox/inbound', hidden)).status).toBe(202)
  const list = async () => (await owner.get('/contacts')).body.contacts as Contact[]
  const [before] = await until(list, contacts => contacts.length === 1)
  expect(before!.identities).toMatchObject([
    { channel: 'chatapp', externalId: expect.stringMatching(/^[A-Z]{2}\./), metadata: { phoneNumber: null } },
  ])
  await receive('shown')
  const [after] = await list()
  expect(after!.identities).toMatchObject([
    { channel: 'chatapp', externalId: phone, username: null, metadata: { phoneNumber: phone } },
  ])
  expect(after!.id).toBe(before!.id)
  expect((await contactEvents(2)).at(-1)).toMatchObject({
    type: 'contact.updated',
    contact: { conversations: [{ conversationId: expect.any(String), metadata: { phoneNumber: phone } }] },
  })
  expect((await owner.get(`/contacts?search=${encodeURIComponent(phone)}`)).body.contacts).toHaveLength(1)
})

test('a profile name that nobody can see is none', async () => {
  const { conversation } = await receive('hello', '\u200b\u2060')
  expect(conversation).toMatchObject({ contactName: null, name: phone })
})

test('a contact without a name takes the profile name; a name that was given stays', async () => {
  const nameless = (await owner.post('/contacts', { phone })).body.id as string
  await receive('hello', 'Ada')
  const nameOf = async (id: string) => (await getContact(id)).body.name
  await expect.poll(() => nameOf(nameless)).toBe('Ada')
  const { conversation } = await receive('again', 'Ada Byron')
  expect(conversation).toMatchObject({ contactId: nameless, name: 'Ada', contactName: 'Ada' })
  await owner.patch(`/contacts/${nameless}`, { name: 'Ada Lovelace' })
  await receive('and again', 'Ada Byron')
  expect(await nameOf(nameless)).toBe('Ada Lovelace')
})

test('a socialapp customer gets name and username from the provider; a failed lookup delays no message', async () => {
  const account = `178${runs}`
  const connected = await owner.post('/inboxes', { socialapp: { resourceIds: [account] } })
  const social = connected.body.inboxes[0].id as string
  const from = `99${runs}`
  const write = async (body: string, customer = from) => {
    const inbound = { inboxId: social, from: customer, content: text(body) }
    const named = { ...inbound, profileName: 'Ada Lovelace', username: 'ada.l' }
    expect((await owner.post('/sandbox/inbound', named)).status).toBe(202)
  }
  const list = async () =>
    (await owner.get(`/conversations?search=${from}`)).body.conversations as Conversation[]
  // A message of another customer shows that the account is registered for callbacks.
  await write('first', `98${runs}`)
  const all = async () => (await owner.get('/conversations')).body.conversations as Conversation[]
  await until(all, found => found.length === 1)
  await service.sandbox.control.setFaults({ requests: [{ answer: 'tokenExpired' }] })
  await write('one')
  const [unnamed] = await until(list, found => found.length === 1)
  expect(unnamed).toMatchObject({ contactName: null, name: from, lastMessagePreview: 'one' })
  await service.sandbox.control.clearFaults()
  await write('two')
  const [conversation] = await until(list, found => found[0]?.contactName === 'Ada Lovelace')
  expect(conversation).toMatchObject({ externalId: from, name: 'Ada Lovelace' })
  const { identities } = (await getContact(conversation!.contactId)).body
  expect(identities).toMatchObject([{ channel: 'socialapp', externalId: from, username: 'ada.l' }])
  const found = (await owner.get('/conversations?search=lovelace')).body.conversations as Conversation[]
  expect(found.map(({ id }) => id)).toContain(conversation!.id)
})
