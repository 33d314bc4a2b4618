/** Tests the sandbox with @great-detail/whatsapp, a client of the chat provider. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  appSecret,
  chatRef,
  type TestSandbox,
  testSandbox,
  waitUntil,
} from '../../src/sandbox/testing/sandbox.ts'
import { load } from './packages.ts'

let sandbox: TestSandbox
// biome-ignore lint/suspicious/noExplicitAny: see load
let client: any
let number: string

beforeAll(async () => {
  const { Client } = await load('@great-detail/whatsapp')
  sandbox = await testSandbox()
  const connect = (token: string) =>
    new Client({
      prefixUrl: sandbox.url,
      graphVersion: 'v23.0',
      request: { headers: { Authorization: `Bearer ${token}` }, retry: 0 },
    })
  client = connect('a-token')
  const businessAccountID = 'waba-1'
  await client.subscribedApps.createSubscription({ businessAccountID })
  await client.subscribedApps.createSubscription({
    businessAccountID,
    override_callback_uri: `${sandbox.endpoint.url}/chat`,
    verify_token: 'v',
  })
  const { data } = await client.phoneNumbers.listPhoneNumbers({ businessAccountID, fields: ['id'] }).json()
  number = data[0].id
})
afterAll(() => sandbox?.stop())

const waitForCall = async (id: string) => {
  await waitUntil(() => sandbox.endpoint.calls.some(call => call.body.includes(id)))
  return sandbox.endpoint.calls.find(call => call.body.includes(id))!
}

/** Parses a callback with the client; throws if the signature is wrong. */
async function parse({ headers, body }: { headers: object; body: string }) {
  const notice = await client.webhook.eventNotification({ method: 'POST', query: {}, headers, body })
  await notice.verifySignature(appSecret)
  return notice.eventNotification
}

it('sends a message and accepts the signed status callback; rejects an altered one', async () => {
  const { messages, contacts } = await client.message
    .createMessage({ phoneNumberID: number, to: '+14155550100', type: 'text', text: { body: 'Olá 👋' } })
    .json()
  expect(contacts[0]).toMatchObject({ input: '+14155550100', wa_id: '14155550100' })
  const call = await waitForCall(messages[0].id)
  const { object, entry } = await parse(call)
  expect(object).toBe('whatsapp_business_account')
  expect(entry[0].changes[0].value.statuses[0]).toMatchObject({ id: messages[0].id, status: 'sent' })
  await expect(parse({ ...call, body: call.body.replace('"sent"', '"read"') })).rejects.toThrow('Signature')
})

it('receives an inbound message and marks it as read; rejects an altered one', async () => {
  const { providerMessageId: id } = await sandbox.control.inbound(chatRef(number), {
    from: '+14155550101',
    profileName: 'Zoë',
    content: { type: 'text', text: { body: 'Grüße 😀' } },
  })
  const call = await waitForCall(id)
  const { entry } = await parse(call)
  expect(entry[0].changes[0].value.messages[0]).toMatchObject({ id, text: { body: 'Grüße 😀' } })
  await expect(parse({ ...call, body: `${call.body} ` })).rejects.toThrow('Signature')
  const read = await client.message
    .createStatus({ phoneNumberID: number, status: 'read', message_id: id })
    .json()
  expect(read).toEqual({ success: true })
})

it("accepts the sandbox's verification handshake", async () => {
  const register = await client.webhook.register({
    method: 'GET',
    query: { 'hub.mode': 'subscribe', 'hub.challenge': '12345', 'hub.verify_token': 'v' },
    headers: {},
  })
  expect(register.accept()).toBe('12345')
  const { data } = await client.subscribedApps.listSubscriptions({ businessAccountID: 'waba-1' }).json()
  expect(data[0].override_callback_uri).toBe(`${sandbox.endpoint.url}/chat`)
})

it('uploads, finds and downloads media', async () => {
  const file = new Blob([Buffer.from('a small text')], { type: 'text/plain' })
  const { id } = await client.media
    .upload({ phoneNumberID: number, file, filename: 'note.txt', mimeType: 'text/plain' })
    .json()
  const media = await client.media.getURL({ mediaID: id }).json()
  expect(media).toMatchObject({ id, mime_type: 'text/plain', file_size: 12 })
  const download = await client.media.download({
    mediaURL: media.url,
    request: { headers: { Authorization: 'Bearer a-token' } },
  })
  expect(await download.text()).toBe('a small text')
  expect(await client.media.delete({ mediaID: id }).json()).toEqual({ success: true })
})

let created = 0

it('lists and creates templates, and sends one', async () => {
  const { data } = await client.template
    .list('waba-1', { fields: ['name', 'language', 'components'], limit: 3 })
    .json()
  expect(data.map(({ name }: { name: string }) => name)).toEqual(['hello_world', 'greeting', 'greeting'])
  const { status } = await client.template
    .create('waba-1', {
      name: `created_here_${++created}`,
      language: 'en_US',
      category: 'UTILITY',
      components: [{ type: 'BODY', text: 'Hi' }],
    })
    .json()
  expect(status).toBe('PENDING')
  const send = (name: string, components: unknown[] = []) =>
    client.message.createMessage({
      phoneNumberID: number,
      to: '+14155550100',
      type: 'template',
      template: { name, language: { code: 'en_US' }, components },
    })
  expect((await send('hello_world').json()).messages[0].message_status).toBe('accepted')
  const refused = await send('greeting').catch((error: { response: Response }) => error.response.json())
  expect(refused.error.code).toBe(132000)
})
