/** Tests Web Push: encryption and signature as a push service and a browser read them, and pushes of the running service. */
import { createDecipheriv, createECDH, createPublicKey, hkdfSync, verify } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Client, Workspace } from '../../../test/harness/api.ts'
import { testService, until } from '../../../test/harness/service.ts'
import { eventually } from '../../../test/harness/wait.ts'
import { createAuthSession } from '../../identity/auth/sessions.ts'
import { transact } from '../../platform/db/transact.ts'
import { encryptPush } from './encrypt.ts'

const bytes = (text: string) => Buffer.from(text, 'base64url')

test('a message is encrypted as in the example of RFC 8291', () => {
  const pair = createECDH('prime256v1')
  pair.setPrivateKey(bytes('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw'))
  const keys = {
    p256dh: bytes('BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4'),
    auth: bytes('BTBZMqHH6r4Tts7J_aSIgg'),
  }
  const salt = bytes('DGv6ra1nlYgDCS1FRnbzlw')
  const sealed = encryptPush('When I grow up, I want to be a watermelon', keys, { salt, pair })
  expect(sealed.toString('base64url')).toBe(
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  )
})

const service = await testService()
let workspace: Workspace
let owner: Client
let inboxId: string
let phones = 0

interface ReceivedPush {
  path: string
  headers: IncomingHttpHeaders
  body: Buffer
}
const received: ReceivedPush[] = []
/** The status of the next responses, by path. */
const answers = new Map<string, number>()
const pushService = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', chunk => chunks.push(chunk))
  request.on('end', () => {
    const path = request.url!
    received.push({ path, headers: request.headers, body: Buffer.concat(chunks) })
    response.writeHead(answers.get(path) ?? 201).end()
  })
})
let origin: string

beforeAll(async () => {
  await new Promise<void>(resolve => pushService.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(pushService.address() as AddressInfo).port}`
  workspace = await service.workspace()
  owner = workspace.owner
  const chatapp = { resourceIds: ['5569'], phoneNumberIds: ['55690001'] }
  inboxId = (await owner.post('/inboxes', { chatapp })).body.inboxes[0].id
})
afterAll(() => pushService.close())
beforeEach(() => void received.splice(0))

function newBrowser(path: string) {
  const pair = createECDH('prime256v1')
  pair.generateKeys()
  const auth = Buffer.alloc(16, path)
  const keys = { p256dh: pair.getPublicKey('base64url'), auth: auth.toString('base64url') }
  const read = (sealed: Buffer) => {
    const [salt, own] = [sealed.subarray(0, 16), sealed.subarray(21, 86)]
    const info = Buffer.concat([Buffer.from('WebPush: info\0'), pair.getPublicKey(), own])
    const input = Buffer.from(hkdfSync('sha256', pair.computeSecret(own), auth, info, 32))
    const derive = (purpose: string, length: number) =>
      Buffer.from(hkdfSync('sha256', input, salt, `Content-Encoding: ${purpose}\0`, length))
    const decipher = createDecipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12))
    decipher.setAuthTag(sealed.subarray(-16))
    const plain = Buffer.concat([decipher.update(sealed.subarray(86, -16)), decipher.final()])
    expect(plain.at(-1)).toBe(2)
    return JSON.parse(plain.subarray(0, -1).toString())
  }
  return { subscription: { endpoint: `${origin}${path}`, keys }, read }
}

async function mention(userId: string): Promise<{ conversationId: string; noteId: string }> {
  const recipient = { type: 'phone', phoneNumber: `+1415558${7000 + phones++}` }
  const content = { type: 'text', text: { body: 'Hello' } }
  const sent = await owner.post('/messages', { recipient, inboxId, content })
  const conversationId = sent.body.conversation.id
  const note = await owner.post(`/conversations/${conversationId}/notes`, {
    text: 'look',
    mentions: [userId],
  })
  return { conversationId, noteId: note.body.id }
}

const path = '/users/me/push-subscriptions'
const pushesTo = (where: string) => received.filter(one => one.path === where)

test('a notification reaches the browser, encrypted for it and signed by the installation', async () => {
  const agent = await workspace.user('agent')
  const { publicKey } = (await agent.get(path)).body
  const browser = newBrowser('/one')
  expect((await agent.post(path, browser.subscription)).status).toBe(201)
  const { conversationId, noteId } = await mention(agent.id)
  await eventually(() => expect(received).toHaveLength(1))
  const { headers, body } = received[0]!
  expect(headers).toMatchObject({ 'content-encoding': 'aes128gcm', ttl: '86400', urgency: 'high' })
  expect(browser.read(body)).toEqual({
    id: expect.stringMatching(/^ntf_/),
    type: 'mention',
    conversationId,
    sourceId: noteId,
    count: 1,
  })
  const [, token, key] = /^vapid t=([^,]+), k=(.+)$/.exec(headers.authorization!)!
  expect(key).toBe(publicKey)
  const [head, claims, signature] = token!.split('.') as [string, string, string]
  expect(JSON.parse(bytes(claims).toString())).toMatchObject({ aud: origin, sub: expect.any(String) })
  const point = bytes(publicKey)
  const [x, y] = [point.subarray(1, 33).toString('base64url'), point.subarray(33).toString('base64url')]
  const jwk = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' })
  const signed = Buffer.from(`${head}.${claims}`)
  expect(verify('sha256', signed, { key: jwk, dsaEncoding: 'ieee-p1363' }, bytes(signature))).toBe(true)
  // Others do not receive it.
  expect((await owner.get(path)).body.subscriptions).toEqual([])
})

test('a browser that unsubscribed is removed; a push service that fails is asked again', async () => {
  const agent = await workspace.user('agent')
  for (const name of ['/gone', '/busy'])
    expect((await agent.post(path, newBrowser(name).subscription)).status).toBe(201)
  answers.set('/gone', 410)
  answers.set('/busy', 503)
  await mention(agent.id)
  await eventually(() => expect(pushesTo('/busy').length).toBeGreaterThan(0))
  answers.delete('/busy')
  await until(
    async () => (await agent.get(path)).body.subscriptions,
    list => list.length === 1,
  )
  const failed = pushesTo('/busy').length
  await eventually(() => expect(pushesTo('/busy').length).toBeGreaterThan(failed))
  expect(pushesTo('/gone')).toHaveLength(1)
})

test('pushes end with the session that subscribed, and with the subscription', async () => {
  const first = await workspace.user('agent')
  const me = first.id
  const { accessToken } = await transact(service.deps.db, tx =>
    createAuthSession(service.deps, tx, { tenantId: first.tenantId, userId: me }),
  )
  const second = service.as({ ...first, token: accessToken })
  expect((await first.post(path, newBrowser('/first').subscription)).status).toBe(201)
  const { id } = (await second.post(path, newBrowser('/second').subscription)).body
  // The same endpoint is one subscription.
  expect((await second.post(path, newBrowser('/second').subscription)).body.id).toBe(id)
  const listed = (await second.get(path)).body.subscriptions
  expect(listed.map((one: { isCurrentSession: boolean }) => one.isCurrentSession)).toEqual([true, false])

  await mention(me)
  await eventually(() => expect([pushesTo('/first').length, pushesTo('/second').length]).toEqual([1, 1]))
  expect((await first.post('/auth/logout')).status).toBe(204)
  expect((await second.get(path)).body.subscriptions).toHaveLength(1)
  await mention(me)
  await eventually(() => expect(pushesTo('/second')).toHaveLength(2))
  expect((await second.delete(`${path}/${id}`)).status).toBe(204)
  expect((await second.delete(`${path}/${id}`)).status).toBe(404)
  expect((await owner.delete(`${path}/${id}`)).status).toBe(404)
  expect(pushesTo('/first')).toHaveLength(1)
})

test('400 for an endpoint that cannot be called and for keys that are none', async () => {
  const { subscription } = newBrowser('/bad')
  const codes = async (change: object) => {
    const { status, body } = await owner.post(path, { ...subscription, ...change })
    return [status, ...(body.violations ?? []).map((one: { code: string }) => one.code)]
  }
  expect(await codes({ endpoint: 'ftp://push.example.com' })).toEqual([400, 'invalid_url'])
  expect(await codes({ endpoint: 'http://10.0.0.1/x' })).toEqual([400, 'forbidden_address'])
  expect(await codes({ keys: { ...subscription.keys, auth: 'short' } })).toEqual([400, 'invalid_key'])
  const wrong = Buffer.alloc(65, 4).toString('base64url')
  expect(await codes({ keys: { ...subscription.keys, p256dh: wrong } })).toEqual([400, 'invalid_key'])
})
