import { once } from 'node:events'
import { readdir, stat } from 'node:fs/promises'
import { connect } from 'node:net'
import path from 'node:path'
import jpeg from 'jpeg-js'
import { PNG } from 'pngjs'
import { beforeEach, describe, expect, test } from 'vitest'
import { type Client, testApi, type Workspace } from '../../../test/harness/api.ts'
import { testService, until } from '../../../test/harness/service.ts'
import { sql } from '../../platform/db/sql.ts'
import { purgeMedia } from '../retention/retention.ts'
import { mediaUrlForProvider } from './urls.ts'

const service = await testService()
let workspace: Workspace
let owner: Client
beforeEach(async () => {
  workspace = await service.workspace()
  owner = workspace.owner
})

type Bytes = string | Uint8Array

async function upload(
  by: Client,
  bytes: Bytes,
  about: { name?: string; type?: string; key?: string; fields?: Record<string, string> } = {},
) {
  const { name = 'note.txt', type = 'text/plain', key, fields = {} } = about
  const form = new FormData()
  for (const [field, value] of Object.entries(fields)) form.append(field, value)
  form.append('file', new Blob([bytes as never], { type }), name)
  const response = await fetch(`${service.url}/v1/media/uploads`, {
    method: 'POST',
    headers: { authorization: `Bearer ${by.token}`, ...(key ? { 'idempotency-key': key } : {}) },
    body: form,
  })
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
  return { status: response.status, headers: response.headers, body: (await response.json()) as any }
}

const fetchAt = (url: string, headers: Record<string, string> = {}) =>
  fetch(`${service.url}${url}`, { headers })

function picture(width: number, height: number): Buffer {
  const png = new PNG({ width, height })
  for (let i = 0; i < png.data.length; i += 4) png.data.set([200, 30, 30, 255], i)
  return PNG.sync.write(png)
}

describe('POST /media/uploads', () => {
  test('201 with what the bytes are; the address works without a token', async () => {
    const made = await upload(owner, 'hello', { name: 'C:\\folder\\grüße.txt' })
    expect(made).toMatchObject({
      status: 201,
      body: {
        mediaId: expect.stringMatching(/^mda_/),
        mediaType: 'document',
        mimeType: 'text/plain',
        filename: 'grüße.txt',
        fileSize: 5,
        url: expect.stringMatching(/^\//),
      },
    })
    const file = await fetchAt(made.body.url)
    expect(file.status).toBe(200)
    expect(await file.text()).toBe('hello')
    expect(Object.fromEntries(file.headers)).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'content-disposition': `attachment; filename="gr__e.txt"; filename*=UTF-8''gr%C3%BC%C3%9Fe.txt`,
      'content-security-policy': expect.stringContaining('sandbox'),
      'accept-ranges': 'bytes',
      'content-length': '5',
    })
  })

  test.each([
    ['a page', '<html><script>alert(1)</script>', 'page.html', 'text/html'],
    ['a drawing', '<svg onload="alert(1)">', 'a.svg', 'image/svg+xml'],
    ['words behind the name of an image', 'words', 'a.png', 'image/png'],
    ['text that is not UTF-8', Buffer.from([0x61, 0xff, 0xfe, 0x62]), 'a.txt', 'text/plain'],
    ['text with a NUL far inside', `${'a'.repeat(50_000)}\0`, 'a.txt', 'text/plain'],
    ['something unknown', Buffer.from([1, 2, 3, 4]), 'a.bin', 'application/octet-stream'],
  ])('415 for %s, and nothing stays', async (_, bytes, name, type) => {
    const before = await filesOf(workspace.tenantId)
    expect(await upload(owner, bytes, { name, type })).toMatchObject({
      status: 415,
      body: { code: 'unsupported_media_type', detail: expect.any(String) },
    })
    expect(await filesOf(workspace.tenantId)).toEqual(before)
    expect(await unfinished()).toBe(0)
  })

  test.each([
    ['image', picture(2, 2), 'a.png', 'image/png', 5],
    ['audio', Buffer.from('49443304000000000000fffb9064', 'hex'), 'a.mp3', 'audio/mpeg', 16],
    ['video', Buffer.from('\0\0\0\u0018ftypisom'), 'a.mp4', 'video/mp4', 16],
  ])('413 for an %s of too many bytes, by its own limit', async (_, head, name, type, mebibytes) => {
    const most = mebibytes * 1024 * 1024
    const fitting = Buffer.concat([head, Buffer.alloc(most - head.length)])
    expect((await upload(owner, fitting, { name, type })).status).toBe(201)
    const answer = await upload(owner, Buffer.concat([fitting, Buffer.alloc(1)]), { name, type })
    expect(answer).toMatchObject({ status: 413, body: { detail: expect.stringContaining(String(most)) } })
  })

  test('400 for an empty file, none at all, and fields it does not know', async () => {
    expect((await upload(owner, '')).body.violations).toMatchObject([{ field: 'file', code: 'empty' }])
    expect((await upload(owner, 'x', { fields: { a: 'b' } })).body.violations).toMatchObject([{ field: 'a' }])
  })

  test('the same upload with the same key is one file; another is refused', async () => {
    const first = await upload(owner, 'once', { key: 'k1' })
    const again = await upload(owner, 'once', { key: 'k1' })
    expect(again).toMatchObject({ status: 201, body: { mediaId: first.body.mediaId } })
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect((await upload(owner, 'twice', { key: 'k1' })).status).toBe(422)
    expect((await upload(owner, 'once', { key: 'k1', name: 'other.txt' })).status).toBe(422)
    expect(await unfinished()).toBe(0)
    expect((await owner.get(`/media/${first.body.mediaId}`)).body.ready).toBe(true)
    service.deps.clock.advance(5 * 60_000 + 1_000)
    expect((await fetchAt(first.body.url)).status).toBe(403)
    const late = await upload(owner, 'once', { key: 'k1' })
    expect(late.body).toEqual({ ...first.body, url: expect.any(String) })
    expect((await fetchAt(late.body.url)).status).toBe(200)
  })

  test('an upload that breaks off leaves nothing behind', async () => {
    const before = await filesOf(workspace.tenantId)
    const onDisk = await bytesOnDisk()
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
    const part =
      '--b\r\ncontent-disposition: form-data; name="file"; filename="a.pdf"\r\ncontent-type: application/pdf\r\n\r\n%PDF-1.7'
    socket.write(
      `POST /v1/media/uploads HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${owner.token}\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 5000000\r\n\r\n${part}`,
    )
    socket.write(Buffer.alloc(1_000_000))
    await until(unfinished, count => count === 1)
    await until(bytesOnDisk, bytes => bytes > onDisk)
    socket.destroy()
    await once(socket, 'close')
    await until(unfinished, count => count === 0)
    await until(bytesOnDisk, bytes => bytes === onDisk)
    expect(await filesOf(workspace.tenantId)).toEqual(before)
  })
})

/** Of finished and unfinished files alike. */
async function bytesOnDisk(): Promise<number> {
  const directory = path.join(service.deps.config.dataDir, 'blobs')
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  const sizes = entries
    .filter(entry => entry.isFile())
    .map(async entry => (await stat(path.join(entry.parentPath, entry.name)).catch(() => ({ size: 0 }))).size)
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}

async function unfinished(): Promise<number> {
  const row = await service.deps.db.one<{ count: number }>(
    sql`select count(*) as count from media where status = 'pending'`,
  )
  return row.count
}

async function filesOf(tenantId: string): Promise<string[]> {
  const rows = await service.deps.db.rows<{ id: string }>(
    sql`select id from media where tenant_id = ${tenantId} order by id`,
  )
  return rows.map(row => row.id)
}

describe('signed addresses', () => {
  test('403 when altered, missing or expired', async () => {
    const { url, mediaId } = (await upload(owner, 'secret')).body
    const other = (await upload(owner, 'other')).body
    const path = url.split('?')[0]
    for (const wrong of [
      path,
      url.replace(/signature=...../, 'signature=AAAAA'),
      url.replace(/expires=\d/, 'expires=9'),
      url.replace(/expires=\d+/, 'expires=soon'),
      url.replace(mediaId, other.mediaId),
      url.replace(/tenant=[^&]+/, 'tenant=tn_other'),
      `${url}&variant=thumbnail`,
    ])
      expect((await fetchAt(wrong)).status, wrong).toBe(403)
    expect((await fetchAt(url)).status).toBe(200)
    service.deps.clock.advance(5 * 60_000 + 1_000)
    expect((await fetchAt(url)).status).toBe(403)
    const { url: fresh } = (await owner.get(`/media/${mediaId}`)).body
    expect((await fetchAt(fresh)).status).toBe(200)
  })

  test('403 while more is left than the longest life of an address', async () => {
    const { mediaId } = (await upload(owner, 'for a provider')).body
    const { clock } = service.deps
    const signLater = (ms: number) => {
      const later = { ...clock, now: () => new Date(clock.now().getTime() + ms) }
      return mediaUrlForProvider({ ...service.deps, clock: later }, owner.tenantId, mediaId)
    }
    const toPath = (url: string) => url.slice(service.deps.config.publicUrl.length)
    const tooLong = toPath(signLater(60_000))
    expect((await fetchAt(tooLong)).status).toBe(403)
    expect((await fetchAt(toPath(signLater(0)))).status).toBe(200)
    clock.advance(60_000)
    expect((await fetchAt(tooLong)).status).toBe(200)
  })

  test.each([
    ['bytes=0-3', 206, '0123', 'bytes 0-3/10'],
    ['bytes=7-', 206, '789', 'bytes 7-9/10'],
    ['bytes=-2', 206, '89', 'bytes 8-9/10'],
    ['bytes=5-100', 206, '56789', 'bytes 5-9/10'],
    ['bytes=0-1,4-5', 200, '0123456789', null],
    ['bytes=3-1', 200, '0123456789', null],
    ['lines=1-2', 200, '0123456789', null],
    ['bytes=10-', 416, undefined, 'bytes */10'],
    ['bytes=-0', 416, undefined, 'bytes */10'],
  ])('range %s: %i', async (range, status, text, contentRange) => {
    const { url } = (await upload(owner, '0123456789')).body
    const answer = await fetchAt(url, { range })
    expect(answer.status).toBe(status)
    expect(answer.headers.get('content-range')).toBe(contentRange)
    const body = await answer.text()
    if (text !== undefined) expect(body).toBe(text)
  })

  test('a range of another version is the whole file', async () => {
    const { url } = (await upload(owner, '0123456789')).body
    const etag = (await fetchAt(url)).headers.get('etag')!
    expect((await fetchAt(url, { range: 'bytes=0-1', 'if-range': etag })).status).toBe(206)
    expect((await fetchAt(url, { range: 'bytes=0-1', 'if-range': '"old"' })).status).toBe(200)
  })
})

describe('who may see it', () => {
  let count = 7_000
  test('an unsent file is sent by its uploader, owners, admins and admin keys, and by no one else', async () => {
    const agent = await workspace.user('agent')
    const { mediaId } = (await upload(agent, 'mine')).body
    const inboxes = { chatapp: { resourceIds: ['5551'], phoneNumberIds: [`555${count++}`] } }
    const inboxId = (await owner.post('/inboxes', inboxes)).body.inboxes[0].id
    const send = (by: Client) =>
      by.post('/messages', {
        recipient: { type: 'phone', phoneNumber: `+1415555${count++}` },
        inboxId,
        content: { type: 'media', media: { mediaId } },
      })
    const other = await service.workspace()
    const agentKey = await workspace.key({ role: 'agent' })
    for (const stranger of [await workspace.user('agent'), agentKey, other.owner])
      expect(await stranger.get(`/media/${mediaId}`)).toMatchObject({
        status: 404,
        body: { code: 'media_not_found' },
      })
    expect((await send(agentKey)).body.violations).toMatchObject([
      { field: 'content.media.mediaId', code: 'unknown_media' },
    ])
    for (const sender of [
      owner,
      await workspace.user('admin'),
      await workspace.key({ role: 'admin' }),
      agent,
    ])
      expect((await send(sender)).status).toBe(202)
  })
})

describe('thumbnails', { timeout: 90_000 }, () => {
  const thumbnail = async (mediaId: string) => {
    const { thumbnailUrl } = await until(
      async () => (await owner.get(`/media/${mediaId}`)).body,
      media => media.thumbnailUrl !== undefined,
      60_000,
    )
    const answer = await fetchAt(thumbnailUrl)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
    return jpeg.decode(Buffer.from(await answer.arrayBuffer()))
  }

  test('of a PNG: small, in its shape', async () => {
    const made = await upload(owner, picture(1280, 640), { name: 'a.png', type: 'image/png' })
    const small = await thumbnail(made.body.mediaId)
    expect([small.width, small.height]).toEqual([320, 160])
    expect(small.data[0]).toBeGreaterThan(180)
    expect(small.data[1]).toBeLessThan(60)
  })

  test('of a photograph: turned as the camera was held', async () => {
    const data = Buffer.alloc(640 * 320 * 4, 255)
    const plain = jpeg.encode({ width: 640, height: 320, data }, 80).data
    const exif = Buffer.from(
      '457869660000' + '4d4d002a00000008' + '0001' + '0112000300000001' + '00060000' + '00000000',
      'hex',
    )
    const segment = Buffer.concat([Buffer.from([0xff, 0xe1, 0, exif.length + 2]), exif])
    const photo = Buffer.concat([plain.subarray(0, 2), segment, plain.subarray(2)])
    const made = await upload(owner, photo, { name: 'a.jpg', type: 'image/jpeg' })
    const small = await thumbnail(made.body.mediaId)
    expect([small.width, small.height]).toEqual([160, 320])
  })

  test('none of what cannot be decoded or is too large, and the file stays', async () => {
    const bomb = picture(2, 2)
    bomb.writeUInt32BE(60_000, 16)
    bomb.writeUInt32BE(60_000, 20)
    const made = await upload(owner, bomb, { name: 'a.png', type: 'image/png' })
    const after = await upload(owner, picture(8, 8), { name: 'b.png', type: 'image/png' })
    await thumbnail(after.body.mediaId)
    const media = (await owner.get(`/media/${made.body.mediaId}`)).body
    expect(media).toMatchObject({ ready: true })
    expect(media.thumbnailUrl).toBeUndefined()
  })
})

test('a sweep removes what broke off and what was never sent, and nothing else', async () => {
  const { db, blobs, clock } = service.deps
  const { mediaId } = (await upload(owner, 'never sent')).body
  const blob = `${workspace.tenantId}/media/${mediaId}`
  await purgeMedia.job.handle(service.deps, { at: '' }, undefined as never)
  expect(await blobs.stat(blob)).not.toBeNull()
  await db.run(sql`
    insert into media (tenant_id, id, status, uploaded_by, created_at)
    values (${workspace.tenantId}, 'mda_cut', 'pending', 'usr_gone', ${clock.now().toISOString()})`)
  clock.advance(2 * 3_600_000)
  await purgeMedia.job.handle(service.deps, { at: '' }, undefined as never)
  expect(await unfinished()).toBe(0)
  clock.advance(90 * 24 * 3_600_000)
  await purgeMedia.job.handle(service.deps, { at: '' }, undefined as never)
  expect(await blobs.stat(blob)).toBeNull()
  expect(await db.maybe(sql`select from media where id = ${mediaId}`)).toBeUndefined()
})

describe('507', () => {
  const quotaApi = async (env: Record<string, string>) => {
    const lines: string[] = []
    const logTo = { write: (line: string) => void lines.push(line) }
    const api = await testApi({ LOG_LEVEL: 'info', ...env }, { logTo })
    const { owner: caller, tenantId } = await api.workspace()
    const send = async (bytes: Bytes, path = 'POST /media/uploads') => {
      const [method, at] = path.split(' ') as [string, string]
      const form = new FormData()
      const type = typeof bytes === 'string' ? 'text/plain' : 'image/png'
      form.append('file', new Blob([bytes as never], { type }), 'x.txt')
      const headers = { authorization: `Bearer ${caller.token}` }
      const response = await fetch(`${api.url}/v1${at}`, { method, headers, body: form })
      // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
      return { status: response.status, body: (await response.json()) as any }
    }
    const countRows = () =>
      api.deps.db.one<{ n: number }>(sql`select count(*) as n from media where tenant_id = ${tenantId}`)
    /** Returns the lines that are not about requests, without the members that all lines have. */
    const getWarnings = () =>
      lines
        .map(line => JSON.parse(line))
        .filter(({ level }) => level !== 'info')
        .map(({ pid: _pid, time: _time, requestId: _requestId, ...line }) => line)
    const refused = { level: 'warn', msg: 'file refused', code: 'storage_full', tenantId }
    return { send, countRows, getWarnings, refused }
  }
  const text = (bytes: number) => 'x'.repeat(bytes)
  const picture = PNG.sync.write(new PNG({ width: 9, height: 9 }))

  test('storage_full when the files of a workspace exceed its quota: a warning with the reason', async () => {
    const { send, countRows, getWarnings, refused } = await quotaApi({ STORAGE_MB_PER_WORKSPACE: '1' })
    expect(await send(text(700_000))).toMatchObject({ status: 201 })
    const answer = await send(text(700_000))
    expect(answer).toMatchObject({ status: 507, body: { code: 'storage_full' } })
    const reason = answer.body.detail
    expect(reason).toContain('1 MiB')
    expect(getWarnings()).toEqual([{ ...refused, method: 'POST', route: '/v1/media/uploads', reason }])
    expect(await send(text(100_000))).toMatchObject({ status: 201 })
    expect(await countRows()).toEqual({ n: 2 })
  })

  test('storage_full while the disk has less free space than the reserve, for files, pictures and imports', async () => {
    const { send, countRows, getWarnings, refused } = await quotaApi({ MIN_FREE_DISK_MB: '1000000000' })
    const uploads: [string, Bytes][] = [
      ['POST /media/uploads', text(10)],
      ['PUT /users/me/avatar', picture],
      ['POST /contacts/import', 'name\nAda'],
    ]
    const warnings = []
    for (const [path, bytes] of uploads) {
      expect(await send(bytes, path)).toMatchObject({ status: 507, body: { code: 'storage_full' } })
      const [method, at] = path.split(' ')
      const reason = expect.stringMatching(/^the blob store has no space left: less than \d+ bytes are free$/)
      warnings.push({ ...refused, method, route: `/v1${at}`, reason })
    }
    expect(getWarnings()).toEqual(warnings)
    expect(await countRows()).toEqual({ n: 0 })
  })
})
