/** A socket.io server that broadcasts events. It stores no events: disconnected clients miss them. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { installed } from './peer.ts'

interface SocketIo {
  emit(name: string, data: unknown): void
  close(): void
}

export async function openSocketIo() {
  const version = installed('socket.io')
  if (!version) return undefined
  const file = path.join(import.meta.dirname, 'node_modules/socket.io/wrapper.mjs')
  const { Server } = (await import(pathToFileURL(file).href)) as {
    Server: new (server: unknown, options: object) => SocketIo
  }
  const server = createServer()
  const io = new Server(server, { serveClient: false, transports: ['websocket'] })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    version,
    url: `ws://127.0.0.1:${port}/socket.io/?EIO=4&transport=websocket`,
    broadcast: (data: unknown) => io.emit('message.updated', data),
    close: () => io.close(),
  }
}
