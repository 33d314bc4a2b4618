/** Callbacks from clients that are not the provider: half-sent bodies cost neither memory nor the provider's callbacks. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { testApi } from '../../../test/harness/api.ts'
import { eventually } from '../../../test/harness/wait.ts'

const lines: string[] = []
const api = await testApi({ LOG_LEVEL: 'info' }, { logTo: { write: line => lines.push(line) } })
const { port } = new URL(api.url)
const MiB = 1024 * 1024
const forged = { 'x-hub-signature-256': `sha256=${'0'.repeat(64)}` }

/** Sends the headers of a callback and a part of its body. */
function sendHalf(headers: Record<string, string>, bytes: number, contentLength = 4 * MiB) {
  const socket = connect(Number(port), '127.0.0.1')
  const head = Object.entries({
    ...headers,
    'content-type': 'application/json',
    'content-length': contentLength,
  })
  const lines = head.map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`POST /v1/channels/chatapp/webhook HTTP/1.1\r\nhost: x\r\n${lines.join('')}\r\n`)
  socket.write(Buffer.alloc(bytes, 0x20))
  const result = { socket, answer: '' }
  socket
    .on('error', () => {})
    .on('data', chunk => {
      result.answer += chunk
    })
  return result
}

const isClosed = ({ socket }: { socket: Socket }) => socket.destroyed || socket.readableEnded

test('401 before the body, and the end of the connection, for 250 callbacks without a signature', async () => {
  const sent = Array.from({ length: 250 }, () => sendHalf({}, 1_000))
  await eventually(() => expect(sent.filter(isClosed)).toHaveLength(250))
  for (const { answer } of sent) expect(answer).toMatch(/^HTTP\/1\.1 401 (.|\s)*callback_signature_invalid/)
  const malformed = sendHalf({ 'x-hub-signature-256': 'sha256=0' }, 1_000)
  await eventually(() => expect(malformed.answer).toMatch(/^HTTP\/1\.1 401 /))
})

test('503 for half-sent bodies above the bytes of one network; others are received when they end', async () => {
  const sent = Array.from({ length: 60 }, () => sendHalf(forged, 2 * MiB))
  const refused = () =>
    sent.filter(({ answer, socket }) => /^HTTP\/1\.1 503 /.test(answer) || socket.destroyed)
  const held = () => sent.reduce((sum, each) => sum + (refused().includes(each) ? 0 : 2), 0)
  await eventually(() => expect(held()).toBeLessThanOrEqual(16))
  expect(refused().length).toBeGreaterThan(40)
  const refusals = lines.map(line => JSON.parse(line)).filter(({ code }) => code === 'service_unavailable')
  expect(refusals.length).toBeGreaterThan(0)
  expect(new Set(refusals.map(({ level, msg, err }) => [level, msg, err].join()))).toEqual(
    new Set(['info,request,']),
  )
  const small = { method: 'POST', headers: { ...forged, 'content-type': 'application/json' }, body: '{}' }
  const post = () => fetch(`${api.url}/v1/channels/chatapp/webhook`, small).then(({ status }) => status)
  for (const { socket } of sent) socket.destroy()
  await Promise.all(sent.map(({ socket }) => socket.closed || once(socket, 'close')))
  // The signature is verified, so the body was received.
  await eventually(async () => expect(await post()).toBe(401))
  expect(await Promise.all(Array.from({ length: 20 }, post))).toEqual(Array.from({ length: 20 }, () => 401))
})
