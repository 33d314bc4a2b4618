import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signTwilio } from '../callbacks/signatures.ts'
import { smsRef, type TestSandbox, testSandbox, waitUntil } from '../testing/sandbox.ts'

let sandbox: TestSandbox
let number: { sid: string; phone: string }
beforeAll(async () => {
  sandbox = await testSandbox()
  number = await sandbox.smsNumber()
})
afterAll(() => sandbox.stop())

const to = '+14155550100'
const send = (form: Record<string, string> = {}, account = 'AC1') =>
  sandbox.sms('POST', `${account}/Messages.json`, { To: to, From: number.phone, Body: 'Hello', ...form })
const statuses = (sid: string) =>
  sandbox.endpoint
    .forms()
    .filter(form => form.MessageSid === sid)
    .map(form => form.MessageStatus)

describe('sending', () => {
  it('201 with status queued; signed status callbacks follow and the message becomes delivered', async () => {
    const { status, json } = await send({ Body: 'Olá, 2 < 3 & 4' })
    expect(status).toBe(201)
    expect(json).toMatchObject({
      sid: expect.stringMatching(/^SM[0-9a-f]{32}$/),
      account_sid: 'AC1',
      status: 'queued',
      direction: 'outbound-api',
      from: number.phone,
      to,
      body: 'Olá, 2 < 3 & 4',
      num_segments: '1',
      error_code: null,
      date_sent: null,
    })
    await waitUntil(() => statuses(json.sid).length === 2)
    expect(statuses(json.sid)).toEqual(['sent', 'delivered'])
    const call = sandbox.endpoint.calls.find(call => call.body.includes(json.sid))!
    const form = Object.fromEntries(new URLSearchParams(call.body))
    const signature = signTwilio('auth-token', `${sandbox.endpoint.url}/sms/status`, form)
    expect(call.headers['x-twilio-signature']).toBe(signature)
    expect(form).toMatchObject({ AccountSid: 'AC1', SmsSid: json.sid, From: number.phone, To: to })
    const message = await sandbox.sms('GET', `AC1/Messages/${json.sid}.json`)
    expect(message.json).toMatchObject({ status: 'delivered', body: 'Olá, 2 < 3 & 4', price_unit: 'USD' })
  })

  it('calls the StatusCallback of the message including its query, with a signature over that URL', async () => {
    const callback = `${sandbox.endpoint.url}/own?token=a%20b&x=1`
    const { json } = await send({ StatusCallback: callback })
    await waitUntil(() => statuses(json.sid).length === 2)
    const call = sandbox.endpoint.calls.find(call => call.body.includes(json.sid))!
    expect(call.path).toBe('/own?token=a%20b&x=1')
    const form = Object.fromEntries(new URLSearchParams(call.body))
    expect(call.headers['x-twilio-signature']).toBe(signTwilio('auth-token', callback, form))
    expect(call.headers['x-twilio-signature']).not.toBe(
      signTwilio('auth-token', callback, { ...form, To: 'x' }),
    )
  })

  it.each([
    [{ To: '' }, 400, 21604],
    [{ From: '' }, 400, 21603],
    [{ Body: '' }, 400, 21602],
    [{ Body: 'x'.repeat(1601) }, 400, 21617],
    [{ To: '4155550100' }, 400, 21211],
    [{ From: 'nonsense' }, 400, 21212],
    [{ From: '+14155559999' }, 400, 21606],
    [{ StatusCallback: 'not a url' }, 400, 21609],
    [{ StatusCallback: 'http://under_score.example/' }, 400, 21609],
  ])('%j → %i %i', async (form, status, code) => {
    const response = await send(form)
    expect([response.status, response.json.code]).toEqual([status, code])
    expect(response.json).toMatchObject({
      status,
      message: expect.any(String),
      more_info: expect.stringContaining(`${code}`),
    })
  })

  it('400 for a number without messaging, and for a message to itself', async () => {
    const { json } = await sandbox.sms('GET', 'AC1/IncomingPhoneNumbers.json')
    const voice = json.incoming_phone_numbers.find(
      (item: { capabilities: { sms: boolean } }) => !item.capabilities.sms,
    )
    expect((await send({ From: voice.phone_number })).json.code).toBe(21606)
    expect((await send({ To: number.phone })).json.code).toBe(21266)
  })

  it('a message of a messaging service has no sender and no segments at first', async () => {
    const { status, json } = await send({ From: '', MessagingServiceSid: 'MG1' })
    expect(status).toBe(201)
    expect(json).toMatchObject({
      status: 'accepted',
      from: null,
      num_segments: '0',
      messaging_service_sid: 'MG1',
    })
  })

  it.each([
    [undefined, 401],
    ['expired-token', 401],
    ['invalid', 401],
  ])('401 with the token %s', async (token, status) => {
    const response =
      token === undefined
        ? await fetch(`${sandbox.urls.sms}/2010-04-01/Accounts/AC1/Messages.json`)
        : await sandbox.sms('GET', 'AC1/Messages.json', undefined, token)
    expect(response.status).toBe(status)
  })
})

it('21610 after STOP, until START', async () => {
  const from = '+14155550130'
  const says = (body: string) =>
    sandbox.control.inbound(smsRef(number.sid), { from, content: { type: 'text', text: { body } } })
  expect((await send({ To: from })).status).toBe(201)
  const { providerMessageId } = await says(' stop ')
  await waitUntil(() => sandbox.endpoint.forms().some(form => form.MessageSid === providerMessageId))
  expect(sandbox.endpoint.forms().find(form => form.MessageSid === providerMessageId)).toMatchObject({
    OptOutType: 'STOP',
    Body: ' stop ',
    SmsStatus: 'received',
  })
  expect((await send({ To: from })).json.code).toBe(21610)
  expect((await send({ To: '+14155550131' })).status).toBe(201)
  await says('Start')
  expect((await send({ To: from })).status).toBe(201)
  await says('please do not stop')
  expect((await send({ To: from })).status).toBe(201)
})

it('inbound media requires credentials', async () => {
  const { providerMessageId: sid } = await sandbox.control.inbound(smsRef(number.sid), {
    from: to,
    content: { type: 'media', media: { kind: 'image', caption: 'look' } },
  })
  expect(sid).toMatch(/^MM/)
  await waitUntil(() => sandbox.endpoint.forms().some(form => form.MessageSid === sid))
  const form = sandbox.endpoint.forms().find(item => item.MessageSid === sid)!
  expect(form).toMatchObject({
    NumMedia: '1',
    MediaContentType0: 'image/png',
    Body: 'look',
    From: to,
    To: number.phone,
  })
  expect((await fetch(form.MediaUrl0!)).status).toBe(401)
  const authorization = `Basic ${Buffer.from('AC1:auth-token').toString('base64')}`
  const redirect = await fetch(form.MediaUrl0!, { headers: { authorization }, redirect: 'manual' })
  expect(redirect.status).toBe(307)
  const file = await fetch(redirect.headers.get('location')!)
  expect(file.headers.get('content-type')).toBe('image/png')
})

describe('listing', () => {
  it('pages of numbers have URIs relative to the host', async () => {
    const seen: string[] = []
    let path: string | null = '/2010-04-01/Accounts/AC7/IncomingPhoneNumbers.json?PageSize=3'
    while (path) {
      const { json } = await sandbox.sms('GET', path.replace('/2010-04-01/Accounts/', ''))
      seen.push(...json.incoming_phone_numbers.map((item: { sid: string }) => item.sid))
      path = json.next_page_uri
      expect(path === null || path.startsWith('/2010-04-01/')).toBe(true)
    }
    expect(new Set(seen).size).toBe(4)
  })

  let accounts = 0
  it('messages are listed newest first and can be filtered by To, From and day', async () => {
    const account = `AC2000${++accounts}`
    const own = await sandbox.smsNumber(account)
    const say = (Body: string, To: string) =>
      sandbox.sms('POST', `${account}/Messages.json`, { From: own.phone, To, Body })
    for (const body of ['1', '2', '3']) await say(body, '+14155550170')
    await say('4', '+14155550171')
    await sandbox.control.inbound(smsRef(own.sid), {
      from: '+14155550170',
      content: { type: 'text', text: { body: '5' } },
    })
    const bodies = async (query: string) =>
      (await sandbox.sms('GET', `${account}/Messages.json${query}`)).json.messages.map(
        (item: { body: string }) => item.body,
      )
    expect(await bodies('')).toEqual(['5', '4', '3', '2', '1'])
    expect(await bodies(`?To=${encodeURIComponent('+14155550170')}`)).toEqual(['3', '2', '1'])
    expect(await bodies(`?From=${encodeURIComponent('+14155550170')}`)).toEqual(['5'])
    expect(await bodies('?PageSize=2&Page=1')).toEqual(['3', '2'])
    expect(await bodies('?DateSent%3E=2999-01-01')).toEqual([])
    expect(await bodies('?DateSent%3C=2000-01-01')).toEqual([])
  })
})

describe('numbers', () => {
  it('an unknown sid is assigned to the first account that requests it', async () => {
    const { json } = await sandbox.sms('GET', 'AC5/IncomingPhoneNumbers/PNmine.json')
    expect(json).toMatchObject({
      sid: 'PNmine',
      account_sid: 'AC5',
      phone_number: expect.stringMatching(/^\+1\d{10}$/),
    })
    const sent = await sandbox.sms('POST', 'AC5/Messages.json', {
      From: json.phone_number,
      To: to,
      Body: 'x',
    })
    expect(sent.status).toBe(201)
    expect((await sandbox.sms('GET', 'AC6/IncomingPhoneNumbers/PNmine.json')).status).toBe(404)
    expect((await sandbox.sms('GET', 'AC5/IncomingPhoneNumbers/missing1.json')).status).toBe(404)
    expect((await sandbox.sms('GET', 'missing5/IncomingPhoneNumbers.json')).status).toBe(404)
  })

  it('callbacks are signed with the last used token; reads with other tokens change nothing', async () => {
    const own = await sandbox.smsNumber('AC8')
    await sandbox.sms('GET', 'AC8/IncomingPhoneNumbers.json', undefined, 'a-guess')
    const judge = async (sid: string, token: string) => {
      await waitUntil(() => sandbox.endpoint.calls.some(call => call.body.includes(sid)))
      const call = sandbox.endpoint.calls.find(call => call.body.includes(sid))!
      const form = Object.fromEntries(new URLSearchParams(call.body))
      return call.headers['x-twilio-signature'] === signTwilio(token, sandbox.endpoint.url + call.path, form)
    }
    const { providerMessageId: sid } = await sandbox.control.inbound(smsRef(own.sid), {
      from: to,
      content: { type: 'text', text: { body: 'hi' } },
    })
    expect(await judge(sid, 'auth-token')).toBe(true)
    const form = { From: own.phone, To: to, Body: 'x' }
    const renewed = await sandbox.sms('POST', 'AC8/Messages.json', form, 'renewed-token')
    expect(await judge(renewed.json.sid, 'renewed-token')).toBe(true)
  })

  it('callback URLs are stored', async () => {
    const { json } = await sandbox.sms('GET', `AC1/IncomingPhoneNumbers/${number.sid}.json`)
    expect(json).toMatchObject({
      sms_url: `${sandbox.endpoint.url}/sms/in`,
      status_callback: `${sandbox.endpoint.url}/sms/status`,
    })
    const bad = await sandbox.sms('POST', `AC1/IncomingPhoneNumbers/${number.sid}.json`, {
      SmsUrl: 'nonsense',
    })
    expect(bad.status).toBe(400)
  })
})

it('calls the fallback URL when the first URL fails', async () => {
  const own = await sandbox.smsNumber('AC3')
  await sandbox.sms('POST', `AC3/IncomingPhoneNumbers/${own.sid}.json`, {
    SmsFallbackUrl: `${sandbox.endpoint.url}/fallback`,
  })
  // The failing response must go to this message, not to a status of an earlier message.
  await waitUntil(async () => (await sandbox.control.pendingCallbacks()) === 0)
  sandbox.endpoint.statusCodes.push(500)
  const { providerMessageId: sid } = await sandbox.control.inbound(smsRef(own.sid), {
    from: to,
    content: { type: 'text', text: { body: 'hello?' } },
  })
  const calls = () => sandbox.endpoint.calls.filter(call => call.body.includes(sid))
  await waitUntil(() => calls().length === 2)
  expect(calls().map(call => call.path)).toEqual(['/sms/in', '/fallback'])
  const [first, second] = calls()
  expect(second!.headers['i-twilio-idempotency-token']).toBe(first!.headers['i-twilio-idempotency-token'])
})

it('status callbacks of earlier messages follow a moved URL', async () => {
  const own = await sandbox.smsNumber('AC4')
  const dead = 'http://127.0.0.1:9'
  await sandbox.sms('POST', `AC4/IncomingPhoneNumbers/${own.sid}.json`, { SmsUrl: `${dead}/in` })
  const { json } = await sandbox.sms('POST', 'AC4/Messages.json', {
    From: own.phone,
    To: to,
    Body: 'x',
    StatusCallback: `${dead}/status?t=1`,
  })
  await waitUntil(async () => (await sandbox.control.pendingCallbacks([smsRef(own.sid)])) === 2)
  await sandbox.sms('POST', `AC4/IncomingPhoneNumbers/${own.sid}.json`, {
    SmsUrl: `${sandbox.endpoint.url}/in`,
  })
  await waitUntil(() => statuses(json.sid).length === 2)
  expect(sandbox.endpoint.calls.find(call => call.body.includes(json.sid))!.path).toBe('/status?t=1')
})
