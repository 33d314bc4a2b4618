/** Tests pictures of users and contacts and the logo of a workspace: encoding, hostile files, quota, erasure, visibility. */
import { deflateSync } from 'node:zlib'
import jpeg from 'jpeg-js'
import { PNG } from 'pngjs'
import { expect, test } from 'vitest'
import type { Client } from '../../../test/harness/api.ts'
import { testService, until } from '../../../test/harness/service.ts'
import { sql } from '../../platform/db/sql.ts'
import { mediaBlobKey } from '../store/media/media.ts'

const service = await testService()
const { db, blobs } = service.deps

async function put(client: Client, path: string, bytes: Buffer, type = 'image/png') {
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(bytes)], { type }), 'me.png')
  const headers = { authorization: `Bearer ${client.token}` }
  const response = await fetch(`${service.url}/v1${path}`, { method: 'PUT', headers, body: form })
  return { status: response.status, body: (await response.json()) as Record<string, never> & { url: string } }
}
const download = async (url: string) => {
  const response = await fetch(`${service.url}${url}`)
  return { response, bytes: Buffer.from(await response.arrayBuffer()) }
}

/** Red on the left, blue in the middle, red on the right. */
function draw(width: number, height: number): Buffer {
  const png = new PNG({ width, height })
  for (let i = 0; i < width * height; i++) {
    const x = i % width
    const isMiddle = x >= (width - height) / 2 && x < (width + height) / 2
    png.data.set(isMiddle ? [0, 0, 255, 255] : [255, 0, 0, 255], i * 4)
  }
  return PNG.sync.write(png)
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const crc = Buffer.alloc(4)
  let sum = 0xffffffff
  for (const byte of body) {
    sum ^= byte
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0)
  }
  crc.writeUInt32BE((sum ^ 0xffffffff) >>> 0)
  return Buffer.concat([length, body, crc])
}

/** A PNG that claims a size and contains other data. */
function forge(width: number, height: number, data: Buffer, interlace = 0): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 6, 0, 0, interlace], 8)
  const signature = Buffer.from('89504e470d0a1a0a', 'hex')
  const parts = [chunk('IHDR', header), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))]
  return Buffer.concat([signature, ...parts])
}

test('200 with the middle of the image in 256 pixels and without its metadata; a new picture replaces it', async () => {
  const { owner, tenantId } = await service.workspace()
  const plain = draw(900, 300)
  const comment = chunk('tEXt', Buffer.from('Comment\0home address', 'latin1'))
  const withComment = Buffer.concat([plain.subarray(0, 33), comment, plain.subarray(33)])
  const first = await put(owner, '/users/me/avatar', withComment)
  expect(first).toMatchObject({
    status: 200,
    body: { url: expect.stringMatching(/^\/v1\/pictures\/[0-9a-z]{26}_[\w-]{43}$/) },
  })
  const { response, bytes } = await download(first.body.url)
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'image/jpeg',
    'x-content-type-options': 'nosniff',
    'cache-control': expect.stringMatching(/^private, .*immutable/),
    'x-robots-tag': expect.stringContaining('noindex'),
    'referrer-policy': 'no-referrer',
  })
  expect(bytes.includes('home address')).toBe(false)
  const { width, height, data } = jpeg.decode(bytes, { useTArray: true })
  expect([width, height]).toEqual([256, 256])
  for (const at of [0, 128 * 256 + 128, 255]) expect(data[at * 4]! < 60 && data[at * 4 + 2]! > 200).toBe(true)
  expect((await owner.get('/users/me')).body.avatarUrl).toBe(first.body.url)
  expect((await owner.get('/console/bootstrap')).body.me.avatarUrl).toBe(first.body.url)
  const usage = () => db.value<number>(sql`select bytes from media_usage where tenant_id = ${tenantId}`)
  expect(Number(await usage())).toBeGreaterThanOrEqual(bytes.length)

  const photo = jpeg.encode({ width: 40, height: 60, data: Buffer.alloc(40 * 60 * 4, 200) }, 80).data
  const second = await put(owner, '/users/me/avatar', photo, 'image/jpeg')
  expect(second.status).toBe(200)
  expect((await download(first.body.url)).response.status).toBe(404)
  expect((await download(second.body.url)).response.status).toBe(200)
  expect((await owner.delete('/users/me/avatar')).status).toBe(204)
  expect((await owner.get('/users/me')).body.avatarUrl).toBeNull()
  expect((await download(second.body.url)).response.status).toBe(404)
  expect((await download('/v1/pictures/x')).response.status).toBe(404)
})

test('4xx for hostile files, without growth of the memory of the service', async () => {
  const { owner, tenantId } = await service.workspace()
  const bomb = deflateSync(Buffer.alloc(64 * 1024 * 1024))
  const hugeJpeg = jpeg.encode({ width: 8, height: 8, data: Buffer.alloc(256) }, 50).data
  const frame = hugeJpeg.indexOf(Buffer.from([0xff, 0xc0]))
  hugeJpeg.writeUInt16BE(65_000, frame + 5)
  hugeJpeg.writeUInt16BE(65_000, frame + 7)
  const files: [string, Buffer, number][] = [
    ['an image of 20,000 × 20,000', forge(20_000, 20_000, deflateSync(Buffer.alloc(1000))), 400],
    ['a bomb', forge(8, 8, bomb), 400],
    ['a truncated PNG', draw(300, 300).subarray(0, 200), 400],
    ['an interlaced PNG', forge(8, 8, deflateSync(Buffer.alloc(1000)), 1), 400],
    ['a JPEG of 65,000 × 65,000', hugeJpeg, 400],
    ['a truncated JPEG', Buffer.from('ffd8ffe000104a464946', 'hex'), 400],
    ['an empty file', Buffer.alloc(0), 415],
    ['a GIF', Buffer.from('GIF89a', 'latin1'), 415],
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>'), 415],
    ['a file of 6 MiB', Buffer.concat([draw(2, 2), Buffer.alloc(6 * 1024 * 1024)]), 413],
  ]
  const before = process.memoryUsage().rss
  for (const [name, bytes, status] of files)
    expect([name, (await put(owner, '/users/me/avatar', bytes)).status]).toEqual([name, status])
  expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1024 * 1024)
  expect(await db.rows(sql`select from media where tenant_id = ${tenantId}`)).toEqual([])
  expect((await owner.get('/users/me')).body.avatarUrl).toBeNull()
})

/** A number belongs to one workspace, so each run of the test connects another one. */
let numbers = 5581001

test('contacts: who sees the contact changes it, conversations and events show it, erasing deletes it', async () => {
  const { owner, user, tenantId, teamId } = await service.workspace()
  const { body } = await owner.post('/inboxes', {
    chatapp: { resourceIds: ['5581'], phoneNumberIds: [String(numbers++)] },
  })
  const inboxId = body.inboxes[0].id
  await owner.put(`/inboxes/${inboxId}/team`, { teamId })
  const sent = await owner.post('/messages', {
    recipient: { type: 'phone', phoneNumber: '+14155581001' },
    inboxId,
    content: { type: 'text', text: { body: 'Hello' } },
  })
  const { id: conversationId, contactId } = sent.body.conversation
  const [member, outsider] = [await user('agent', [teamId]), await user('agent')]
  expect((await put(outsider, `/contacts/${contactId}/avatar`, draw(9, 9))).status).toBe(404)
  const { status, body: picture } = await put(member, `/contacts/${contactId}/avatar`, draw(9, 9))
  expect(status).toBe(200)
  expect((await owner.get(`/contacts/${contactId}`)).body.avatarUrl).toBe(picture.url)
  expect((await owner.get('/contacts')).body.contacts[0].avatarUrl).toBe(picture.url)
  expect((await owner.get(`/conversations/${conversationId}`)).body.contactAvatarUrl).toBe(picture.url)
  const events = await until(
    () =>
      db.rows<{ data: { changes: string[]; contact: object } }>(
        sql`select data from event_log where tenant_id = ${tenantId} and type = 'contact.updated'`,
      ),
    rows => rows.length > 0,
  )
  expect(events.at(-1)!.data).toMatchObject({ changes: ['avatarUrl'], contact: { avatarUrl: picture.url } })
  const [media] = await db.rows<{ id: string }>(sql`
    select id from media where tenant_id = ${tenantId} and picture_of = ${`contact:${contactId}`}`)
  expect((await owner.post(`/contacts/${contactId}/erase`)).status).toBeLessThan(300)
  expect((await download(picture.url)).response.status).toBe(404)
  await until(
    () => db.rows(sql`select from media where tenant_id = ${tenantId} and id = ${media!.id}`),
    rows => rows.length === 0,
  )
  expect(await blobs.stat(mediaBlobKey(tenantId, media!.id))).toBeNull()
})

test('404 for the former address after another URL in the profile, and after deleting or merging the contact', async () => {
  const { owner } = await service.workspace()
  const expectGone = (url: string) =>
    until(
      async () => (await download(url)).response.status,
      status => status === 404,
    )
  const { body: avatar } = await put(owner, '/users/me/avatar', draw(9, 9))
  await owner.patch('/users/me', { name: 'Ada Renamed' })
  const createWithPicture = async (name: string) => {
    const { id } = (await owner.post('/contacts', { name })).body
    const { body } = await put(owner, `/contacts/${id}/avatar`, draw(9, 9))
    return { id: id as string, url: body.url }
  }
  const [deleted, merged, survivor] = [
    await createWithPicture('Bo'),
    await createWithPicture('Cy'),
    await createWithPicture('Di'),
  ]
  expect((await owner.delete(`/contacts/${deleted.id}`)).status).toBe(204)
  const answer = await owner.post(`/contacts/${merged.id}/merge`, { intoContactId: survivor.id })
  expect(answer.status).toBeLessThan(300)
  await Promise.all([expectGone(deleted.url), expectGone(merged.url)])
  expect((await download(survivor.url)).response.status).toBe(200)
  expect((await owner.get(`/contacts/${survivor.id}`)).body.avatarUrl).toBe(survivor.url)
  // The events of a workspace are read in order, so the new name was read before these.
  expect((await download(avatar.url)).response.status).toBe(200)
  await owner.patch('/users/me', { avatarUrl: 'https://example.com/ada.png' })
  await expectGone(avatar.url)
  expect((await owner.get('/users/me')).body.avatarUrl).toBe('https://example.com/ada.png')
})

test('a contact without a picture takes over that of the contact that is merged into it', async () => {
  const { owner } = await service.workspace()
  const [from, into] = [
    (await owner.post('/contacts', { name: 'Ed' })).body.id,
    (await owner.post('/contacts', { name: 'Flo' })).body.id,
  ]
  const { body: picture } = await put(owner, `/contacts/${from}/avatar`, draw(9, 9))
  expect((await owner.post(`/contacts/${from}/merge`, { intoContactId: into })).body.avatarUrl).toBe(
    picture.url,
  )
  // A picture that is deleted by a later event of the workspace shows that those of the merge were read.
  const gone = (await owner.post('/contacts', { name: 'Gus' })).body.id
  const { body: other } = await put(owner, `/contacts/${gone}/avatar`, draw(9, 9))
  await owner.delete(`/contacts/${gone}`)
  await until(
    async () => (await download(other.url)).response.status,
    status => status === 404,
  )
  expect((await download(picture.url)).response.status).toBe(200)
  expect((await owner.get(`/contacts/${into}`)).body.avatarUrl).toBe(picture.url)
  expect((await owner.delete(`/contacts/${into}/avatar`)).status).toBe(204)
  expect((await download(picture.url)).response.status).toBe(404)
})

test('PATCH /users/me accepts the current picture, as GET returns it, and no other', async () => {
  const { owner } = await service.workspace()
  const { body: picture } = await put(owner, '/users/me/avatar', draw(9, 9))
  const answer = await owner.patch('/users/me', { name: 'Ada Again', avatarUrl: picture.url })
  expect(answer).toMatchObject({ status: 200, body: { name: 'Ada Again', avatarUrl: picture.url } })
  const { body: contact } = await owner.post('/contacts', { name: 'Bo' })
  const { body: foreign } = await put(owner, `/contacts/${contact.id}/avatar`, draw(9, 9))
  for (const avatarUrl of [foreign.url, '/v1/pictures/x', '/v1/users'])
    expect((await owner.patch('/users/me', { avatarUrl })).status).toBe(400)
  expect((await owner.get('/users/me')).body.avatarUrl).toBe(picture.url)
})

test('of concurrent uploads, only the address that the holder has works', async () => {
  const { owner } = await service.workspace()
  for (const path of ['/users/me/avatar', '/workspace/logo']) {
    const answers = await Promise.all(Array.from({ length: 4 }, () => put(owner, path, draw(9, 9))))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    const holder = (await owner.get(path.replace(/\/\w+$/, ''))).body
    const current = holder.avatarUrl ?? holder.logoUrl
    for (const { body } of answers)
      expect((await download(body.url)).response.status).toBe(body.url === current ? 200 : 404)
  }
})

test('the logo of the workspace is for owners and admins; 507 when the quota is used up', async () => {
  const { owner, user, tenantId } = await service.workspace()
  const agent = await user('agent')
  expect((await put(agent, '/workspace/logo', draw(9, 9))).status).toBe(403)
  const { body } = await put(owner, '/workspace/logo', draw(9, 9))
  expect((await agent.get('/workspace')).body.logoUrl).toBe(body.url)
  expect((await agent.get('/console/bootstrap')).body.workspace.logoUrl).toBe(body.url)
  await db.run(sql`update media_usage set bytes = bytes + 1e15 where tenant_id = ${tenantId}`)
  expect((await put(owner, '/workspace/logo', draw(9, 9))).status).toBe(507)
  expect((await download(body.url)).response.status).toBe(200)
  expect((await owner.delete('/workspace/logo')).status).toBe(204)
  expect((await download(body.url)).response.status).toBe(404)
  expect((await owner.get('/workspace')).body.logoUrl).toBeNull()
})
