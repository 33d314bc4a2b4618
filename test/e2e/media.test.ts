/** Files go out to the customer through each provider's own way, and come in from it. */
import { PNG } from 'pngjs'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Client, Workspace } from '../harness/api.ts'
import { testService, until } from '../harness/service.ts'

const service = await testService()
let workspace: Workspace
let owner: Client
const inboxes = {} as Record<'chatapp' | 'socialapp' | 'sms', string>

const image = (() => {
  const png = new PNG({ width: 4, height: 4 })
  png.data.fill(200)
  return PNG.sync.write(png)
})()

async function upload(by: Client, bytes: Uint8Array | string, name: string, type: string): Promise<string> {
  const form = new FormData()
  form.append('file', new Blob([bytes as never], { type }), name)
  const response = await fetch(`${service.url}/v1/media/uploads`, {
    method: 'POST',
    headers: { authorization: `Bearer ${by.token}` },
    body: form,
  })
  expect(response.status).toBe(201)
  return ((await response.json()) as { mediaId: string }).mediaId
}

let count = 0
let connected = 0
const somebody = () => `+1415556${String(1000 + count++)}`
const statusOf = async (id: string) => (await owner.get(`/messages/${id}`)).body.message.deliveryStatus
const isSent = (status: string) => status !== 'pending'

beforeEach(async () => {
  workspace = await service.workspace()
  owner = workspace.owner
  const chat = await owner.post('/inboxes', {
    chatapp: { resourceIds: ['6661'], phoneNumberIds: [`6661${++connected}`] },
  })
  inboxes.chatapp = chat.body.inboxes[0].id
  const social = await owner.post('/inboxes', { socialapp: { resourceIds: [`6662${connected}`] } })
  inboxes.socialapp = social.body.inboxes[0].id
  const account = `AC${String(connected).padStart(32, '6')}`
  const numbers = await owner.post(`/smsprovider/${account}/phone-numbers`, { authToken: 'token' })
  const { pendingCredentialId, phoneNumbers } = numbers.body
  const text = await owner.post('/inboxes', {
    sms: { pendingCredentialId, phoneNumberSids: [phoneNumbers[0].phoneNumberSid] },
  })
  inboxes.sms = text.body.inboxes[0].id
})

async function send(channel: keyof typeof inboxes, to: string, content: unknown, by = owner) {
  const recipient =
    channel === 'socialapp'
      ? { type: 'channel', channel, externalId: to }
      : { type: 'phone', phoneNumber: to }
  return by.post('/messages', { recipient, inboxId: inboxes[channel], content })
}

async function arrivedAt(channel: keyof typeof inboxes, to: string) {
  const items = await until(
    async () =>
      (await owner.get(`/sandbox/sent?inboxId=${inboxes[channel]}&to=${encodeURIComponent(to)}`)).body.items,
    found => found.length > 0,
  )
  return items[0].payload
}

describe('out', () => {
  test('chatapp gets the bytes first, then the message with their id', async () => {
    const mediaId = await upload(owner, image, 'a.png', 'image/png')
    const to = somebody()
    const sent = await send('chatapp', to, { type: 'media', media: { mediaId, caption: 'Look' } })
    expect(sent.status, JSON.stringify(sent.body)).toBe(202)
    expect(await arrivedAt('chatapp', to)).toMatchObject({
      type: 'image',
      image: { id: expect.stringMatching(/^\d+$/), caption: 'Look' },
    })
    expect(await until(() => statusOf(sent.body.message.id), isSent)).not.toBe('failed')
  })

  test('a template with a file in its header', async () => {
    const mediaId = await upload(owner, '%PDF-1.7 invoice', 'invoice.pdf', 'application/pdf')
    const template = (id: string) => ({
      type: 'template',
      template: {
        name: 'invoice_ready',
        language: 'en_US',
        components: [
          { type: 'header', parameters: [{ type: 'media', media: { mediaId: id } }] },
          { type: 'body', parameters: [{ type: 'text', text: 'May' }] },
        ],
      },
    })
    const to = somebody()
    const sent = await send('chatapp', to, template(mediaId))
    expect(sent.status, JSON.stringify(sent.body)).toBe(202)
    const payload = await arrivedAt('chatapp', to)
    expect(payload.template.components[0].parameters[0]).toMatchObject({
      type: 'document',
      document: { id: expect.any(String), filename: 'invoice.pdf' },
    })
    const picture = await upload(owner, image, 'a.png', 'image/png')
    expect((await send('chatapp', to, template(picture))).body.violations).toMatchObject([
      { field: 'content.template.components[0].parameters[0].media.mediaId', code: 'invalid_value' },
    ])
  })

  test('sms gets an address it can fetch from', async () => {
    const mediaId = await upload(owner, image, 'a.png', 'image/png')
    const to = somebody()
    expect((await send('sms', to, { type: 'media', media: { mediaId, caption: 'Look' } })).status).toBe(202)
    const payload = await arrivedAt('sms', to)
    expect(payload).toMatchObject({ Body: 'Look', MediaUrl: expect.stringMatching(/^http/) })
    const fetched = await fetch(payload.MediaUrl)
    expect([fetched.status, fetched.headers.get('content-type')]).toEqual([200, 'image/png'])
    expect(Buffer.from(await fetched.arrayBuffer())).toEqual(image)
  })

  test('socialapp gets an attachment with such an address', async () => {
    const mediaId = await upload(owner, image, 'a.png', 'image/png')
    const to = '77001'
    expect((await send('socialapp', to, { type: 'media', media: { mediaId } })).status).toBe(202)
    const { message } = await arrivedAt('socialapp', to)
    expect(message.attachment).toMatchObject({ type: 'image', payload: { url: expect.any(String) } })
    expect((await fetch(message.attachment.payload.url)).status).toBe(200)
  })

  test("400 for a file of another workspace, of nobody, or that one's channel does not carry", async () => {
    const other = await service.workspace()
    const theirs = await upload(other.owner, image, 'a.png', 'image/png')
    const colleagues = await upload(await workspace.user('agent'), image, 'a.png', 'image/png')
    for (const mediaId of [theirs, colleagues, 'mda_none'])
      expect(await send('chatapp', somebody(), { type: 'media', media: { mediaId } })).toMatchObject({
        status: 400,
        body: { violations: [{ field: 'content.media.mediaId', code: 'unknown_media' }] },
      })
    const archive = await upload(owner, 'PK\x03\x04zeros', 'a.zip', 'application/zip')
    expect(
      (await send('chatapp', somebody(), { type: 'media', media: { mediaId: archive } })).body.violations,
    ).toMatchObject([{ code: 'content_unsupported' }])
  })

  test('once a message carries it, whoever sees the conversation sees the file', async () => {
    const agent = await workspace.user('agent')
    const mediaId = await upload(owner, image, 'a.png', 'image/png')
    expect((await agent.get(`/media/${mediaId}`)).status).toBe(404)
    const sent = await send('chatapp', somebody(), { type: 'media', media: { mediaId } })
    expect(sent.status).toBe(202)
    expect((await agent.get(`/media/${mediaId}`)).status).toBe(200)
    const team = (await owner.post('/teams', { name: 'Others' })).body.id
    await owner.put(`/inboxes/${inboxes.chatapp}/team`, { teamId: team })
    const second = await upload(owner, image, 'b.png', 'image/png')
    const hidden = await send('chatapp', somebody(), { type: 'media', media: { mediaId: second } })
    expect(hidden.status).toBe(202)
    expect((await agent.get(`/media/${second}`)).status).toBe(404)
    await owner.put(`/inboxes/${inboxes.chatapp}/team`, { teamId: workspace.teamId })
  })
})

describe('in', () => {
  const mediaFrom = async (channel: keyof typeof inboxes, from: string, media: Record<string, unknown>) => {
    const told = await owner.post('/sandbox/inbound', {
      inboxId: inboxes[channel],
      from,
      content: { type: 'media', media },
    })
    expect(told.status, JSON.stringify(told.body)).toBe(202)
    const [message] = await until(
      async () => {
        const found = (await owner.get(`/conversations?search=${encodeURIComponent(from)}`)).body
        const id = found.conversations[0]?.id
        return id ? (await owner.get(`/conversations/${id}/messages`)).body.messages : []
      },
      found => found.length > 0,
    )
    return message.content.media
  }
  const settled = (mediaId: string) =>
    until(
      async () => (await owner.get(`/media/${mediaId}`)).body,
      media => media.ready || media.error !== undefined,
    )

  test.each([
    ['chatapp', () => somebody()],
    ['sms', () => somebody()],
    ['socialapp', () => `7800${count++}`],
  ] as const)('%s: the file is fetched, and is what was sent', async (channel, from) => {
    const { mediaId, caption } = await mediaFrom(channel, from(), {
      base64: image.toString('base64'),
      mimeType: 'image/png',
      caption: 'My cat',
    })
    expect([mediaId, caption]).toEqual([expect.stringMatching(/^mda_/), 'My cat'])
    const media = await settled(mediaId)
    expect(media).toMatchObject({ ready: true, mediaType: 'image', mimeType: 'image/png' })
    const file = await fetch(`${service.url}${media.url}`)
    expect(Buffer.from(await file.arrayBuffer())).toEqual(image)
  })

  test('what calls itself an image and is a page is kept as nothing in particular', async () => {
    const { mediaId } = await mediaFrom('chatapp', somebody(), {
      base64: Buffer.from('<html><script>alert(1)</script>').toString('base64'),
      mimeType: 'image/png',
    })
    const media = await settled(mediaId)
    expect(media).toMatchObject({ ready: true, mediaType: 'document', mimeType: 'application/octet-stream' })
    const file = await fetch(`${service.url}${media.url}`)
    expect(Object.fromEntries(file.headers)).toMatchObject({
      'content-type': 'application/octet-stream',
      'x-content-type-options': 'nosniff',
      'content-disposition': expect.stringMatching(/^attachment/),
      'content-security-policy': expect.stringContaining('sandbox'),
    })
  })

  test('a file that the provider does not have says so', async () => {
    const { mediaId } = await mediaFrom('chatapp', somebody(), { mimeType: 'image/png' })
    await settled(mediaId)
    const from = somebody()
    const message = { id: 'wamid.lost', type: 'image', image: { id: 'missing-file', mime_type: 'image/png' } }
    await owner.post('/sandbox/inbound', {
      inboxId: inboxes.chatapp,
      from,
      content: { type: 'raw', raw: message },
    })
    const [lost] = await until(
      async () => {
        const found = (await owner.get(`/conversations?search=${encodeURIComponent(from)}`)).body
        const id = found.conversations[0]?.id
        return id ? (await owner.get(`/conversations/${id}/messages`)).body.messages : []
      },
      found => found.length > 0,
    )
    expect(await settled(lost.content.media.mediaId)).toMatchObject({
      ready: false,
      error: { code: 'media_download_failed' },
    })
  })

  test('what a customer sent can be sent on', async () => {
    const { mediaId } = await mediaFrom('chatapp', somebody(), {
      base64: image.toString('base64'),
      mimeType: 'image/png',
    })
    const to = somebody()
    expect((await send('sms', to, { type: 'media', media: { mediaId } })).status).toBe(202)
    expect((await arrivedAt('sms', to)).MediaUrl).toContain(mediaId)
  })
})
