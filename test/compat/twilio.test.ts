/** Tests the sandbox with the official SDK of the sms provider. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { smsRef, type TestSandbox, testSandbox, waitUntil } from '../../src/sandbox/testing/sandbox.ts'
import { load } from './packages.ts'

const account = 'AC00000000000000000000000000000001'
const authToken = 'auth-token-of-the-account'

let sandbox: TestSandbox
// biome-ignore lint/suspicious/noExplicitAny: see load
let twilio: any
// biome-ignore lint/suspicious/noExplicitAny: see load
let client: any
let number: { sid: string; phoneNumber: string }

function connect(token: string) {
  const sdk = twilio(account, token)
  sdk.api.baseUrl = sandbox.url
  return sdk
}

beforeAll(async () => {
  twilio = (await load('twilio')).default
  sandbox = await testSandbox()
  client = connect(authToken)
  number = (await client.incomingPhoneNumbers.list({ limit: 1 }))[0]
  await client.incomingPhoneNumbers(number.sid).update({
    smsUrl: `${sandbox.endpoint.url}/in?inbox=1`,
    smsMethod: 'POST',
    statusCallback: `${sandbox.endpoint.url}/status`,
  })
})
afterAll(() => sandbox?.stop())

let customers = 0
const newCustomer = () => `+1415555${String(1_000 + customers++)}`

const findCalls = (sid: string) => sandbox.endpoint.calls.filter(call => call.body.includes(sid))

function isValid(
  call: { path: string; headers: Record<string, unknown>; body: string },
  altered: object = {},
) {
  const form = { ...Object.fromEntries(new URLSearchParams(call.body)), ...altered }
  return twilio.validateRequest(
    authToken,
    call.headers['x-twilio-signature'],
    sandbox.endpoint.url + call.path,
    form,
  )
}

it('lists numbers by page and updates a number', async () => {
  const all = await client.incomingPhoneNumbers.list({ pageSize: 2 })
  expect(all).toHaveLength(4)
  expect(all[0].capabilities).toMatchObject({ sms: true })
  const updated = await client.incomingPhoneNumbers(number.sid).fetch()
  expect(updated.smsUrl).toBe(`${sandbox.endpoint.url}/in?inbox=1`)
})

it('sends a message and accepts the signed status callbacks; rejects altered ones', async () => {
  const to = newCustomer()
  const message = await client.messages.create({
    to,
    from: number.phoneNumber,
    body: 'Olá, schöne Grüße 👋',
    statusCallback: `${sandbox.endpoint.url}/own?token=a%20b`,
  })
  expect(message).toMatchObject({ status: 'queued', direction: 'outbound-api', numSegments: '1' })
  expect(message.dateCreated).toBeInstanceOf(Date)
  await waitUntil(() => findCalls(message.sid).length === 2)
  const calls = findCalls(message.sid)
  expect(calls.map(call => new URLSearchParams(call.body).get('MessageStatus'))).toEqual([
    'sent',
    'delivered',
  ])
  for (const call of calls) {
    expect(isValid(call)).toBe(true)
    expect(isValid(call, { MessageStatus: 'read' })).toBe(false)
    expect(isValid(call, { Extra: 'x' })).toBe(false)
    expect(isValid({ ...call, path: '/own?token=other' })).toBe(false)
  }
  const [sent] = await sandbox.control.sent(smsRef(number.sid), to)
  expect(sent).toMatchObject({ providerMessageId: message.sid, payload: { Body: 'Olá, schöne Grüße 👋' } })
  const fetched = await client.messages(message.sid).fetch()
  expect(fetched).toMatchObject({ status: 'delivered', body: 'Olá, schöne Grüße 👋', errorCode: null })
})

it('accepts an inbound message and rejects an altered one', async () => {
  const { providerMessageId: sid } = await sandbox.control.inbound(smsRef(number.sid), {
    from: '+14155550101',
    content: { type: 'text', text: { body: 'Ça va? 😀 & more = better' } },
  })
  await waitUntil(() => findCalls(sid).length === 1)
  const [call] = findCalls(sid)
  expect(new URLSearchParams(call!.body).get('Body')).toBe('Ça va? 😀 & more = better')
  expect(isValid(call!)).toBe(true)
  expect(isValid(call!, { Body: 'Pay me' })).toBe(false)
  expect(
    twilio.validateRequest(
      'other-token',
      call!.headers['x-twilio-signature'],
      sandbox.endpoint.url + call!.path,
      {},
    ),
  ).toBe(false)
})

it('lists messages by page, newest first', async () => {
  const to = newCustomer()
  for (let i = 0; i < 5; i++) await client.messages.create({ to, from: number.phoneNumber, body: `${i}` })
  const listed = await client.messages.list({ to, pageSize: 2 })
  expect(listed.map((message: { body: string }) => message.body)).toEqual(['4', '3', '2', '1', '0'])
})

it("throws the provider's errors", async () => {
  const create = (to: string, from = number.phoneNumber) => client.messages.create({ to, from, body: 'x' })
  await expect(create('nonsense')).rejects.toMatchObject({ status: 400, code: 21211 })
  await expect(create('+15005550004')).rejects.toMatchObject({ status: 400, code: 21610 })
  await expect(create('+15005550021')).rejects.toMatchObject({ status: 429, code: 20429 })
  await expect(create('+14155550100', '+14155559999')).rejects.toMatchObject({ code: 21606 })
  const unauthorized = connect('invalid-token')
  await expect(unauthorized.messages.list()).rejects.toMatchObject({ status: 401, code: 20003 })
})
