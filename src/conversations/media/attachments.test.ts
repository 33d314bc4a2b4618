/** Tests outbound and inbound files on every channel. */
import { PNG } from 'pngjs'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Client, Workspace } from '../../../test/harness/api.ts'
import { testService, until } from '../../../test/harness/service.ts'
import { providers } from '../../inboxes/accounts/accounts.ts'
import { BlobStoreFull } from '../../platform/blobs/blobs.ts'
import { sql } from '../../platform/db/sql.ts'
import { fetchInboundMedia } from './fetch-inbound.ts'
import { describeQuota } from './quota.ts'
import { createThumbnail } from './thumbnails.ts'

const lines: string[] = []
const logTo = { write: (line: string) => void lines.push(line) }
const service = await testService({ LOG_LEVEL: 'warn' }, { logTo })
let workspace: Workspace
let owner: Client
const inboxes = {} as Record<'chatapp' | 'socialapp' | 'sms', string>

/** Jobs of normal priority that a process runs at a time. */
const workers = 64

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
const newPhone = () => `+1415556${String(1000 + count++)}`
const getStatus = async (id: string) => (await owner.get(`/messages/${id}`)).body.message.deliveryStatus
const isSent = (status: string) => status !== 'pending'

/** Connects the inboxes of a new workspace, which the following requests are for. */
async function startWorkspace(): Promise<void> {
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
}
beforeEach(startWorkspace)

async function send(channel: keyof typeof inboxes, to: string, content: unknown, by = owner) {
  const recipient =
    channel === 'socialapp'
      ? { type: 'channel', channel, externalId: to }
      : { type: 'phone', phoneNumber: to }
  return by.post('/messages', { recipient, inboxId: inboxes[channel], content })
}

async function getSentPayload(channel: keyof typeof inboxes, to: string) {
  const items = await until(
    async () =>
      (await owner.get(`/sandbox/sent?inboxId=${inboxes[channel]}&to=${encodeURIComponent(to)}`)).body.items,
    list => list.length > 0,
  )
  return items[0].payload
}

describe('outbound', () => {
  test('chatapp receives the upload first, then the message with its media id', async () => {
    const mediaId = await upload(owner, image, 'a.png', 'image/png')
    const to = newPhone()
    const sent = await send('chatapp', to, { type: 'media', media: { mediaId, caption: 'Look' } })
    expect(sent.status, JSON.stringify(sent.body)).toBe(202)
    expect(await getSentPayload('chatapp', to)).toMatchObject({
      type: 'image',
      image: { id: expect.stringMatching(/^\d+$/), caption: 'Look' },
    })
    expect(await until(() => getStatus(sent.body.message.id), isSent)).not.toBe('failed')
  })

  test('a template header contains a file', async () => {
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
    const to = newPhone()
    const sent = await send('chatapp', to, template(mediaId))
    expect(sent.status, JSON.stringify(sent.body)).toBe(202)
    const payload = await getSentPayload('chatapp', to)
    expect(payload.template.components[0].parameters[0]).toMatchObject({
      type: 'document',
      document: { id: expect.any(String), filename: 'invoice.pdf' },
    })
    const picture = await upload(owner, image, 'a.png', 'image/png')
    expect((await send('chatapp', to, template(picture))).body.violations).toMatchObject([
      { field: 'content.template.components[0].parameters[0].media.mediaId', code: 'invalid_value' },
    ])
  })

  test('sms receives a URL that it can fetch', async () => {
    const mediaId = await upload(owner, image, 'a.png', 'image/png')
    const to = newPhone()
    expect((await send('sms', to, { type: 'media', media: { mediaId, caption: 'Look' } })).status).toBe(202)
    const payload = await getSentPayload('sms', to)
    expect(payload).toMatchObject({ Body: 'Look', MediaUrl: expect.stringMatching(/^http/) })
    const fetched = await fetch(payload.MediaUrl)
    expect([fetched.status, fetched.headers.get('content-type')]).toEqual([200, 'image/png'])
    expect(Buffer.from(await fetched.arrayBuffer())).toEqual(image)
  })

  test('socialapp receives an attachment with a URL that it can fetch', async () => {
    const mediaId = await upload(owner, image, 'a.png', 'image/png')
    const to = '77001'
    expect((await send('socialapp', to, { type: 'media', media: { mediaId } })).status).toBe(202)
    const { message } = await getSentPayload('socialapp', to)
    expect(message.attachment).toMatchObject({ type: 'image', payload: { url: expect.any(String) } })
    expect((await fetch(message.attachment.payload.url)).status).toBe(200)
  })

  test('400 for agents with a file of another user, and for files of other workspaces, unknown files and types the channel does not support', async () => {
    const other = await service.workspace()
    const foreign = await upload(other.owner, image, 'a.png', 'image/png')
    const agent = await workspace.user('agent')
    const ofOwner = await upload(owner, image, 'a.png', 'image/png')
    for (const mediaId of [foreign, ofOwner, 'mda_none'])
      expect(await send('chatapp', newPhone(), { type: 'media', media: { mediaId } }, agent)).toMatchObject({
        status: 400,
        body: { violations: [{ field: 'content.media.mediaId', code: 'unknown_media' }] },
      })
    const archive = await upload(owner, 'PK\x03\x04zeros', 'a.zip', 'application/zip')
    expect(
      (await send('chatapp', newPhone(), { type: 'media', media: { mediaId: archive } })).body.violations,
    ).toMatchObject([{ code: 'content_unsupported' }])
  })

  test('users who may see the conversation may see the files of its messages', async () => {
    const agent = await workspace.user('agent')
    const mediaId = await upload(owner, image, 'a.png', 'image/png')
    expect((await agent.get(`/media/${mediaId}`)).status).toBe(404)
    const sent = await send('chatapp', newPhone(), { type: 'media', media: { mediaId } })
    expect(sent.status).toBe(202)
    expect((await agent.get(`/media/${mediaId}`)).status).toBe(200)
    const team = (await owner.post('/teams', { name: 'Others' })).body.id
    await owner.put(`/inboxes/${inboxes.chatapp}/team`, { teamId: team })
    const second = await upload(owner, image, 'b.png', 'image/png')
    const hidden = await send('chatapp', newPhone(), { type: 'media', media: { mediaId: second } })
    expect(hidden.status).toBe(202)
    expect((await agent.get(`/media/${second}`)).status).toBe(404)
    await owner.put(`/inboxes/${inboxes.chatapp}/team`, { teamId: workspace.teamId })
  })
})

describe('inbound', () => {
  const receiveMedia = async (
    channel: keyof typeof inboxes,
    from: string,
    media: Record<string, unknown>,
  ) => {
    const { status, body } = await owner.post('/sandbox/inbound', {
      inboxId: inboxes[channel],
      from,
      content: { type: 'media', media },
    })
    expect(status, JSON.stringify(body)).toBe(202)
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
  const waitForMedia = (mediaId: string) =>
    until(
      async () => (await owner.get(`/media/${mediaId}`)).body,
      media => media.ready || media.error !== undefined,
    )

  test.each([
    ['chatapp', () => newPhone()],
    ['sms', () => newPhone()],
    ['socialapp', () => `7800${count++}`],
  ] as const)('%s: the stored file equals the file that was sent', async (channel, from) => {
    const { mediaId, caption } = await receiveMedia(channel, from(), {
      base64: image.toString('base64'),
      mimeType: 'image/png',
      caption: 'My cat',
    })
    expect([mediaId, caption]).toEqual([expect.stringMatching(/^mda_/), 'My cat'])
    const media = await waitForMedia(mediaId)
    expect(media).toMatchObject({ ready: true, mediaType: 'image', mimeType: 'image/png' })
    const file = await fetch(`${service.url}${media.url}`)
    expect(Buffer.from(await file.arrayBuffer())).toEqual(image)
  })

  test('an HTML page declared as an image is stored as application/octet-stream', async () => {
    const { mediaId } = await receiveMedia('chatapp', newPhone(), {
      base64: Buffer.from('<html><script>alert(1)</script>').toString('base64'),
      mimeType: 'image/png',
    })
    const media = await waitForMedia(mediaId)
    expect(media).toMatchObject({ ready: true, mediaType: 'document', mimeType: 'application/octet-stream' })
    const file = await fetch(`${service.url}${media.url}`)
    expect(Object.fromEntries(file.headers)).toMatchObject({
      'content-type': 'application/octet-stream',
      'x-content-type-options': 'nosniff',
      'content-disposition': expect.stringMatching(/^attachment/),
      'content-security-policy': expect.stringContaining('sandbox'),
    })
  })

  test('a file missing at the provider gets media_download_failed', async () => {
    const { mediaId } = await receiveMedia('chatapp', newPhone(), { mimeType: 'image/png' })
    await waitForMedia(mediaId)
    const from = newPhone()
    const message = { id: 'wamid.lost', type: 'image', image: { id: 'missing-file', mime_type: 'image/png' } }
    await owner.post('/sandbox/inbound', {
      inboxId: inboxes.chatapp,
      from,
      content: { type: 'raw', raw: message },
    })
    const [failed] = await until(
      async () => {
        const found = (await owner.get(`/conversations?search=${encodeURIComponent(from)}`)).body
        const id = found.conversations[0]?.id
        return id ? (await owner.get(`/conversations/${id}/messages`)).body.messages : []
      },
      found => found.length > 0,
    )
    expect(await waitForMedia(failed.content.media.mediaId)).toMatchObject({
      ready: false,
      error: { code: 'media_download_failed' },
    })
  })

  /** Waits until the fetch of the file is to be repeated. */
  async function expectToWait(mediaId: string, reason: string): Promise<void> {
    const waits = sql`
      select from job_lanes where tenant_id = ${workspace.tenantId} and name = ${fetchInboundMedia.name} and state = 'scheduled'`
    await until(
      () => service.deps.db.maybe(waits),
      found => found !== undefined,
    )
    expect((await owner.get(`/media/${mediaId}`)).body).toMatchObject({ ready: false })
    const { tenantId } = workspace
    const about = lines.map(line => JSON.parse(line)).filter(line => line.tenantId === tenantId)
    expect(about.length).toBeGreaterThan(0)
    for (const { pid: _pid, time: _time, attempt, ...line } of about)
      expect([attempt, line]).toEqual([
        expect.any(Number),
        { level: 'warn', msg: 'file refused', code: 'storage_full', tenantId, mediaId, reason },
      ])
    expect(new Set(about.map(({ attempt }) => attempt)).size).toBe(about.length)
  }
  const file = { base64: image.toString('base64'), mimeType: 'image/png' }

  test('a file waits while the files of the workspace exceed the quota, with one warning for each attempt', async () => {
    const { db } = service.deps
    const resize = (bytes: number) =>
      db.run(sql`
        insert into media_usage as u (tenant_id, bytes) values (${workspace.tenantId}, ${bytes})
        on conflict (tenant_id) do update set bytes = u.bytes + excluded.bytes`)
    const full = 10_240 * 1024 ** 2 + 1
    await resize(full)
    const { mediaId } = await receiveMedia('chatapp', newPhone(), file)
    await expectToWait(mediaId, describeQuota(service.deps.config))
    await resize(-full)
    expect(await waitForMedia(mediaId)).toMatchObject({ ready: true, mimeType: 'image/png' })
  })

  test('a file and its thumbnail wait while the blob store is full', async () => {
    const full = (part: string) => {
      const { put } = service.deps.blobs
      const spy = vi.spyOn(service.deps.blobs, 'put').mockImplementation((key, ...rest) => {
        if (key.includes(part)) return Promise.reject(new BlobStoreFull(new Error('5 bytes are free')))
        return put(key, ...rest)
      })
      onTestFinished(() => spy.mockRestore())
      return spy
    }
    const store = full(workspace.tenantId)
    const { mediaId } = await receiveMedia('chatapp', newPhone(), file)
    await expectToWait(mediaId, 'the blob store has no space left: 5 bytes are free')
    store.mockRestore()
    const thumbnails = full('thumb')
    expect(await waitForMedia(mediaId)).toMatchObject({ ready: true })
    await until(
      async () => thumbnails.mock.calls.filter(([key]) => key.includes('thumb')).length,
      n => n > 0,
    )
    const waiting = sql`
      select from job_lanes where tenant_id = ${workspace.tenantId} and name = ${createThumbnail.name}
        and at > now() + interval '5 minutes'`
    await until(
      () => service.deps.db.maybe(waiting),
      found => found !== undefined,
    )
  })

  test('a provider that is slow for one workspace leaves workers to others', async () => {
    const picture = { base64: image.toString('base64'), mimeType: 'image/png' }
    const { downloadMedia } = providers.chatapp
    let release = () => {}
    const released = new Promise<void>(resolve => {
      release = resolve
    })
    const slow = workspace.tenantId
    let held = 0
    const spy = vi
      .spyOn(providers.chatapp, 'downloadMedia')
      .mockImplementation(async (account, reference) => {
        if (account.tenantId === slow && held++ < workers) await released
        return downloadMedia(account, reference)
      })
    onTestFinished(() => {
      release()
      spy.mockRestore()
    })
    const inbound = (inboxId: string) =>
      owner.post('/sandbox/inbound', {
        inboxId,
        from: newPhone(),
        content: { type: 'media', media: picture },
      })
    for (let n = 0; n < workers; n++) expect((await inbound(inboxes.chatapp)).status).toBe(202)
    await until(
      async () => held,
      count => count >= 16,
    )
    await startWorkspace()
    const { mediaId } = await receiveMedia('chatapp', newPhone(), picture)
    expect(await waitForMedia(mediaId)).toMatchObject({ ready: true })
    expect(held).toBe(16)
  })

  test('an inbound file can be sent to another customer', async () => {
    const { mediaId } = await receiveMedia('chatapp', newPhone(), {
      base64: image.toString('base64'),
      mimeType: 'image/png',
    })
    const to = newPhone()
    expect((await send('sms', to, { type: 'media', media: { mediaId } })).status).toBe(202)
    expect((await getSentPayload('sms', to)).MediaUrl).toContain(mediaId)
  })
})
