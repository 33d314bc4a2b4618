import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chatRef, isSigned, type TestSandbox, testSandbox, waitUntil } from '../testing/sandbox.ts'

let sandbox: TestSandbox
let number: string
beforeAll(async () => {
  sandbox = await testSandbox()
  number = await sandbox.chatNumber()
})
afterAll(() => sandbox.stop())

const send = (message: object, from = number) =>
  sandbox.chat('POST', `${from}/messages`, { messaging_product: 'whatsapp', to: '+14155550100', ...message })
const template = (name: string, components: unknown[] = [], language = 'en_US') =>
  send({ type: 'template', template: { name, language: { code: language }, components } })
const body = (...texts: string[]) => ({
  type: 'body',
  parameters: texts.map(text => ({ type: 'text', text })),
})
const locationHeader = (location: object) => ({
  type: 'header',
  parameters: [{ type: 'location', location }],
})
let customers = 1000
/** Returns four digits that no other run has used in a phone number. */
const newDigits = () => String(customers++)
const received = (id: string) => sandbox.endpoint.updates().find(update => update.id === id)

describe('sending', () => {
  it('200 with contact and id; signed statuses follow with the opaque data', async () => {
    const digits = newDigits()
    const [to, phone] = [`+1 (415) 555-${digits}`, `1415555${digits}`]
    const { status, json } = await send({
      to,
      type: 'text',
      text: { body: 'Olá' },
      biz_opaque_callback_data: 'msg_1',
    })
    expect(status).toBe(200)
    expect(json.contacts[0]).toMatchObject({ input: to, wa_id: phone })
    const id = json.messages[0].id
    await waitUntil(() => sandbox.endpoint.statuses(id).length === 2)
    expect(sandbox.endpoint.statuses(id)).toEqual(['sent', 'delivered'])
    expect(received(id)).toMatchObject({
      recipient_id: phone,
      recipient_user_id: json.contacts[0].user_id,
      biz_opaque_callback_data: 'msg_1',
      timestamp: expect.stringMatching(/^\d{10}$/),
      pricing: { billable: false, category: 'service' },
    })
    expect(sandbox.endpoint.calls.every(call => isSigned(call))).toBe(true)
    const [item] = await sandbox.control.sent(chatRef(number), `+${phone}`)
    expect(item).toMatchObject({
      providerMessageId: id,
      to: `+${phone}`,
      payload: { text: { body: 'Olá' }, to },
    })
  })

  it('normalizes numbers of Brazil, Mexico and Argentina to one customer', async () => {
    const digits = newDigits()
    const { json } = await send({ to: `+52551234${digits}`, type: 'text', text: { body: 'hola' } })
    expect(json.contacts[0].wa_id).toBe(`521551234${digits}`)
    const other = await send({ to: '+5531987654321', type: 'text', text: { body: 'oi' } })
    expect(other.json.contacts[0].wa_id).toBe('553187654321')
    expect(await sandbox.control.sent(chatRef(number), `+521551234${digits}`)).toHaveLength(1)
  })

  it('records concurrent messages completely and in order', async () => {
    const to = `+1415555${newDigits()}`
    await Promise.all(Array.from({ length: 300 }, (_, i) => sandbox.text(number, to, `${i}`)))
    const items = await sandbox.control.sent(chatRef(number), to)
    expect(items).toHaveLength(300)
    expect(new Set(items.map(item => item.providerMessageId)).size).toBe(300)
    await sandbox.text(number, to, 'last')
    const [last] = (await sandbox.control.sent(chatRef(number), to)).slice(-1)
    expect(last!.payload.text).toEqual({ body: 'last' })
  })

  it.each([
    [{ type: 'text', text: {} }, 131008],
    [{ type: 'text', text: { body: 'x'.repeat(4097) } }, 100],
    [{ type: 'poll', poll: {} }, 100],
    [{ to: 'nobody', type: 'text', text: { body: 'x' } }, 131009],
    [{ to: undefined, type: 'text', text: { body: 'x' } }, 100],
    [{ type: 'image', image: { id: '9000000000000000' } }, 100],
    [{ type: 'image', image: {} }, 131008],
    [{ type: 'reaction', reaction: { emoji: '👍' } }, 131008],
    [{ type: 'location', location: { latitude: 1 } }, 131008],
    [{ type: 'interactive', interactive: { type: 'constructor', body: { text: 'x' }, action: {} } }, 100],
    [
      {
        type: 'interactive',
        interactive: {
          type: 'button',
          body: { text: 'Choose' },
          action: {
            buttons: Array.from({ length: 4 }, (_, i) => ({
              type: 'reply',
              reply: { id: `${i}`, title: 'x' },
            })),
          },
        },
      },
      100,
    ],
    [{ messaging_product: undefined, type: 'text', text: { body: 'x' } }, 100],
  ])('400 for %j', async (message, code) => {
    const { status, json } = await send(message)
    expect([status, json.error.code]).toEqual([400, code])
  })

  it('accepts every type of interactive message', async () => {
    const rows = Array.from({ length: 10 }, (_, i) => ({ id: `${i}`, title: `Row ${i}` }))
    const kinds = [
      { type: 'button', action: { buttons: [{ type: 'reply', reply: { id: 'a', title: 'A' } }] } },
      { type: 'list', action: { button: 'Open', sections: [{ rows }] } },
      {
        type: 'cta_url',
        action: { name: 'cta_url', parameters: { display_text: 'Go', url: 'https://a.example' } },
      },
      {
        type: 'flow',
        action: { name: 'flow', parameters: { flow_message_version: '3', flow_id: '1', flow_cta: 'Open' } },
      },
      { type: 'location_request_message', action: { name: 'send_location' } },
      { type: 'request_contact_info', action: { name: 'request_contact_info' } },
    ]
    for (const kind of kinds) {
      const { status } = await send({
        type: 'interactive',
        interactive: { ...kind, body: { text: 'Choose' } },
      })
      expect([kind.type, status]).toEqual([kind.type, 200])
    }
  })

  it('400 for a message from a number to itself', async () => {
    const { json } = await sandbox.chat('GET', number)
    const own = json.display_phone_number.replace(/[^+\d]/g, '')
    expect((await sandbox.text(number, own)).json.error.code).toBe(131021)
  })
})

describe('templates', () => {
  it.each([
    ['hello_world', [], undefined, 200, undefined],
    ['greeting', [body('Ana')], undefined, 200, undefined],
    ['greeting', [body('Ana')], 'es', 200, undefined],
    ['greeting', [], undefined, 400, 132000],
    ['greeting', [body('Ana', 'Ben')], undefined, 400, 132000],
    ['greeting', [body('Ana')], 'fr', 404, 132001],
    ['no_such_template', [], undefined, 404, 132001],
    ['pending_notice', [], undefined, 404, 132001],
    ['rejected_offer', [body('Ana')], undefined, 404, 132001],
    ['paused_offer', [body('Ana')], undefined, 400, 132015],
    ['disabled_offer', [], undefined, 400, 132016],
    ['invoice_ready', [body('$1')], undefined, 400, 132012],
    ['payment_due', [body('Ana', '$1', 'May')], undefined, 400, 132012],
    ['login_code', [body('123456')], undefined, 400, 131008],
    [
      'invoice_ready',
      [
        { type: 'header', parameters: [{ type: 'document', document: { link: 'https://a.example/a.pdf' } }] },
        body('$1'),
      ],
      undefined,
      200,
      undefined,
    ],
    [
      'store_location',
      [locationHeader({ latitude: 1.5, longitude: 2 }), body('Ana')],
      undefined,
      400,
      131008,
    ],
    [
      'store_location',
      [locationHeader({ latitude: 1.5, longitude: 2, name: 'Shop', address: 'Main St 1' }), body('Ana')],
      undefined,
      200,
      undefined,
    ],
    [
      'order_update',
      [
        { type: 'header', parameters: [{ type: 'text', text: '7' }] },
        body('Ana', '7', 'packed'),
        { type: 'button', sub_type: 'url', index: '1', parameters: [{ type: 'text', text: '7' }] },
      ],
      undefined,
      200,
      undefined,
    ],
    [
      'payment_due',
      [
        {
          type: 'body',
          parameters: ['first_name', 'amount', 'due_date'].map(name => ({
            type: 'text',
            text: 'x',
            parameter_name: name,
          })),
        },
      ],
      undefined,
      200,
      undefined,
    ],
  ])('%s %j %s → %s %s', async (name, components, language, status, code) => {
    const response = await template(name, components, language)
    expect([response.status, response.json.error?.code]).toEqual([status, code])
  })

  it('are listed in pages with cursors and an absolute next URL', async () => {
    const names: string[] = []
    let { json } = await sandbox.chat('GET', 'waba-1/message_templates?limit=5&fields=name,language,status')
    expect(json.data[0]).toEqual({
      id: expect.any(String),
      name: 'hello_world',
      language: 'en_US',
      status: 'APPROVED',
    })
    for (;;) {
      names.push(
        ...json.data.map((item: { name: string; language: string }) => `${item.name}/${item.language}`),
      )
      if (!json.paging.next) break
      expect(json.paging.next).toMatch(
        /^http:\/\/127\.0\.0\.1:\d+\/chatapp\/v23\.0\/waba-1\/message_templates\?/,
      )
      expect(new URL(json.paging.next).searchParams.get('access_token')).toBe('a-token')
      json = await (await fetch(json.paging.next)).json()
    }
    expect(new Set(names).size).toBe(names.length)
    expect(names).toContain('greeting/pt_BR')
    expect(names.length).toBeGreaterThan(15)
  })

  it('are created as PENDING; approval sends a callback and allows sending', async () => {
    const made = await sandbox.chat('POST', 'waba-1/message_templates', {
      name: 'fresh_one',
      language: 'en_US',
      category: 'MARKETING',
      components: [{ type: 'BODY', text: 'News for {{1}}' }],
    })
    expect(made.json).toMatchObject({ status: 'PENDING', category: 'MARKETING' })
    expect((await template('fresh_one', [body('Ana')])).json.error.code).toBe(132001)
    await sandbox.control.decideTemplate({
      account: number,
      name: 'fresh_one',
      language: 'en_US',
      status: 'APPROVED',
    })
    expect((await template('fresh_one', [body('Ana')])).status).toBe(200)
    await waitUntil(() =>
      sandbox.endpoint.updates().some(update => update.field === 'message_template_status_update'),
    )
    expect((await sandbox.chat('DELETE', 'waba-1/message_templates?name=fresh_one')).json).toEqual({
      success: true,
    })
    expect((await template('fresh_one', [body('Ana')])).json.error.code).toBe(132001)
  })

  it('are priced by category', async () => {
    const { json } = await template('product_tour', [
      { type: 'header', parameters: [{ type: 'video', video: { link: 'https://a.example/v.mp4' } }] },
      body('Ana'),
    ])
    await waitUntil(() => received(json.messages[0].id))
    expect(received(json.messages[0].id)).toMatchObject({
      pricing: { billable: true, category: 'marketing' },
    })
  })
})

describe('numbers', () => {
  it('answers for any id, also one that every object has as a member', async () => {
    for (const id of ['__proto__', 'constructor', 'toString'])
      expect((await sandbox.chat('GET', `${id}/phone_numbers`)).status, id).toBe(200)
  })

  it('are the same for the same account, at least two', async () => {
    const first = await sandbox.chat('GET', 'waba-7/phone_numbers?fields=id,display_phone_number')
    const other = await testSandbox()
    const again = await other.chat('GET', 'waba-7/phone_numbers?fields=id,display_phone_number')
    await other.stop()
    expect(first.json.data.length).toBeGreaterThanOrEqual(2)
    expect(again.json.data).toEqual(first.json.data)
  })

  it('an unknown id is assigned to the first account that requests it', async () => {
    const request = (waba: string, id: string) =>
      sandbox.chat(
        'GET',
        `${waba}/phone_numbers?filtering=${encodeURIComponent(JSON.stringify([{ field: 'id', operator: 'IN', value: [id] }]))}`,
      )
    expect((await request('waba-8', 'my-number')).json.data).toMatchObject([
      { id: 'my-number', whatsapp_business_account: { id: 'waba-8' } },
    ])
    expect((await request('waba-9', 'my-number')).json.data).toEqual([])
    expect((await sandbox.chat('GET', 'waba-8/phone_numbers')).json.data).toHaveLength(3)
    expect((await request('waba-8', 'missing-number')).json.data).toEqual([])
  })

  it('have low quality or are unregistered by prefix', async () => {
    expect((await sandbox.chat('GET', 'lowquality-1')).json.quality_rating).toBe('RED')
    expect((await sandbox.text('unregistered-1', '+14155550100')).json.error.code).toBe(133010)
    const register = { messaging_product: 'whatsapp', pin: '123456' }
    expect((await sandbox.chat('POST', 'unregistered-1/register', register)).status).toBe(200)
    expect((await sandbox.text('unregistered-1', '+14155550100')).status).toBe(200)
    await sandbox.chat('POST', 'unregistered-1/deregister')
    expect((await sandbox.text('unregistered-1', '+14155550100')).json.error.code).toBe(133010)
  })

  it.each(['missing-waba/phone_numbers', 'missing-number', 'missing-waba/message_templates'])(
    '400 for %s',
    async path => {
      const { status, json } = await sandbox.chat('GET', path)
      expect([status, json.error.code, json.error.error_subcode]).toEqual([400, 100, 33])
    },
  )
})

it.each([
  ['', 190],
  ['expired-token', 190],
  ['invalid-token', 190],
])('401 for the token "%s"', async (token, code) => {
  const { status, json } = await sandbox.chat('GET', 'waba-1/phone_numbers', undefined, token)
  expect([status, json.error.code]).toEqual([401, code])
})

it('accepts the token in the query', async () => {
  const response = await fetch(`${sandbox.urls.chatapp}/v23.0/waba-1/flows?access_token=t`)
  const { data } = (await response.json()) as { data: { status: string }[] }
  expect(data.filter(flow => flow.status === 'PUBLISHED').length).toBeGreaterThanOrEqual(2)
})

describe('media', () => {
  const upload = (file: Blob, product = 'whatsapp') => {
    const form = new FormData()
    form.set('messaging_product', product)
    form.set('type', file.type)
    form.set('file', file, 'picture.png')
    return fetch(`${sandbox.urls.chatapp}/v23.0/${number}/media`, {
      method: 'POST',
      headers: { authorization: 'Bearer t' },
      body: form,
    })
  }
  const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, i) => (i % 13 === 0 ? 13 : i % 251)))

  it('can be uploaded, described and downloaded with the token for five minutes', async () => {
    const { id } = (await (await upload(new Blob([bytes], { type: 'image/png' }))).json()) as { id: string }
    const { json } = await sandbox.chat('GET', id)
    expect(json).toMatchObject({ id, mime_type: 'image/png', file_size: bytes.length })
    const fetched = await fetch(json.url, { headers: { authorization: 'Bearer t' } })
    expect(Buffer.from(await fetched.arrayBuffer()).equals(bytes)).toBe(true)
    expect((await fetch(json.url)).status).toBe(401)
    expect((await fetch(`${json.url}x`, { headers: { authorization: 'Bearer t' } })).status).toBe(404)
    await sandbox.control.advanceClock(301, [chatRef(number)])
    expect((await fetch(json.url, { headers: { authorization: 'Bearer t' } })).status).toBe(404)
    const again = (await sandbox.chat('GET', id)).json
    expect((await fetch(again.url, { headers: { authorization: 'Bearer t' } })).status).toBe(200)
    expect((await send({ type: 'image', image: { id } })).status).toBe(200)
    expect((await sandbox.chat('DELETE', id)).json).toEqual({ success: true })
    expect((await sandbox.chat('GET', id)).json.error.code).toBe(100)
  })

  it('400 for an unsupported type, a large file, a missing messaging_product, or no form', async () => {
    expect((await upload(new Blob(['<svg/>'], { type: 'image/svg+xml' }))).status).toBe(400)
    expect((await upload(new Blob([bytes], { type: 'image/webp' }), 'other')).status).toBe(400)
    const large = new Blob([Buffer.alloc(6_000_000)], { type: 'image/png' })
    const response = (await (await upload(large)).json()) as { error: { code: number } }
    expect(response.error.code).toBe(131053)
    const { status, json } = await sandbox.chat('POST', `${number}/media`, { messaging_product: 'whatsapp' })
    expect([status, json.error.code]).toEqual([400, 100])
  })
})

describe('a customer', () => {
  const from = '+14155550150'
  const act = async (content: object, more: object = {}) => {
    const { providerMessageId: id } = await sandbox.control.inbound(chatRef(number), {
      from,
      content: content as never,
      ...more,
    })
    await waitUntil(() => received(id))
    return received(id)!
  }

  it('sends a text', async () => {
    const message = await act({ type: 'text', text: { body: 'Grüße 👋' } }, { profileName: 'Zoë' })
    expect(message).toMatchObject({ from: '14155550150', type: 'text', text: { body: 'Grüße 👋' } })
    const call = sandbox.endpoint.calls.find(item => item.body.includes(String(message.id)))!
    expect(call.body).not.toMatch(/[^\x20-\x7e]/)
    const { value } = JSON.parse(call.body).entry[0].changes[0]
    expect(value.contacts[0]).toMatchObject({ profile: { name: 'Zoë' }, wa_id: '14155550150' })
    expect(value.metadata.phone_number_id).toBe(number)
  })

  it('can hide the phone number and be reached by user id', async () => {
    const message = await act({ type: 'text', text: { body: 'who am I' } }, { hidePhone: true })
    expect(message).not.toHaveProperty('from')
    const userId = String(message.from_user_id)
    expect(userId).toMatch(/^US\.\d+$/)
    const { json } = await send({ to: undefined, recipient: userId, type: 'text', text: { body: 'you' } })
    const [item] = (await sandbox.control.sent(chatRef(number), from)).slice(-1)
    expect(item).toMatchObject({ providerMessageId: json.messages[0].id, to: from })
    const made = await send({ to: undefined, recipient: 'US.madeUp1', type: 'text', text: { body: 'you' } })
    await waitUntil(() => received(made.json.messages[0].id))
    expect(received(made.json.messages[0].id)).not.toHaveProperty('recipient_id')
  })

  it('replies with buttons, lists, forms, reactions, locations and unsupported content', async () => {
    expect(await act({ type: 'reply', reply: { id: 'a', title: 'A' } })).toMatchObject({
      interactive: { type: 'button_reply', button_reply: { id: 'a', title: 'A' } },
    })
    expect(await act({ type: 'reply', reply: { id: 'a', title: 'A', description: 'B' } })).toMatchObject({
      interactive: { type: 'list_reply', list_reply: { description: 'B' } },
    })
    const form = await act({
      type: 'formResponse',
      formResponse: { flowToken: 'tok', values: { rating: 5 } },
    })
    const reply = (form.interactive as { nfm_reply: { response_json: string } }).nfm_reply
    expect(JSON.parse(reply.response_json)).toEqual({ rating: 5, flow_token: 'tok' })
    expect(await act({ type: 'button', button: { payload: 'p', text: 'Yes' } })).toMatchObject({
      type: 'button',
    })
    expect(
      await act({ type: 'reaction', reaction: { providerMessageId: 'wamid.x', emoji: null } }),
    ).toMatchObject({
      reaction: { message_id: 'wamid.x' },
    })
    expect(await act({ type: 'location', location: { latitude: 1, longitude: 2 } })).toMatchObject({
      location: { latitude: 1 },
    })
    expect(await act({ type: 'unsupported' })).toMatchObject({ errors: [{ code: 131051 }] })
    expect(await act({ type: 'text', text: { body: 'ok' } }, { replyTo: 'wamid.x' })).toMatchObject({
      context: { id: 'wamid.x' },
    })
  })

  it('sends media that can be downloaded', async () => {
    const message = await act({ type: 'media', media: { kind: 'image', caption: 'look' } })
    const image = message.image as { id: string; caption: string; mime_type: string }
    expect(image).toMatchObject({ caption: 'look', mime_type: 'image/png' })
    const { json } = await sandbox.chat('GET', image.id)
    const fetched = await fetch(json.url, { headers: { authorization: 'Bearer t' } })
    expect(
      Buffer.from(await fetched.arrayBuffer())
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG')
    await sandbox.control.advanceClock(8 * 86_400, [chatRef(number)])
    expect((await sandbox.chat('GET', image.id)).status).toBe(400)
  })

  it('reads messages and gets read receipts', async () => {
    const { json } = await send({ type: 'text', text: { body: 'read me' } })
    const id = json.messages[0].id
    await sandbox.control.inbound(chatRef(number), {
      from,
      content: { type: 'read', read: { providerMessageId: id } },
    })
    await waitUntil(() => sandbox.endpoint.statuses(id).includes('read'))
    const inbound = await act({ type: 'text', text: { body: 'hi' } })
    const read = (message: unknown) =>
      sandbox.chat('POST', `${number}/messages`, {
        messaging_product: 'whatsapp',
        status: 'read',
        message_id: message,
      })
    expect((await read(inbound.id)).json).toEqual({ success: true })
    expect((await read('wamid.unknown')).status).toBe(400)
  })
})

describe('webhook registration', () => {
  it('400 without a handshake response, or before subscribing', async () => {
    const endpoint = { override_callback_uri: `${sandbox.endpoint.url}/x`, verify_token: 'v' }
    expect((await sandbox.chat('POST', 'waba-20/subscribed_apps', endpoint)).json.error.code).toBe(100)
    await sandbox.chat('POST', 'waba-20/subscribed_apps')
    const wrong = await sandbox.chat('POST', 'waba-20/subscribed_apps', {
      ...endpoint,
      verify_token: 'wrong',
    })
    expect([wrong.status, wrong.json.error.code]).toEqual([400, 2200])
    const dead = await sandbox.chat('POST', 'waba-20/subscribed_apps', {
      ...endpoint,
      override_callback_uri: 'http://127.0.0.1:9/x',
    })
    expect(dead.json.error.code).toBe(2200)
    expect((await sandbox.chat('POST', 'waba-20/subscribed_apps', endpoint)).json).toEqual({ success: true })
    expect((await sandbox.chat('GET', 'waba-20/subscribed_apps')).json.data[0].override_callback_uri).toBe(
      endpoint.override_callback_uri,
    )
    await sandbox.chat('DELETE', 'waba-20/subscribed_apps')
    expect((await sandbox.chat('GET', 'waba-20/subscribed_apps')).json.data).toEqual([])
  })

  it('prefers the number, then the account, then the app', async () => {
    const own = await sandbox.chatNumber('waba-21')
    const configure = (uri: string) =>
      sandbox.chat('POST', own, { webhook_configuration: { override_callback_uri: uri, verify_token: 'v' } })
    await configure(`${sandbox.endpoint.url}/own`)
    const pathOf = async () => {
      const { json } = await sandbox.text(own, '+14155550160')
      const id = json.messages[0].id
      await waitUntil(() => sandbox.endpoint.statuses(id).length === 2)
      return sandbox.endpoint.calls.find(call => call.body.includes(id))!.path
    }
    expect(await pathOf()).toBe('/own')
    await configure('')
    expect(await pathOf()).toBe('/chat')
    await sandbox.chat('DELETE', 'waba-21/subscribed_apps')
    const app = {
      object: 'whatsapp_business_account',
      callback_url: `${sandbox.endpoint.url}/app`,
      verify_token: 'v',
    }
    expect((await sandbox.chat('POST', 'an-app/subscriptions', app)).json).toEqual({ success: true })
    expect(await pathOf()).toBe('/app')
  })
})
