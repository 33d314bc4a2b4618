import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { providerContract } from '../../testing/provider-contract.ts'
import {
  buildOutbound,
  file,
  image,
  type ProviderHarness,
  readAll,
  type Server,
  serve,
  startProviderHarness,
  text,
} from '../../testing/provider-harness.ts'
import type { WebhookRequest } from '../provider.ts'
import { findNumbers, listNumbers } from './catalogue.ts'
import { chatapp } from './chatapp.ts'

const permanent = (code: string) => ({ kind: 'permanent', code }) as const

providerContract(chatapp, {
  contents: [
    { content: text('Hello'), request: { type: 'text', text: { body: 'Hello' }, to: '+15005551000' } },
    {
      content: {
        type: 'template',
        template: {
          name: 'greeting',
          language: 'en_US',
          components: [{ type: 'body', parameters: [{ type: 'text', text: 'Ana' }] }],
        },
      },
      request: { type: 'template', template: { name: 'greeting', language: { code: 'en_US' } } },
    },
    {
      content: { type: 'media', media: { mediaId: 'mda_1', caption: 'Look' } },
      media: file(),
      request: { type: 'image', image: { caption: 'Look' } },
    },
    {
      content: {
        type: 'rich',
        rich: {
          body: { text: 'Well?' },
          actions: [
            { type: 'reply', id: 'y', title: 'Yes' },
            { type: 'reply', id: 'n', title: 'No' },
          ],
        },
      },
      request: { type: 'interactive', interactive: { type: 'button' } },
    },
    {
      content: { type: 'contactInfoRequest', contactInfoRequest: { body: { text: 'Your number?' } } },
      request: { type: 'interactive', interactive: { type: 'request_contact_info' } },
    },
  ],
  statuses: ['sent', 'delivered'],
  supportsReactions: true,
  canListSent: false,
  failures: [
    ['0001', permanent('rejected'), 'immediately'],
    ['0010', permanent('recipient_unreachable'), 'later'],
    ['0012', permanent('window_closed'), 'later'],
    ['0004', permanent('opted_out'), 'later'],
    ['0021', { kind: 'rate_limited', scope: 'number' }, 'immediately'],
    ['0022', { kind: 'rate_limited', scope: 'pair', retryAfterMs: 6_000 }, 'immediately'],
    ['0026', { kind: 'rate_limited', scope: 'app' }, 'immediately'],
    ['0027', { kind: 'rate_limited', code: 'spam_limited' }, 'immediately'],
    ['0025', { kind: 'retryable', code: 'provider_maintenance' }, 'immediately'],
    ['0028', { kind: 'retryable', code: 'provider_unavailable' }, 'immediately'],
    ['0030', { kind: 'auth', code: 'auth_expired' }, 'immediately'],
    ['0031', permanent('account_locked'), 'immediately'],
    ['0032', permanent('payment_issue'), 'later'],
  ],
})

describe('provider specifics', () => {
  let here: ProviderHarness
  beforeEach(async () => {
    here = await startProviderHarness('chatapp')
  })
  afterEach(() => here.close())
  const send = (...args: Parameters<typeof buildOutbound>) =>
    chatapp.send(here.account, buildOutbound(...args))

  test('uploads keep their bytes; filenames are escaped in the form', async () => {
    const content = { type: 'media', media: { mediaId: 'mda_1' } } as const
    expect(await send('+15550001', content, { media: file('document', 'application/pdf') })).toMatchObject({
      ok: true,
    })
    const { payload } = (await here.received('+15550001'))!
    const { id, filename } = payload.document as { id: string; filename: string }
    expect(filename).toBe('a "name"\r\n.png')
    expect(await readAll((await chatapp.downloadMedia(here.account, id)).body)).toEqual(image)
  })

  test('a rejected file fails permanently; a truncated file is retryable', async () => {
    const content = { type: 'media', media: { mediaId: 'mda_1' } } as const
    const odd = await send('+15550002', content, { media: file('document', 'application/x-odd') })
    expect(odd).toMatchObject({ ok: false, failure: { kind: 'permanent', code: 'media_upload_failed' } })
    const short = await send('+15550002', content, { media: { ...file(), size: 10_000 } })
    expect(short).toMatchObject({ ok: false, failure: { kind: 'retryable' } })
    expect(await here.received('+15550002')).toBeUndefined()
  })

  test.each([
    ['image', 'image/png', 'summer_sale'],
    ['document', 'application/pdf', 'invoice_ready'],
    ['video', 'video/mp4', 'product_tour'],
  ] as const)('the header of a template may be a %s', async (kind, type, name) => {
    const body = name === 'summer_sale' ? ['Ana', '20 %'] : ['Ana']
    const sent = await send(
      '+15550003',
      {
        type: 'template',
        template: {
          name,
          language: 'en_US',
          components: [
            { type: 'header', parameters: [{ type: 'media', media: { mediaId: 'mda_1' } }] },
            { type: 'body', parameters: body.map(one => ({ type: 'text' as const, text: one })) },
            ...(name === 'summer_sale'
              ? [
                  {
                    type: 'button' as const,
                    subType: 'copy_code' as const,
                    index: 0,
                    parameters: [{ type: 'coupon' as const, coupon: 'SUMMER20' }],
                  },
                ]
              : []),
          ],
        },
      },
      { media: file(kind, type) },
    )
    expect(sent).toMatchObject({ ok: true })
  })

  test('the header of a template may be a location', async () => {
    const location = { latitude: 52.52, longitude: 13.405, name: 'Shop', address: 'Alexanderplatz 1' }
    const sent = await send('+15550003', {
      type: 'template',
      template: {
        name: 'store_location',
        language: 'en_US',
        components: [
          { type: 'header', parameters: [{ type: 'location', location }] },
          { type: 'body', parameters: [{ type: 'text', text: 'Ana' }] },
        ],
      },
    })
    expect(sent).toMatchObject({ ok: true })
  })

  test('messages and reactions can be sent to user ids', async () => {
    await here.customer({
      from: '+15550004',
      hidePhone: true,
      content: { type: 'text', text: { body: 'Hi' } },
    })
    const { from, channelMessageId } = await here.waitForEvent('message', one => one.from.startsWith('US.'))
    expect(await send(from)).toMatchObject({ ok: true })
    expect(await chatapp.react(here.account, { to: from, channelMessageId, emoji: '👍' })).toMatchObject({
      ok: true,
    })
    expect((await here.received('+15550004'))!.payload).toMatchObject({ recipient: from })
  })

  test('events contain all addresses of the customer', async () => {
    const id = await here.customer({ from: '+15550005', content: { type: 'text', text: { body: 'Hi' } } })
    const event = await here.waitForEvent('message', one => one.channelMessageId === id)
    expect(event.from).toBe('+15550005')
    expect(event.alsoKnownAs).toEqual([expect.stringMatching(/^US\./)])
  })

  test('parses replies, buttons, forms, locations, contacts, reactions and unsupported messages', async () => {
    const from = '+15550006'
    const ours = await send(from)
    const { channelMessageId } = ours as { channelMessageId: string }
    const of = async (content: Parameters<ProviderHarness['customer']>[0]['content'], replyTo?: string) => {
      const id = await here.customer({ from, content, ...(replyTo ? { replyTo } : {}) })
      return here.waitForEvent('message', one => one.channelMessageId === id)
    }
    expect(await of({ type: 'text', text: { body: 'Yes' } }, channelMessageId)).toMatchObject({
      replyTo: channelMessageId,
    })
    const contents = [
      { type: 'reply', reply: { id: 'y', title: 'Yes' } },
      { type: 'reply', reply: { id: 'y', title: 'Yes', description: 'Indeed' } },
      { type: 'location', location: { latitude: 1.5, longitude: 2, name: 'Here' } },
      { type: 'contacts', contacts: [{ name: { formatted_name: 'Ben' } }] },
    ] as const
    for (const content of contents) expect((await of(content as never)).content).toEqual(content)
    expect(
      (await of({ type: 'formResponse', formResponse: { flowToken: 't', values: { a: 1 } } })).content,
    ).toEqual({
      type: 'formResponse',
      formResponse: { flowToken: 't', values: { a: 1 } },
    })
    expect((await of({ type: 'button', button: { payload: 'p', text: 'Tap' } })).content).toEqual({
      type: 'reply',
      reply: { id: 'p', title: 'Tap' },
    })
    expect((await of({ type: 'unsupported' })).content).toMatchObject({ type: 'unsupported' })
    for (const emoji of ['🎉', null])
      await here.customer({
        from,
        content: { type: 'reaction', reaction: { providerMessageId: channelMessageId, emoji } },
      })
    expect(await here.waitForEvent('reaction', one => one.emoji === '🎉')).toMatchObject({
      from,
      channelMessageId,
    })
    expect(await here.waitForEvent('reaction', one => one.emoji === undefined)).toMatchObject({
      channelMessageId,
    })
  })

  test('parses account events', async () => {
    const { control } = here.sandbox
    await control.event(here.ref, 'account_update', {
      event: 'DISABLED_UPDATE',
      ban_info: { waba_ban_state: 'DISABLE' },
    })
    await control.event(here.ref, 'phone_number_quality_update', {
      event: 'FLAGGED',
      display_phone_number: '15551234567',
    })
    await control.event(here.ref, 'account_alerts', { anything: true })
    expect(await here.waitForEvent('account', one => one.issue === 'account_locked')).toMatchObject({
      resourceId: 'waba-1',
      isResolved: false,
    })
    expect(await here.waitForEvent('account', one => one.issue === 'quality_low')).toMatchObject({
      phoneNumber: '15551234567',
      isResolved: false,
    })
  })

  test('the sandbox assigns a number to the first resource that names it', async () => {
    const ids = ['made-up-1', 'missing-1']
    expect((await findNumbers(here.account, 'waba-2', ids)).map(one => one.id)).toEqual(['made-up-1'])
    expect(await findNumbers(here.account, 'waba-3', ids)).toEqual([])
  })
})

test('signature vector', () => {
  const webhook: WebhookRequest = {
    method: 'POST',
    url: '',
    headers: {
      'x-hub-signature-256': 'sha256=6eb10e0bc4192e9206e3de93178e66ea9eb262e9ea07bb66abdc83dcf8d3abf3',
    },
    body: Buffer.from('{"object":"whatsapp_business_account","entry":[]}'),
    receivedAt: '',
  }
  expect(chatapp.verifyWebhook(webhook, ['app_secret_example'])).toBe(true)
  expect(chatapp.verifyWebhook({ ...webhook, body: Buffer.from('{}') }, ['app_secret_example'])).toBe(false)
})

describe('token scope', () => {
  const elsewhere: string[] = []
  const asked: string[] = []
  let other: Server
  let base: Server
  const account = () => ({
    tenantId: '',
    inboxId: '',
    channel: 'chatapp' as const,
    externalId: 'n',
    rate: null,
    config: {},
    token: 'secret-token',
    baseUrl: `${base.url}/v23.0`,
    webhookUrl: '',
  })
  beforeAll(async () => {
    other = await serve((request, response) => {
      elsewhere.push(String(request.headers.authorization))
      response.end('{}')
    })
    base = await serve((request, response) => {
      asked.push(request.url!)
      const url = new URL(request.url!, base.url)
      if (url.pathname === '/v23.0/redirecting') response.writeHead(307, { location: `${other.url}/x` }).end()
      else if (url.pathname === '/v23.0/stray') response.end(JSON.stringify({ url: `${other.url}/file` }))
      else if (url.pathname === '/v23.0/moved')
        response.end(JSON.stringify({ url: `${base.url}/v23.0/redirecting` }))
      else {
        const isSecond = url.searchParams.get('after') === 'c1'
        const paging = {
          cursors: { after: 'c1' },
          ...(isSecond ? {} : { next: `${other.url}/next?access_token=x` }),
        }
        response.end(JSON.stringify({ data: [{ id: isSecond ? '2' : '1' }], paging }))
      }
    })
  })
  afterAll(async () => {
    await other.close()
    await base.close()
  })

  test('pages are fetched from the configured base URL only', async () => {
    asked.length = 0
    expect((await listNumbers(account(), 'w')).map(one => one.id)).toEqual(['1', '2'])
    expect(asked.filter(path => path.startsWith('/v23.0/w/phone_numbers'))).toHaveLength(2)
    expect(elsewhere).toEqual([])
  })

  test('files are fetched from provider hosts only, also after a redirect', async () => {
    for (const reference of ['stray', 'moved'])
      await expect(chatapp.downloadMedia(account(), reference)).rejects.toMatchObject({
        failure: { kind: 'permanent', code: 'media_host_not_allowed' },
      })
    expect(elsewhere).toEqual([])
  })

  test('redirects of API calls are not followed', async () => {
    expect(await chatapp.checkHealth({ ...account(), externalId: 'redirecting' })).toMatchObject({
      ok: false,
    })
    expect(elsewhere).toEqual([])
  })
})
