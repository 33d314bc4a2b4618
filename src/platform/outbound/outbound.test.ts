import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { eventually, within } from '../../../test/harness/wait.ts'
import { type Connect, openSocket } from './dial.ts'
import { createOutbound, type Outbound, type OutboundOptions } from './outbound.ts'
import type { OutboundRequest } from './requests.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean()
})

function client(options: Partial<OutboundOptions> = {}): Outbound {
  const policy = { allowCidrs: [], allowLoopback: true, ownPorts: [] }
  const outbound = createOutbound({ policy, ...options })
  cleanups.push(() => outbound.close({ graceMs: 0 }))
  return outbound
}

async function serve(listener: RequestListener, host = '127.0.0.1') {
  const server: Server = createServer(listener).listen(0, host)
  await new Promise(resolve => server.once('listening', resolve))
  cleanups.push(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { server, port, url: `http://127.0.0.1:${port}/` }
}

const defaults = { method: 'GET', timeoutMs: 5000, connectTimeoutMs: 2000, maxResponseBytes: 16 * 1024 }
const get = (outbound: Outbound, url: string, more: Partial<OutboundRequest> = {}) =>
  outbound.request({ ...defaults, url, ...more })

describe('a call', () => {
  it('sends method, path, query, headers and body as given, and answers with status, headers and body', async () => {
    const { url, port } = await serve(async (request, response) => {
      const seen = {
        method: request.method,
        url: request.url,
        headers: request.headers,
        body: await text(request),
      }
      response.writeHead(201, { 'x-one': '1', 'set-cookie': ['a=1', 'b=2'] }).end(JSON.stringify(seen))
    })
    const headers = { 'Content-Type': 'application/json', 'X-Custom': 'ü' }
    const body = JSON.stringify({ text: 'grüße 👋' })
    const result = await get(client(), `${url}hook/a%20b?x=1&y=%2F#frag`, { method: 'POST', headers, body })
    expect(result).toMatchObject({ ok: true, status: 201, truncated: false, latencyMs: expect.any(Number) })
    if (!result.ok) return
    expect(result.headers).toMatchObject({ 'x-one': '1', 'set-cookie': ['a=1', 'b=2'] })
    expect(JSON.parse(result.body.toString())).toEqual({
      method: 'POST',
      url: '/hook/a%20b?x=1&y=%2F',
      body,
      headers: {
        host: `127.0.0.1:${port}`,
        connection: 'keep-alive',
        'content-type': 'application/json',
        'x-custom': 'ü',
        'accept-encoding': 'identity',
        'user-agent': 'Parley',
        'content-length': String(Buffer.byteLength(body)),
      },
    })
  })

  it('sends a Buffer byte by byte, and a POST without a body as an empty one', async () => {
    const { url } = await serve(async (request, response) => {
      const parts: Buffer[] = []
      for await (const part of request) parts.push(part)
      response.end(`${request.headers['content-length']} ${Buffer.concat(parts).toString('hex')}`)
    })
    const outbound = client()
    const full = await get(outbound, url, { method: 'POST', body: Buffer.from([0, 255, 10]) })
    expect(full).toMatchObject({ ok: true, body: Buffer.from('3 00ff0a') })
    expect(await get(outbound, url, { method: 'POST' })).toMatchObject({ ok: true, body: Buffer.from('0 ') })
  })

  it.each([301, 302, 303, 307, 308])('%i is an answer like any other, not followed', async status => {
    let calls = 0
    const { url } = await serve((_request, response) => {
      calls += 1
      response.writeHead(status, { location: '/elsewhere' }).end('moved')
    })
    const result = await get(client(), url)
    expect(result).toMatchObject({ ok: true, status, headers: { location: '/elsewhere' } })
    expect(calls).toBe(1)
  })

  it('does not decompress', async () => {
    const packed = gzipSync('a'.repeat(100_000))
    const { url } = await serve((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(packed)
    })
    expect(await get(client(), url)).toMatchObject({ ok: true, body: packed, truncated: false })
  })

  it('ignores informational answers and has no body for HEAD and 204', async () => {
    const { url } = await serve((request, response) => {
      response.writeEarlyHints({ link: '</x>; rel=preload' })
      response.writeHead(request.method === 'HEAD' ? 200 : 204, { 'x-final': 'yes' }).end()
    })
    const outbound = client()
    for (const method of ['GET', 'HEAD']) {
      const result = await get(outbound, url, { method })
      expect(result).toMatchObject({ ok: true, headers: { 'x-final': 'yes' }, body: Buffer.alloc(0) })
    }
  })

  it('ignores proxy variables of the environment', async () => {
    const { url } = await serve((_request, response) => void response.end('direct'))
    for (const name of ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'ALL_PROXY', 'NODE_USE_ENV_PROXY']) {
      vi.stubEnv(name, 'http://127.0.0.1:1/')
    }
    cleanups.push(() => vi.unstubAllEnvs())
    expect(await get(client(), url)).toMatchObject({ ok: true, body: Buffer.from('direct') })
  })

  it('resolves localhost without a resolver and tries the next address when one refuses', async () => {
    const { port } = await serve((_request, response) => void response.end('here'), '127.0.0.1')
    expect(await get(client(), `http://localhost:${port}/`)).toMatchObject({ ok: true })
    const lookup = async () => ['127.0.0.2', '127.0.0.1']
    expect(await get(client({ lookup }), `http://two.example:${port}/`)).toMatchObject({
      ok: true,
      status: 200,
    })
  })
})

describe('a request', () => {
  const bad: Record<string, string>[] = [
    { host: 'internal' },
    { HOST: 'internal' },
    { connection: 'x-secret' },
    { 'Keep-Alive': '1' },
    { 'transfer-encoding': 'chunked' },
    { 'content-length': '0' },
    { upgrade: 'websocket' },
    { te: 'trailers' },
    { trailer: 'x' },
    { expect: '100-continue' },
    { 'proxy-authorization': 'Basic x' },
    { 'Proxy-Connection': 'close' },
    { 'accept-encoding': 'gzip' },
    { 'x-a': 'b\r\nhost: internal' },
    { 'x-a': 'b\nx: y' },
    { 'x-a': 'b\u0000' },
    { 'x-a': '\u{1f600}' },
    { 'x-a\r\nx-b': 'c' },
    { 'x a': 'b' },
    { 'x:a': 'b' },
    { '': 'b' },
    { 'x-a': 5 as unknown as string },
    { 'x-a': 'v'.repeat(17_000) },
  ]
  it.each(bad)('with the header %j is refused before anything is sent', async headers => {
    let calls = 0
    const { url } = await serve((_request, response) => {
      calls += 1
      response.end()
    })
    expect(await get(client(), url, { headers })).toMatchObject({ ok: false, code: 'invalid_request' })
    expect(calls).toBe(0)
  })

  it.each(['CONNECT', 'TRACE', 'get', 'GET / HTTP/1.1\r\nx: y', 'G\nET', ''])(
    'with the method %j is refused',
    async method => {
      expect(await get(client(), 'http://127.0.0.1:1/', { method })).toMatchObject({
        code: 'invalid_request',
      })
    },
  )
})

describe('the policy', () => {
  it('keeps our own port closed to every name that resolves to this machine', async () => {
    let calls = 0
    const { port } = await serve((_request, response) => {
      calls += 1
      response.end()
    })
    const policy = { allowCidrs: ['0.0.0.0/0'], allowLoopback: true, ownPorts: [port] }
    for (const address of ['127.0.0.1', '127.3.2.1', '::1', '::ffff:7f00:1', '0.0.0.0']) {
      const outbound = client({ policy, lookup: async () => [address] })
      const result = await get(outbound, `http://self.example:${port}/`)
      expect(result).toMatchObject({ ok: false, code: 'forbidden_address' })
    }
    expect(calls).toBe(0)
  })

  it('lets listed private addresses through, and only those', async () => {
    const dialled: string[] = []
    const { port } = await serve((_request, response) => void response.end())
    const connect: Connect = ({ address }) => {
      dialled.push(address)
      return openSocket({ address: '127.0.0.1', port })
    }
    const policy = { allowCidrs: ['10.0.0.0/8'], allowLoopback: false, ownPorts: [] }
    const outbound = client({ policy, connect, lookup: async () => ['192.168.0.1', '10.2.3.4'] })
    expect(await get(outbound, 'http://10.1.1.1/')).toMatchObject({ ok: true })
    expect(await get(outbound, 'http://inside.example/')).toMatchObject({ ok: true })
    expect(await get(outbound, 'http://192.168.0.1/')).toMatchObject({ ok: false, code: 'forbidden_address' })
    expect(dialled).toEqual(['10.1.1.1', '10.2.3.4'])
  })

  it('that is not valid is refused immediately', () => {
    expect(() =>
      createOutbound({ policy: { allowCidrs: ['10/8'], allowLoopback: false, ownPorts: [] } }),
    ).toThrow('10/8')
  })
})

describe('connections', () => {
  it('are kept and used again, and closed when idle', async () => {
    const ports = new Set<number | undefined>()
    const { url, server } = await serve((request, response) => {
      ports.add(request.socket.remotePort)
      response.end('ok')
    })
    server.keepAliveTimeout = 60_000
    const outbound = client({ idleMs: 200 })
    for (let n = 0; n < 20; n += 1)
      expect(await get(outbound, url, { method: 'POST' })).toMatchObject({ ok: true })
    expect(ports.size).toBe(1)
    expect(outbound.counts()).toMatchObject({ idle: 1, active: 0 })
    await eventually(() => expect(outbound.counts()).toEqual({ lanes: 0, active: 0, idle: 0, waiting: 0 }))
  })

  it('of one origin and in total stay within their bounds, and every call is served', async () => {
    let open = 0
    let most = 0
    const servers = await Promise.all(
      [1, 2, 3].map(() =>
        serve(async (_request, response) => {
          most = Math.max(most, ++open)
          await sleep(5)
          open -= 1
          response.end('ok')
        }),
      ),
    )
    const sockets: Socket[] = []
    let mostSockets = 0
    const connect: Connect = target => {
      sockets.push(openSocket(target))
      mostSockets = Math.max(mostSockets, sockets.filter(socket => !socket.destroyed).length)
      return sockets.at(-1)!
    }
    const outbound = client({ connectionsPerOrigin: 3, connections: 7, connect })
    const calls = Array.from({ length: 120 }, (_, n) => get(outbound, servers[n % 3]!.url))
    expect(outbound.counts().active).toBeLessThanOrEqual(7)
    const results = await Promise.all(calls)
    expect(results.every(result => result.ok)).toBe(true)
    expect(most).toBeLessThanOrEqual(7)
    expect(mostSockets).toBe(7)
    expect(outbound.counts()).toMatchObject({ active: 0, waiting: 0 })
  })

  it('of one group do not wait for those of another to the same origin', async () => {
    const { url } = await serve((request, response) => {
      if (request.url === '/fast') response.end('ok')
    })
    const outbound = client({ connectionsPerOrigin: 2 })
    const hanging = [1, 2, 3].map(() =>
      get(outbound, `${url}hang`, { group: 'a', timeoutMs: 600, waitMs: 200 }),
    )
    expect(await get(outbound, `${url}fast`, { group: 'b' })).toMatchObject({ ok: true })
    const codes = (await Promise.all(hanging)).map(result => (result.ok ? 'ok' : result.code))
    expect(codes.sort()).toEqual(['busy', 'timeout', 'timeout'])
    expect(outbound.counts()).toMatchObject({ active: 0, waiting: 0 })
  })

  it('of lanes that wait for the total take turns', async () => {
    const order: string[] = []
    const { port } = await serve(async (request, response) => {
      order.push(request.headers.host!.split('.')[0]!)
      await sleep(5)
      response.end()
    })
    const outbound = client({ connections: 1 })
    const hosts = [...Array(6).fill('busy'), 'other', 'third']
    await Promise.all(hosts.map(host => get(outbound, `http://${host}.localhost:${port}/`)))
    expect(order.slice(0, 4).sort()).toEqual(['busy', 'busy', 'other', 'third'])
  })

  it('that the server closed while idle are replaced, also for a POST', async () => {
    let calls = 0
    const { url, server } = await serve((_request, response) => {
      calls += 1
      response.end('ok')
    })
    const outbound = client()
    for (let n = 0; n < 30; n += 1) {
      expect(await get(outbound, url, { method: 'POST' })).toMatchObject({ ok: true })
      server.closeAllConnections()
      await sleep(2)
    }
    expect(calls).toBe(30)
  })

  it('that die under a call are replaced once for idempotent methods, and reported for others', async () => {
    let calls = 0
    const { url } = await serve((request, response) => {
      calls += 1
      if (calls % 2 === 0) request.socket.destroy()
      else response.end('ok')
    })
    const outbound = client()
    expect(await get(outbound, url)).toMatchObject({ ok: true })
    expect(await get(outbound, url)).toMatchObject({ ok: true }) // calls 2 and 3
    expect(await get(outbound, url, { method: 'POST' })).toMatchObject({ ok: false, code: 'closed' }) // call 4
    expect(await get(outbound, url, { method: 'POST' })).toMatchObject({ ok: true }) // call 5
    expect(calls).toBe(5)
  })
})

describe('closing', () => {
  it('lets calls in flight end and refuses new ones', async () => {
    const { url } = await serve(async (_request, response) => {
      await sleep(100)
      response.end('late')
    })
    const outbound = client()
    const running = get(outbound, url)
    await sleep(20)
    const closing = outbound.close()
    expect(await get(outbound, url)).toMatchObject({ ok: false, code: 'shut_down' })
    await closing
    expect(await running).toMatchObject({ ok: true, body: Buffer.from('late') })
    expect(outbound.counts()).toEqual({ lanes: 0, active: 0, idle: 0, waiting: 0 })
  })

  it('aborts what outlasts the grace', async () => {
    const { url } = await serve(() => {})
    const outbound = client({ connectionsPerOrigin: 1 })
    const running = [get(outbound, url), get(outbound, url)]
    await sleep(20)
    await outbound.close({ graceMs: 50 })
    for (const call of running) expect(await call).toMatchObject({ ok: false, code: 'shut_down' })
  })

  it('of the caller by its signal ends the call at any stage', async () => {
    const { url } = await serve(() => {})
    const outbound = client()
    expect(await get(outbound, url, { signal: AbortSignal.abort() })).toMatchObject({ code: 'aborted' })
    const began = performance.now()
    expect(await get(outbound, url, { signal: AbortSignal.timeout(50) })).toMatchObject({ code: 'aborted' })
    expect(performance.now() - began).toBeLessThan(within(1000))
    expect(outbound.counts()).toEqual({ lanes: 0, active: 0, idle: 0, waiting: 0 })
  })
})
