import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { providerContract } from '../../testing/provider-contract.ts'
import {
  buildOutbound,
  file,
  type ProviderHarness,
  type Server,
  serve,
  startProviderHarness,
  text,
} from '../../testing/provider-harness.ts'
import type { WebhookRequest } from '../provider.ts'
import { listSmsNumbers } from './catalogue.ts'
import { sms } from './sms.ts'

const permanent = (code: string) => ({ kind: 'permanent', code }) as const

providerContract(sms, {
  contents: [
    { content: text('Hello'), request: { To: '+15005551000', Body: 'Hello' } },
    {
      content: { type: 'media', media: { mediaId: 'mda_1', caption: 'Look' } },
      media: file(),
      request: { MediaUrl: 'https://media.example/file.png', Body: 'Look' },
    },
    {
      content: { type: 'media', media: { mediaId: 'mda_1' } },
      media: file(),
      request: { MediaUrl: 'https://media.example/file.png' },
    },
  ],
  statuses: ['sent', 'delivered'],
  supportsReactions: false,
  canListSent: true,
  failures: [
    ['0001', permanent('recipient_invalid'), 'immediately'],
    ['0002', permanent('recipient_unreachable'), 'immediately'],
    ['0003', permanent('recipient_not_eligible'), 'immediately'],
    ['0004', permanent('opted_out'), 'immediately'],
    ['0009', permanent('recipient_unreachable'), 'immediately'],
    ['0011', permanent('recipient_unreachable'), 'later'],
    ['0013', permanent('filtered'), 'later'],
    ['0021', { kind: 'rate_limited', scope: 'app', retryAfterMs: 1000 }, 'immediately'],
    ['0028', { kind: 'rate_limited', scope: 'number' }, 'immediately'],
    ['0025', { kind: 'retryable' }, 'immediately'],
    ['0030', { kind: 'auth' }, 'immediately'],
    ['0032', permanent('payment_issue'), 'later'],
  ],
})

describe('provider specifics', () => {
  let here: ProviderHarness
  beforeAll(async () => {
    here = await startProviderHarness('sms')
  })
  afterAll(() => here.close())

  test('lists numbers with capabilities', async () => {
    const { baseUrl, config, token } = here.account
    const numbers = await listSmsNumbers({ baseUrl, accountSid: config.accountSid!, token })
    expect(numbers.map(one => one.capabilities.sms)).toEqual([true, true, true, false])
    expect(numbers[0]).toMatchObject({
      phoneNumberSid: here.account.externalId,
      phoneNumber: config.phoneNumber,
    })
  })

  test('the rate depends on the number type', async () => {
    const { baseUrl, config, token } = here.account
    const numbers = await listSmsNumbers({ baseUrl, accountSid: config.accountSid!, token })
    expect(await sms.checkHealth(here.account)).toEqual({ ok: true, ratePerSecond: 1 })
    const tollFree = { ...here.account, externalId: numbers[2]!.phoneNumberSid }
    expect(await sms.checkHealth(tollFree)).toEqual({ ok: true, ratePerSecond: 3 })
  })

  test('a message with several files becomes several messages with distinct ids', () => {
    const body = new URLSearchParams({
      MessageSid: 'MM1',
      SmsStatus: 'received',
      From: '+15550001',
      To: '+15550002',
      Body: 'Two',
      NumMedia: '2',
      MediaUrl0: 'https://api.twilio.com/a',
      MediaContentType0: 'image/png',
      MediaUrl1: 'https://api.twilio.com/b',
    })
    const receivedAt = '2026-01-01T00:00:00.000Z'
    const webhook = {
      method: 'POST',
      url: 'https://us/x',
      headers: {},
      body: Buffer.from(body.toString()),
      receivedAt,
    }
    expect(sms.parseWebhook({ ...webhook, accountId: 'PN1' })).toMatchObject([
      {
        accountId: 'PN1',
        dedupeKey: 'MM1',
        at: receivedAt,
        content: { media: { caption: 'Two' } },
        media: { mimeType: 'image/png' },
      },
      { accountId: 'PN1', dedupeKey: 'MM1#1', media: { reference: 'https://api.twilio.com/b' } },
    ])
  })

  test('a status with an altered message id does not verify', async () => {
    const message = buildOutbound('+15550003')
    await sms.send(here.account, message)
    await here.waitForEvent('status', one => one.messageId === message.messageId)
    const webhook = here.webhooks.find(one => one.url.includes(message.messageId))!
    const moved = { ...webhook, url: webhook.url.replace(message.messageId, 'msg_other') }
    expect(sms.verifyWebhook(moved, here.secrets)).toBe(false)
  })
})

describe('signature vectors', () => {
  const url = 'https://mycompany.com/myapp.php?foo=1&bar=2'
  const form =
    'CallSid=CA1234567890ABCDE&Caller=%2B14158675309&Digits=1234&From=%2B14158675309&To=%2B18005551212'
  const webhook = (over: Partial<WebhookRequest>): WebhookRequest => ({
    method: 'POST',
    url,
    headers: { 'x-twilio-signature': 'RSOYDt4T1cUTdK1PDd93/VVr8B8=' },
    body: Buffer.from(form),
    receivedAt: '2026-01-01T00:00:00.000Z',
    ...over,
  })
  test('form body', () => {
    expect(sms.verifyWebhook(webhook({}), ['12345'])).toBe(true)
    expect(sms.verifyWebhook(webhook({}), ['54321'])).toBe(false)
    expect(sms.verifyWebhook(webhook({}), [''])).toBe(false)
    expect(sms.verifyWebhook(webhook({ body: Buffer.from(`${form}&Extra=1`) }), ['12345'])).toBe(false)
  })
  test('URL with or without the default port', () => {
    const withPort = url.replace('mycompany.com', 'mycompany.com:443')
    expect(sms.verifyWebhook(webhook({ url: withPort }), ['12345'])).toBe(true)
    expect(
      sms.verifyWebhook(webhook({ url: url.replace('mycompany.com', 'mycompany.com:8443') }), ['12345']),
    ).toBe(false)
  })
  test('body hash of other content types', () => {
    const hash = '0a1ff7634d9ab3b95db5c9a2dfe9416e41502b283a80c7cf19632632f96e6620'
    const json = webhook({
      url: `${url}&bodySHA256=${hash}`,
      headers: { 'x-twilio-signature': 'a9nBmqA0ju/hNViExpshrM61xv4=' },
      body: Buffer.from('{"property": "value", "boolean": true}'),
    })
    expect(sms.verifyWebhook(json, ['12345'])).toBe(true)
    expect(sms.verifyWebhook({ ...json, body: Buffer.from('{}') }, ['12345'])).toBe(false)
  })
  test('repeated parameters: sorted distinct values', () => {
    const text = `${url}a1a2b3`
    const signature = createHmac('sha1', '12345').update(text).digest('base64')
    const headers = { 'x-twilio-signature': signature }
    expect(sms.verifyWebhook(webhook({ headers, body: Buffer.from('b=3&a=2&a=1&a=2') }), ['12345'])).toBe(
      true,
    )
  })
})

describe('credential scope', () => {
  const seen: string[] = []
  let base: Server
  let next = '/2010-04-01/Accounts/AC1/IncomingPhoneNumbers.json?Page=1'
  beforeAll(async () => {
    base = await serve((request, response) => {
      seen.push(request.url!)
      const isSecond = request.url!.includes('Page=1')
      const page = {
        incoming_phone_numbers: [{ sid: isSecond ? 'PN2' : 'PN1' }],
        next_page_uri: isSecond ? null : next,
      }
      response.end(JSON.stringify(page))
    })
  })
  afterAll(() => base.close())
  const list = () => listSmsNumbers({ baseUrl: `${base.url}/prefix`, accountSid: 'AC1', token: 't' })

  test('pages are fetched from the configured base URL only', async () => {
    expect((await list()).map(one => one.phoneNumberSid)).toEqual(['PN1', 'PN2'])
    expect(seen.at(-1)).toBe(`/prefix${next}`)
  })
  test('pages on other hosts are not fetched', async () => {
    for (next of ['http://127.0.0.1:9/x', '//127.0.0.1:9/x', '@127.0.0.1:9/x'])
      expect((await list()).map(one => one.phoneNumberSid)).toEqual(['PN1'])
  })
})
