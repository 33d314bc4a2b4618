/** Tests on which channels a contact is known: those of its identities. */
import { beforeAll, expect, test } from 'vitest'
import { sql } from '../../src/platform/db/sql.ts'
import type { Client } from '../harness/api.ts'
import { testService, until } from '../harness/service.ts'

const service = await testService({}, { spread: true })
let owner: Client
const inboxes = { chatapp: '', sms: '' }
let count = 0
const newPhone = () => `+1415558${1000 + count++}`

beforeAll(async () => {
  owner = (await service.workspace()).owner
  const connect = async (body: object) => (await owner.post('/inboxes', body)).body.inboxes[0].id
  inboxes.chatapp = await connect({ chatapp: { resourceIds: ['9002'], phoneNumberIds: ['90021'] } })
  const listed = await owner.post('/smsprovider/AC9002/phone-numbers', { authToken: 'token' })
  const { pendingCredentialId, phoneNumbers } = listed.body
  const phoneNumberSids = [phoneNumbers[0].phoneNumberSid]
  inboxes.sms = await connect({ sms: { pendingCredentialId, phoneNumberSids } })
})

const write = (channel: keyof typeof inboxes, from: string) =>
  owner.post('/sandbox/inbound', {
    inboxId: inboxes[channel],
    from,
    content: { type: 'text', text: { body: `by ${channel}` } },
  })

async function waitForConversations(phone: string, n: number) {
  return until(
    async () => (await owner.get(`/conversations?search=${encodeURIComponent(phone)}`)).body.conversations,
    found => found.length === n,
  )
}

/** Channels as the contact, the list and a filter show them. */
async function channelsOf(phone: string) {
  const search = encodeURIComponent(phone)
  const [contact] = (await owner.get(`/contacts?search=${search}`)).body.contacts
  const found = { listed: [] as string[], filtered: [] as string[] }
  for (const channel of ['chatapp', 'sms', 'socialapp']) {
    const list = (await owner.get(`/contacts?search=${search}&channels=${channel}`)).body.contacts
    if (list.length > 0) found.listed.push(channel)
    const conditions = [
      { type: 'searchText', text: phone },
      { type: 'hasAnyChannel', channels: [channel] },
    ]
    const { items } = (await owner.post('/contacts/search', { filter: { match: 'all', conditions } })).body
    if (items.length > 0) found.filtered.push(channel)
    if (items.length > 0)
      expect(items[0]).toMatchObject({ phone, channels: expect.arrayContaining([channel]) })
  }
  expect(found.listed).toEqual(found.filtered)
  const identities = contact.identities as { channel: string; metadata: { phoneNumber: string } }[]
  expect(identities.map(({ channel }) => channel).sort()).toEqual(found.listed)
  expect(new Set(identities.map(({ metadata }) => metadata.phoneNumber))).toEqual(new Set([phone]))
  return found.listed
}

test('a customer known from sms only is not a chatapp contact, until the first chatapp message', async () => {
  const phone = newPhone()
  await write('sms', phone)
  const [{ contactId }] = await waitForConversations(phone, 1)
  expect(await channelsOf(phone)).toEqual(['sms'])
  const [created] = await until(
    async () =>
      (await service.depsOf(owner.tenantId)).db.rows<{ links: object[] }>(sql`
        select data->'contact'->'conversations' as links from event_log
        where type = 'contact.created' and data->'contact'->>'id' = ${contactId}`),
    found => found.length > 0,
  )
  expect(created!.links).toMatchObject([{ channel: 'sms', metadata: { phoneNumber: phone } }])
  expect(await owner.post('/contacts', { phone })).toMatchObject({
    status: 409,
    body: { code: 'contact_phone_taken', contactId },
  })
  const recipient = { type: 'contact', contactId }
  const content = { type: 'text', text: { body: 'Hello' } }
  const sent = await owner.post('/messages', { recipient, content })
  expect(sent.body.conversation).toMatchObject({ channel: 'sms', contactId })
  await write('chatapp', phone)
  const both = await waitForConversations(phone, 2)
  expect(both).toMatchObject([{ contactId }, { contactId }])
  expect(await channelsOf(phone)).toEqual(['chatapp', 'sms'])
})

test('a number set with the API is a chatapp contact, and by sms also an sms contact', async () => {
  const phone = newPhone()
  const { id } = (await owner.post('/contacts', { phone })).body
  expect(await channelsOf(phone)).toEqual(['chatapp'])
  const content = { type: 'text', text: { body: 'Hello' } }
  const recipient = { type: 'phone', phoneNumber: phone }
  const sent = await owner.post('/messages', { recipient, inboxId: inboxes.sms, content })
  expect(sent.body.conversation).toMatchObject({ channel: 'sms', contactId: id })
  expect(await channelsOf(phone)).toEqual(['chatapp', 'sms'])
})

test('concurrent first messages by sms and chatapp create one contact with both channels', async () => {
  const phones = Array.from({ length: 10 }, newPhone)
  await Promise.all(phones.flatMap(phone => [write('sms', phone), write('chatapp', phone)]))
  for (const phone of phones) {
    const [one, other] = await waitForConversations(phone, 2)
    expect(one.contactId).toBe(other.contactId)
    expect(await channelsOf(phone)).toEqual(['chatapp', 'sms'])
  }
})

test('a number of a customer known from sms only stays so when it moves to another contact', async () => {
  const phone = newPhone()
  await write('sms', phone)
  const [conversation] = await waitForConversations(phone, 1)
  const other = (await owner.post('/contacts', { name: 'Bo' })).body.id
  const moved = await owner.post(`/conversations/${conversation.id}/contact`, { contactId: other })
  expect(moved.status, JSON.stringify(moved.body)).toBe(200)
  const { identities } = (await owner.get(`/contacts/${other}`)).body
  expect(identities).toMatchObject([{ channel: 'sms', metadata: { phoneNumber: phone } }])
})
