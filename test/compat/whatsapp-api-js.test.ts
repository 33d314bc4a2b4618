/** Tests the sandbox with whatsapp-api-js, a client and webhook server for the chat provider. */
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  appSecret,
  chatRef,
  type TestSandbox,
  testSandbox,
  waitUntil,
} from '../../src/sandbox/testing/sandbox.ts'
import { load } from './packages.ts'

interface Update {
  phoneID: string
  from?: string
  name?: string
  id?: string
  status?: string
  message?: { id: string; text?: { body: string } }
  reply?: (message: unknown) => Promise<{ messages: { id: string }[] }>
  biz_opaque_callback_data?: string
}

let sandbox: TestSandbox
// biome-ignore lint/suspicious/noExplicitAny: see load
let whatsapp: any
// biome-ignore lint/suspicious/noExplicitAny: see load
let messages: any
let number: string
let server: http.Server
const received: Update[] = []
const statuses: Update[] = []
const bodies: { body: string; signature: string }[] = []
const responses: number[] = []

/** Redirects calls to the sandbox: the library has the real host built in. */
const rewritten: typeof fetch = (input, init) =>
  fetch(String(input).replace('https://graph.facebook.com', sandbox.urls.chatapp), init)

/** The library throws the status code to respond with. */
function handshake(request: http.IncomingMessage, response: http.ServerResponse): void {
  try {
    response.end(whatsapp.handle_get(request))
  } catch (status) {
    response.writeHead(Number(status)).end()
  }
}

function serve(): Promise<string> {
  server = http.createServer(async (request, response) => {
    if (request.method === 'GET') {
      handshake(request, response)
      return
    }
    const chunks: Buffer[] = []
    request.on('data', chunk => chunks.push(chunk))
    request.on('end', () => {
      bodies.push({
        body: Buffer.concat(chunks).toString(),
        signature: String(request.headers['x-hub-signature-256']),
      })
    })
    const status = await whatsapp.handle_post(request)
    responses.push(status)
    response.writeHead(status).end()
  })
  return new Promise(resolve =>
    server.listen(0, '127.0.0.1', () =>
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`),
    ),
  )
}

beforeAll(async () => {
  const { WhatsAppAPI } = await load('whatsapp-api-js/middleware/node-http')
  messages = await load('whatsapp-api-js/messages')
  sandbox = await testSandbox()
  whatsapp = new WhatsAppAPI({
    token: 'a-token',
    appSecret,
    webhookVerifyToken: 'our-verify-token',
    v: 'v23.0',
    ponyfill: { fetch: rewritten },
  })
  whatsapp.on.message = (update: Update) => void received.push(update)
  whatsapp.on.status = (update: Update) => void statuses.push(update)
  const url = await serve()
  await sandbox.chat('POST', 'waba-1/subscribed_apps')
  const register = (token: string) =>
    sandbox.chat('POST', 'waba-1/subscribed_apps', { override_callback_uri: url, verify_token: token })
  expect((await register('another-token')).json.error.code).toBe(2200)
  expect((await register('our-verify-token')).json).toEqual({ success: true })
  number = (await sandbox.chat('GET', 'waba-1/phone_numbers')).json.data[0].id
  // The library reads only the first update of a call.
  await sandbox.control.setFaults({ callbacks: { batch: 1 } })
})
afterAll(async () => {
  server?.closeAllConnections()
  server?.close()
  await sandbox?.stop()
})

it('sends a message and receives its statuses', async () => {
  const sent = await whatsapp.sendMessage(
    number,
    '14155550100',
    new messages.Text('Olá 👋'),
    undefined,
    'our-id',
  )
  const { id } = sent.messages[0]
  const updates = () => statuses.filter(update => update.id === id)
  await waitUntil(() => updates().length === 2)
  expect(updates().map(({ status }) => status)).toEqual(['sent', 'delivered'])
  expect(updates()[0]).toMatchObject({ phoneID: number, biz_opaque_callback_data: 'our-id' })
  expect(responses.every(status => status === 200)).toBe(true)
})

let customers = 0

it('accepts the signature of non-ASCII text, and replies', async () => {
  const customer = `1415555${String(1_000 + customers++)}`
  await sandbox.control.inbound(chatRef(number), {
    from: `+${customer}`,
    profileName: 'Zoë Ångström',
    content: { type: 'text', text: { body: 'Grüße 😀 Καλημέρα' } },
  })
  const findUpdate = () => received.find(({ from }) => from === customer)
  await waitUntil(() => findUpdate() !== undefined)
  const update = findUpdate()!
  expect(update).toMatchObject({ name: 'Zoë Ångström', message: { text: { body: 'Grüße 😀 Καλημέρα' } } })
  const reply = await update.reply!(new messages.Text('danke'))
  const [item] = await sandbox.control.sent(chatRef(number), `+${customer}`)
  expect(item).toMatchObject({
    providerMessageId: reply.messages[0]!.id,
    payload: { text: { body: 'danke' } },
  })
  expect(await whatsapp.markAsRead(number, update.message!.id)).toEqual({ success: true })
})

it('rejects an altered body and an altered signature', async () => {
  await waitUntil(() => bodies.some(({ body }) => body.includes('Gr\\u00fc')))
  const { body, signature } = bodies.find(item => item.body.includes('Gr\\u00fc'))!
  const verify = (text: string, sign = signature) => whatsapp.post(JSON.parse(text), text, sign)
  await expect(verify(body)).resolves.toBeUndefined()
  await expect(verify(body.replace('Gr\\u00fc', 'Gr\\u00fd'))).rejects.toMatchObject({ httpStatus: 401 })
  await expect(
    verify(
      body,
      signature.replace(/.$/, last => (last === '0' ? '1' : '0')),
    ),
  ).rejects.toMatchObject({
    httpStatus: 401,
  })
})

it('sends templates, buttons and media', async () => {
  const {
    Template,
    Language,
    BodyComponent,
    BodyParameter,
    Interactive,
    ActionButtons,
    Button,
    Body,
    Image,
  } = messages
  const template = new Template(
    'greeting',
    new Language('en_US'),
    new BodyComponent(new BodyParameter('Ana')),
  )
  expect((await whatsapp.sendMessage(number, '14155550102', template)).messages[0].id).toMatch(/^wamid\./)
  const buttons = new Interactive(new ActionButtons(new Button('yes', 'Yes')), new Body('Sure?'))
  expect((await whatsapp.sendMessage(number, '14155550102', buttons)).messages[0].id).toMatch(/^wamid\./)
  const form = new FormData()
  form.set('file', new Blob([Buffer.from('89504e470d0a1a0a', 'hex')], { type: 'image/png' }))
  const { id } = await whatsapp.uploadMedia(number, form)
  expect((await whatsapp.sendMessage(number, '14155550102', new Image(id, true))).messages[0].id).toMatch(
    /^wamid\./,
  )
  const media = await whatsapp.retrieveMedia(id)
  const fetched = await whatsapp.fetchMedia(media.url)
  expect(Buffer.from(await fetched.arrayBuffer()).toString('hex')).toBe('89504e470d0a1a0a')
})

it("gets the provider's errors", async () => {
  const refused = await whatsapp.sendMessage(number, '15005550021', new messages.Text('x'))
  expect(refused.error).toMatchObject({ code: 130429, type: 'OAuthException' })
})
