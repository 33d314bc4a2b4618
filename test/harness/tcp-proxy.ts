/** A TCP proxy on a port of this machine whose targets can change and whose connections can be cut. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type NetConnectOpts, type Socket } from 'node:net'

export interface TcpProxy {
  port: number
  /** Ends all open connections. */
  cut(): void
  /** Keeps connections open and accepts new ones, but forwards nothing, until `thaw` ends them. */
  freeze(): void
  thaw(): void
  close(): void
}

/** Forwards each connection to the next target that accepts it. Port 0 chooses a free one. */
export async function startTcpProxy(targets: () => NetConnectOpts[], port = 0): Promise<TcpProxy> {
  const sockets = new Set<Socket>()
  let next = 0
  let frozen = false
  const server = createServer(client => {
    sockets.add(client)
    client.on('error', () => {})
    client.on('close', () => sockets.delete(client))
    if (frozen) return
    const candidates = targets()
    const first = next++
    const attempt = (n: number): void => {
      if (n === candidates.length) return void client.destroy()
      const upstream = connect(candidates[(first + n) % candidates.length]!)
      const fail = () => attempt(n + 1)
      upstream.once('error', fail)
      upstream.once('connect', () => {
        upstream.off('error', fail)
        upstream.on('error', () => client.destroy())
        upstream.on('close', () => client.destroy())
        client.on('close', () => upstream.destroy())
        client.pipe(upstream).pipe(client)
        client.on('freeze', () => {
          client.unpipe(upstream)
          upstream.unpipe(client)
        })
      })
    }
    attempt(0)
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    freeze: () => {
      frozen = true
      for (const socket of sockets) socket.emit('freeze')
    },
    thaw: () => {
      frozen = false
      cut()
    },
    close: () => {
      server.close()
      cut()
    },
  }
}
