import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { encodeTextFrame } from './frames.ts'

test('frames that are made once are what a client understands, whatever their length', async () => {
  const lengths = [0, 1, 125, 126, 127, 65_535, 65_536, 200_000]
  const texts = [...lengths.map(length => 'x'.repeat(length)), 'ü'.repeat(63), '✓'.repeat(22_000)]
  const sockets = new WebSocketServer({ noServer: true })
  const server = createServer()
  server.on('upgrade', (request, wire, head) =>
    sockets.handleUpgrade(request, wire, head, ws => {
      ws.send('first')
      for (const text of texts) wire.write(encodeTextFrame(text))
      ws.close(1000)
    }),
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close().closeAllConnections())

  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const received: { text: string; binary: boolean }[] = []
  client.on('message', (data, binary) => received.push({ text: String(data), binary }))
  expect((await once(client, 'close'))[0]).toBe(1000)
  expect(received).toEqual(['first', ...texts].map(text => ({ text, binary: false })))
})
