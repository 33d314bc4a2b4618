import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { testDeps } from '../../../../test/harness/deps.ts'
import type { Caller } from '../caller.ts'
import { route } from '../route.ts'
import { buildServer } from '../server.ts'
import { receiveUpload, writeUpload } from './uploads.ts'

const { deps } = await testDeps()
const caller: Caller = {
  tenantId: 'tn_1',
  id: 'usr_1',
  kind: 'user',
  role: 'owner',
  scopes: new Set(),
  teamIds: [],
}
let discarded = 0
let written = 0
beforeEach(() => {
  discarded = 0
  written = 0
})

const upload = route({
  method: 'POST',
  path: '/files',
  tag: 'Files',
  summary: 'Keep a file',
  access: { scopes: [], roles: ['owner'] },
  multipart: true,
  idempotent: false,
  success: { status: 201 },
  handle: async context => {
    const discard = async () => void discarded++
    const received = await receiveUpload(context.request, {
      fields: ['note'],
      maxBytes: 100_000,
      store: source => deps.blobs.put('tn_1/file', source, { maxBytes: 100_000 }),
      discard,
    })
    return writeUpload(context, { operation: 'POST /files', status: 201 }, received, {
      onReplay: discard,
      write: async () => {
        if (received.fields.note === 'fail') throw new Error('no')
        return { n: ++written, ...received }
      },
    })
  },
})
const app = await buildServer({
  deps,
  routes: [upload],
  authenticate: async () => caller,
  pageKey: Buffer.alloc(32),
})
await app.listen({ port: 0, host: '127.0.0.1' })
afterAll(() => app.close())
const { port } = app.server.address() as AddressInfo

async function post(form: FormData, headers: Record<string, string> = {}) {
  const response = await fetch(`http://127.0.0.1:${port}/v1/files`, {
    method: 'POST',
    headers: { authorization: 'Bearer x', ...headers },
    body: form,
  })
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
  return { status: response.status, headers: response.headers, body: (await response.json()) as any }
}

function formOf(file: string, fields: Record<string, string> = {}, name = 'a.txt'): FormData {
  const form = new FormData()
  form.append('file', new Blob([file]), name)
  for (const [key, value] of Object.entries(fields)) form.append(key, value)
  return form
}

describe('receiveUpload', () => {
  test('the file, its hash and the fields, also those behind the file', async () => {
    expect(await post(formOf('hello', { note: 'hi' }))).toMatchObject({
      status: 201,
      body: {
        size: 5,
        filename: 'a.txt',
        fields: { note: 'hi' },
        sha256: expect.stringMatching(/^2cf24dba5fb0/),
      },
    })
  })

  test('413 for a file that is too large, and the client gets to read it', async () => {
    const answer = await post(formOf('x'.repeat(1_500_000)))
    expect(answer).toMatchObject({
      status: 413,
      body: { code: 'body_too_large', detail: expect.stringContaining('100000') },
    })
  })

  test('413 before the body is read for a Content-Length that is too large', async () => {
    const socket = connect(port, '127.0.0.1')
    socket.write(
      'POST /v1/files HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer x\r\nContent-Type: multipart/form-data; boundary=b\r\n' +
        'Content-Length: 50000000000\r\n\r\n--b\r\n',
    )
    const head = await Promise.race([once(socket, 'data'), pause(10_000)])
    expect(String(head)).toMatch(/^HTTP\/1\.1 413 /)
    socket.destroy()
  })

  test('400 for a boundary of 5,000 characters', async () => {
    const boundary = 'b'.repeat(5_000)
    const response = await fetch(`http://127.0.0.1:${port}/v1/files`, {
      method: 'POST',
      headers: {
        authorization: 'Bearer x',
        'content-type': `multipart/form-data; boundary=${boundary}`,
      },
      body: `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\na\r\n--${boundary}--\r\n`,
    })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ detail: expect.stringMatching(/boundary/) })
  })

  test('400 names what is wrong, and nothing is kept', async () => {
    const twice = formOf('a', { note: 'x' })
    twice.append('note', 'y')
    const two = formOf('a')
    two.append('file', new Blob(['b']), 'b.txt')
    for (const [form, field, code] of [
      [formOf('a', { other: 'x' }), 'other', 'unknown_property'],
      [twice, 'note', 'duplicate'],
      [two, 'file', 'unknown_property'],
      [new FormData(), 'file', 'required'],
    ] as const)
      expect(await post(form)).toMatchObject({ status: 400, body: { violations: [{ field, code }] } })
    expect(discarded).toBe(3)
    expect(written).toBe(0)
  })
})

describe('Idempotency-Key', () => {
  let keys = 0
  test('the same file, name and fields give the first answer; anything else is refused', async () => {
    const headers = { 'idempotency-key': `k${++keys}` }
    const first = await post(formOf('a', { note: 'n' }), headers)
    const again = await post(formOf('a', { note: 'n' }), headers)
    expect(again).toMatchObject({ status: 201, body: first.body })
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect([written, discarded]).toEqual([1, 1])
    for (const form of [formOf('b', { note: 'n' }), formOf('a'), formOf('a', { note: 'n' }, 'b.txt')])
      expect((await post(form, headers)).status).toBe(422)
    expect([written, discarded]).toEqual([1, 4])
  })

  test('a failure frees the key', async () => {
    const headers = { 'idempotency-key': `k${++keys}` }
    expect((await post(formOf('a', { note: 'fail' }), headers)).status).toBe(500)
    expect((await post(formOf('a', { note: 'ok' }), headers)).status).toBe(201)
  })
})
