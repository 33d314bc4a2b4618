import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { testDeps } from '../../../test/harness/deps.ts'
import { inOneCell } from '../../platform/cells.ts'
import { createMetrics } from '../../platform/metrics.ts'
import { startHttp } from './http.ts'

const { deps } = await testDeps({ MAX_CONNECTIONS: '2', PORT: '0' })
let config: typeof deps.config
let server: Awaited<ReturnType<typeof startHttp>>

beforeEach(async () => {
  config = { ...deps.config }
  server = await startHttp(
    [
      {
        cell: { name: 'main', deps: inOneCell({ ...deps, config }), isUsable: true },
        getObstacle: () => undefined,
      },
    ],
    { metrics: createMetrics(), api: false, sockets: false },
  )
  server.setReady(true)
})
afterEach(() => server.stop(0))

/** Opens a connection and requests a page on it; the answer is empty if the connection is dropped. */
async function request(): Promise<{ socket: Socket; answer: string }> {
  const socket = connect(config.port, '127.0.0.1')
  socket.on('error', () => {})
  socket.write('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n')
  const answer = await Promise.race([
    once(socket, 'data').then(([data]) => String(data)),
    once(socket, 'close').then(() => ''),
  ])
  return { socket, answer: answer.split('\r\n')[0]! }
}

test('connections beyond MAX_CONNECTIONS are dropped; the others are served, and a closed one makes room', async () => {
  const [first, second] = [await request(), await request()]
  expect([first.answer, second.answer]).toEqual(['HTTP/1.1 200 OK', 'HTTP/1.1 200 OK'])
  expect((await request()).answer).toBe('')
  first.socket.destroy()
  await expect
    .poll(async () => {
      const { socket, answer } = await request()
      socket.destroy()
      return answer
    })
    .toBe('HTTP/1.1 200 OK')
  second.socket.destroy()
})
