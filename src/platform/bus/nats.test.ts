/** The bus over a real NATS server, where one answers; `NATS_URL` says where, else the usual port of this machine. */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import { natsBus } from './nats.ts'
import { busContract } from './testing/describe-bus.ts'

const { host, hostname, port } = new URL(process.env.NATS_URL ?? 'nats://127.0.0.1:4222')

function answers(): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(Number(port), hostname)
    socket.setTimeout(1_000, () => socket.destroy())
    socket.once('data', data => {
      resolve(String(data).startsWith('INFO '))
      socket.destroy()
    })
    socket.once('close', () => resolve(false))
    socket.once('error', () => resolve(false))
  })
}

/** A line to the server that can be cut. */
async function cuttable() {
  const sockets = new Set<Socket>()
  const server = createServer(near => {
    const far = connect(Number(port), hostname)
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one)
      one.pipe(other)
      one.on('error', () => {})
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `nats://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut: async () => {
      for (const socket of sockets) socket.destroy()
    },
    close: () => server.close(),
  }
}

if (await answers()) {
  busContract('the bus over NATS', async onError => {
    const line = await cuttable()
    const prefix = `test-${randomBytes(6).toString('hex')}`
    const report = (error: unknown) => {
      if (!/lost the connection/.test(String(error))) onError(error)
    }
    const [a, b] = await Promise.all([1, 2].map(() => natsBus(line.url, { prefix, onError: report })))
    const close = async () => {
      await b!.close()
      line.close()
    }
    return { a: a!, b: { ...b!, close }, interrupt: line.cut }
  })

  test('installations on one server do not receive messages of each other', async () => {
    const [one, other] = await Promise.all(
      ['test-one', 'test-other'].map(prefix => natsBus(host, { prefix })),
    )
    const received: object[] = []
    other!.subscribe('tea', message => received.push(message))
    const again = await natsBus(host, { prefix: 'test-other' })
    one!.publish('tea', { from: 'one' })
    again.publish('tea', { from: 'other' })
    await expect.poll(() => received).toEqual([{ from: 'other' }])
    await Promise.all([one!.close(), other!.close(), again.close()])
  })
} else {
  describe('the bus over NATS', () => {
    test.skip(`there is no NATS server at ${host}`, () => {})
  })
}

test('a server that cannot be reached is an error at the start', async () => {
  await expect(natsBus('nats://127.0.0.1:1', { prefix: 'x' })).rejects.toThrow(/refused/i)
})
