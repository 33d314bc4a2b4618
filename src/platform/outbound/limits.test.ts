// Receivers that hang, drip, flood or break off: every call ends in its time, with flat memory and nothing left open.
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { eventually, within } from '../../../test/harness/wait.ts'
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

/** A raw server: `answer` gets each socket when a complete request head has arrived, or immediately. */
async function serve(
  answer: (socket: Socket) => void,
  options: { concurrent?: boolean; paused?: boolean } = {},
) {
  const sockets = new Set<Socket>()
  const server = createServer({ pauseOnConnect: options.paused }, socket => {
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    if (options.concurrent) answer(socket)
    else socket.on('data', () => answer(socket))
  }).listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  cleanups.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { sockets, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` }
}

const call = (outbound: Outbound, url: string, more: Partial<OutboundRequest> = {}) =>
  outbound.request({
    method: 'POST',
    body: '{}',
    url,
    timeoutMs: 30_000,
    connectTimeoutMs: 30_000,
    maxResponseBytes: 16 * 1024,
    ...more,
  })
/** For receivers that never answer. */
const brief = { timeoutMs: 150, connectTimeoutMs: 100 }

const head = 'HTTP/1.1 200 OK\r\n'
const nothing = { lanes: 0, active: 0, idle: 0, waiting: 0 }

describe('a receiver that hangs', () => {
  const hanging: Record<string, (socket: Socket) => void> = {
    'after accepting': () => {},
    'in the status line': socket => socket.write('HTTP/1.1 2'),
    'in the headers': socket => socket.write(`${head}x-slow: `),
    'after the headers': socket => socket.write(`${head}content-length: 10\r\n\r\n`),
    'in the body': socket => socket.write(`${head}content-length: 10\r\n\r\nabc`),
    'in a chunk': socket => socket.write(`${head}transfer-encoding: chunked\r\n\r\na\r\nabc`),
    'before the last chunk': socket => socket.write(`${head}transfer-encoding: chunked\r\n\r\n3\r\nabc\r\n`),
    'in a body that ends with the connection': socket => socket.write(`${head}\r\nabc`),
    'after an informational answer': socket => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'),
  }
  it.each(Object.keys(hanging))('%s is left when the time is over', async stage => {
    const { url, sockets } = await serve(hanging[stage]!)
    const outbound = client()
    const began = performance.now()
    expect(await call(outbound, url, brief)).toMatchObject({ ok: false, code: 'timeout' })
    expect(performance.now() - began).toBeGreaterThan(140)
    expect(performance.now() - began).toBeLessThan(within(1500))
    expect(outbound.counts()).toEqual(nothing)
    await eventually(() => expect(sockets.size).toBe(0))
  })

  it('and never reads a large body does not hold it', async () => {
    const { url, sockets } = await serve(() => {}, { concurrent: true, paused: true })
    const outbound = client()
    const body = Buffer.alloc(20_000_000)
    expect(await call(outbound, url, { ...brief, body })).toMatchObject({ ok: false, code: 'timeout' })
    expect(outbound.counts()).toEqual(nothing)
    // The paused server only notices when it reads.
    for (const socket of sockets) socket.resume()
    await eventually(() => expect(sockets.size).toBe(0))
  })

  it('in name resolution or connecting is left after the connect timeout', async () => {
    const never = () => new Promise<never>(() => {})
    const outbound = client({ lookup: never })
    const result = await call(outbound, 'http://slow.example/', { timeoutMs: 5000, connectTimeoutMs: 100 })
    expect(result).toMatchObject({ ok: false, code: 'timeout', message: 'no connection within 100 ms' })
    expect(result.latencyMs).toBeLessThan(within(1000))
    // A full accept queue leaves further connections unanswered.
    const made: Socket[] = []
    const { Socket: Unconnected } = await import('node:net')
    const connect = () => {
      made.push(new Unconnected())
      return made.at(-1)!
    }
    const silent = client({ connect })
    const late = await call(silent, 'http://8.8.8.8/', { timeoutMs: 5000, connectTimeoutMs: 100 })
    expect(late).toMatchObject({ ok: false, code: 'timeout' })
    expect(made.map(socket => socket.destroyed)).toEqual([true])
    expect(silent.counts()).toEqual(nothing)
  })

  it('on its first addresses leaves time for the next', async () => {
    const { url } = await serve(socket => socket.end(`${head}content-length: 2\r\n\r\nok`))
    const { connect: tcp, Socket: Unconnected } = await import('node:net')
    const tried: string[] = []
    const outbound = client({
      lookup: async () => ['8.8.8.8', '8.8.4.4', '127.0.0.1'],
      connect: ({ address, port }) => {
        tried.push(address)
        return address === '127.0.0.1' ? tcp(port, address) : new Unconnected()
      },
    })
    const result = await call(outbound, `http://three.example:${new URL(url).port}/`, {
      timeoutMs: 30_000,
      connectTimeoutMs: 3_000,
    })
    expect(result).toMatchObject({ ok: true, status: 200 })
    expect(tried).toEqual(['8.8.8.8', '8.8.4.4', '127.0.0.1'])
  })
})

describe('a receiver that drips', () => {
  it.each(['headers', 'body', 'chunks', 'informational answers'])(
    '%s is cut off by the total time',
    async part => {
      const starts = {
        headers: head,
        body: `${head}content-length: 9999\r\n\r\n`,
        'informational answers': '',
      }
      const start = starts[part as 'body'] ?? `${head}transfer-encoding: chunked\r\n\r\n`
      const drops = {
        headers: 'x: y\r\n',
        body: 'z',
        'informational answers': 'HTTP/1.1 102 Processing\r\n\r\n',
      }
      const drop = drops[part as 'body'] ?? '1\r\nz\r\n'
      const { url, sockets } = await serve(socket => {
        socket.write(start)
        const timer = setInterval(() => socket.write(drop), 10)
        socket.on('close', () => clearInterval(timer))
      })
      const outbound = client()
      const result = await call(outbound, url, { timeoutMs: 500 })
      expect(result).toMatchObject({ ok: false, code: 'timeout' })
      if (part === 'body' || part === 'chunks') expect(result).toMatchObject({ status: 200 })
      expect(result.latencyMs).toBeLessThan(within(1500))
      expect(outbound.counts()).toEqual(nothing)
      await eventually(() => expect(sockets.size).toBe(0))
    },
  )
})

describe('a receiver that breaks off', () => {
  const breaking: Record<string, (socket: Socket) => void> = {
    'before answering': socket => socket.end(),
    'with a reset': socket => socket.resetAndDestroy(),
    'in the headers': socket => socket.end(`${head}x: `),
    'in the body': socket => socket.end(`${head}content-length: 10\r\n\r\nabc`),
    'in the body, having said close': socket =>
      socket.end(`${head}connection: close\r\ncontent-length: 10\r\n\r\nabc`),
    'in a chunk': socket => socket.end(`${head}transfer-encoding: chunked\r\n\r\na\r\nabc`),
    'in a chunk, having said close': socket =>
      socket.end(`${head}connection: close\r\ntransfer-encoding: chunked\r\n\r\na\r\nabc`),
  }
  it.each(Object.keys(breaking))('%s is reported as closed', async stage => {
    const { url } = await serve(breaking[stage]!)
    const outbound = client()
    expect(await call(outbound, url)).toMatchObject({ ok: false, code: 'closed' })
    expect(outbound.counts()).toEqual(nothing)
  })

  it('is not there at all', async () => {
    const { url, sockets } = await serve(() => {})
    expect(sockets.size).toBe(0)
    for (const clean of cleanups.splice(0)) clean()
    await sleep(20)
    const result = await call(client(), url)
    expect(result).toMatchObject({
      ok: false,
      code: 'connect_failed',
      message: expect.stringContaining('ECONNREFUSED'),
    })
  })
})

describe('a receiver that does not speak HTTP', () => {
  const talk: Record<string, string> = {
    'another protocol': 'SSH-2.0-OpenSSH_9.6\r\n',
    'two lengths': `${head}content-length: 1\r\ncontent-length: 2\r\n\r\nab`,
    'a length and chunks': `${head}content-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
    'an upgrade nobody asked for':
      'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
    'a bad chunk size': `${head}transfer-encoding: chunked\r\n\r\nzz\r\n`,
  }
  it.each(Object.keys(talk))('but %s is reported as such', async kind => {
    const { url } = await serve(socket => socket.write(talk[kind]!))
    const outbound = client()
    expect(await call(outbound, url)).toMatchObject({ ok: false, code: 'invalid_response' })
    expect(outbound.counts()).toEqual(nothing)
  })

  it('but speaks before it is asked cannot answer the next call', async () => {
    const { url } = await serve(socket => {
      socket.write(`${head}content-length: 1\r\n\r\na`)
      setTimeout(() => socket.write(`${head}content-length: 4\r\n\r\nevil`), 5)
    })
    const outbound = client()
    for (let n = 0; n < 5; n += 1) {
      expect(await call(outbound, url)).toMatchObject({ ok: true, body: Buffer.from('a') })
      // The connection is closed as soon as bytes arrive that no request asked for.
      await expect.poll(() => outbound.counts().idle).toBe(0)
    }
  })
})

describe('a large answer', () => {
  const flood = `${head}content-length: 1073741824\r\n\r\n`
  const block = Buffer.alloc(64 * 1024, 'x')

  /** Writes as fast as it is read, up to a gigabyte; counts the bytes. */
  function gigabyte(state: { written: number }) {
    return (socket: Socket) => {
      const more = () => {
        while (state.written < 2 ** 30 && !socket.destroyed) {
          state.written += block.length
          if (!socket.write(block)) return
        }
      }
      socket.write(flood)
      socket.on('drain', more)
      more()
    }
  }

  it('of 1 GB is cut at the limit while it arrives, and the connection destroyed', async () => {
    const state = { written: 0 }
    const { url, sockets } = await serve(gigabyte(state))
    const outbound = client()
    globalThis.gc?.()
    const before = process.memoryUsage.rss()
    for (let n = 0; n < 20; n += 1) {
      state.written = 0
      const result = await call(outbound, url, { timeoutMs: 5000 })
      expect(result).toMatchObject({ ok: true, status: 200, truncated: true })
      if (result.ok) expect(result.body.equals(Buffer.alloc(16 * 1024, 'x'))).toBe(true)
      await eventually(() => expect(sockets.size).toBe(0))
      expect(state.written).toBeLessThan(32 * 2 ** 20) // what the kernel's buffers hold
    }
    expect(process.memoryUsage.rss() - before).toBeLessThan(64 * 2 ** 20)
    expect(outbound.counts()).toEqual(nothing)
  })

  it.each([
    [1024, 1023, true],
    [1024, 1024, false],
    [1024, 1025, false],
    [0, 0, false],
    [1, 0, true],
    [100_000, 99_999, true],
    [100_000, 200_000, false],
  ])('of %i bytes with a limit of %i: truncated is %s', async (size, limit, truncated) => {
    const { url } = await serve(socket => {
      socket.write(`${head}content-length: ${size}\r\n\r\n`)
      socket.write(Buffer.alloc(size, 'y'))
    })
    const result = await call(client(), url, { maxResponseBytes: limit })
    expect(result).toMatchObject({ ok: true, truncated })
    if (result.ok) expect(result.body.length).toBe(Math.min(size, limit))
  })

  it('in its headers is refused', async () => {
    const { url, sockets } = await serve(socket => socket.write(`${head}x: ${'h'.repeat(17 * 1024)}\r\n\r\n`))
    expect(await call(client(), url)).toMatchObject({ ok: false, code: 'response_too_large' })
    await eventually(() => expect(sockets.size).toBe(0))
  })

  it('of many small headers is refused', async () => {
    const { url } = await serve(socket => socket.write(`${head}${'a: b\r\n'.repeat(20_000)}\r\n`))
    expect(await call(client(), url)).toMatchObject({ ok: false, code: 'response_too_large' })
  })
})

describe('a download', () => {
  const block = Buffer.alloc(64 * 1024, 'x')
  const get = (outbound: Outbound, url: string, more: Partial<OutboundRequest> = {}) =>
    outbound.download({
      method: 'GET',
      url,
      timeoutMs: 20_000,
      connectTimeoutMs: 1000,
      maxResponseBytes: 2 ** 30,
      ...more,
    })

  it('of 256 MB streams with flat memory and keeps the connection', async () => {
    const size = 256 * 2 ** 20
    const { url } = await serve(socket => {
      socket.write(`${head}content-length: ${size}\r\n\r\n`)
      let written = 0
      const more = () => {
        while (written < size) {
          written += block.length
          if (!socket.write(block)) return
        }
      }
      socket.on('drain', more)
      more()
    })
    const outbound = client()
    const before = process.memoryUsage.rss()
    const result = await get(outbound, url)
    if (!result.ok) throw new Error(result.message)
    let read = 0
    let most = 0
    for await (const chunk of result.body) {
      if (read === 0) await sleep(300) // a slow reader must hold the sender back
      read += chunk.length
      most = Math.max(most, process.memoryUsage.rss())
    }
    expect(read).toBe(size)
    expect(most - before).toBeLessThan(100 * 2 ** 20)
    await eventually(() => expect(outbound.counts()).toMatchObject({ active: 0, idle: 1 }))
  })

  it('over its limit, cut by time, broken off or left by its reader fails its stream and frees the slot', async () => {
    const endless = await serve(socket => {
      socket.write(`${head}content-length: 999999999\r\n\r\nabc`)
      const timer = setInterval(() => socket.write('abc'), 5)
      socket.on('close', () => clearInterval(timer))
    })
    const broken = await serve(socket => socket.end(`${head}content-length: 10\r\n\r\nabc`))
    const outbound = client()
    const drain = async (url: string, more: Partial<OutboundRequest>) => {
      const result = await get(outbound, url, more)
      if (!result.ok) return result.code
      try {
        for await (const _ of result.body);
        return 'whole'
      } catch (error) {
        return (error as { code: string }).code
      }
    }
    expect(await drain(endless.url, { maxResponseBytes: 20 })).toBe('response_too_large')
    expect(await drain(endless.url, { timeoutMs: 100 })).toBe('timeout')
    expect(await drain(broken.url, {})).toBe('closed')
    expect(await drain('http://10.0.0.1/', {})).toBe('forbidden_address')
    const left = await get(outbound, endless.url)
    if (!left.ok) throw new Error(left.message)
    left.body.destroy()
    await eventually(() => expect(outbound.counts()).toEqual(nothing))
    const unread = await get(outbound, endless.url, { timeoutMs: 100 })
    if (!unread.ok) throw new Error(unread.message)
    const error = await new Promise(resolve => unread.body.once('error', resolve))
    expect(error).toMatchObject({ code: 'timeout' })
    expect(outbound.counts()).toEqual(nothing)
    await eventually(() => expect(endless.sockets.size).toBe(0))
  })
})
