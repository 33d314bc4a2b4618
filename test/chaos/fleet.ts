/**
 * Starts an installation of several processes for fault tests: services on one PostgreSQL behind one address, the
 * sandbox as a separate process, and NATS if a server runs on this machine. Everything stops with the test.
 */
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { startEmbedded } from '../../src/platform/db/embedded/start.ts'
import { movedClock } from '../harness/moved-clock.ts'
import { freePort, fresh, type Service, scratch, start } from '../system/program.ts'
import { type SmallDisk, smallDisk } from './disk.ts'

const natsPort = 4222

export interface Fleet {
  /** Address of the proxy in front of all processes. */
  url: string
  key: string
  size: number
  /** Waits until the process runs and returns its pid. */
  getPid(n: number): Promise<number>
  /** Unexpected exits of processes, with their output. */
  unexpected: readonly string[]
  /** Kills a process and restarts it. */
  kill(n: number): Promise<void>
  killSandbox(): Promise<void>
  restartDatabase(): Promise<void>
  /** Closes every connection to NATS; returns false without NATS. */
  cutNats(): boolean
  /** The file system of all blobs; undefined if this user may not mount one. */
  disk: SmallDisk | undefined
  /** Moves the clock of a process by a number of seconds; 0 resets it. */
  setClock(n: number, seconds: number): void
  stop(): Promise<void>
}

/** Starts a TCP proxy that forwards each connection to the next port that accepts it. */
async function startProxy(ports: () => number[]) {
  const sockets = new Set<Socket>()
  let nextPort = 0
  const server = createServer(client => {
    sockets.add(client)
    client.on('error', () => {})
    client.on('close', () => sockets.delete(client))
    const candidates = ports()
    const first = nextPort++
    const attempt = (n: number): void => {
      if (n === candidates.length) return void client.destroy()
      const upstream = connect(candidates[(first + n) % candidates.length]!, '127.0.0.1')
      const fail = () => attempt(n + 1)
      upstream.once('error', fail)
      upstream.once('connect', () => {
        upstream.off('error', fail)
        upstream.on('error', () => client.destroy())
        upstream.on('close', () => client.destroy())
        client.on('close', () => upstream.destroy())
        client.pipe(upstream).pipe(client)
      })
    }
    attempt(0)
  })
  const port = await freePort()
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    port,
    cut: () => {
      for (const socket of sockets) socket.destroy()
    },
    close: () => {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

async function isNats(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  const greeted = await Promise.race([
    once(socket, 'data').then(([data]) => String(data).startsWith('INFO ')),
    sleep(1_000).then(() => false),
  ]).catch(() => false)
  socket.destroy()
  return greeted
}

/** `silentMs` is the longest time that the provider may be unable to reach the service. */
export async function startFleet(size: number, silentMs: number): Promise<Fleet> {
  const root = scratch()
  const options = { dataDir: fresh(root, 'database') }
  let server = await startEmbedded(options)
  const nats = (await isNats(natsPort)) ? await startProxy(() => [natsPort]) : undefined
  const secret = { SECRET_KEY: 'a secret of tests, and of nothing else', LOG_LEVEL: 'warn' }
  const sandboxPort = await freePort()
  const command = ['sandbox', '--port', String(sandboxPort)]
  const startSandbox = async () => {
    const running = await start({ dataDir: path.join(root, 'sandbox'), env: secret, command })
    await waitForPort(sandboxPort)
    return running
  }
  let sandbox = await startSandbox()
  const ports = await Promise.all(Array.from({ length: size }, freePort))
  const front = await startProxy(() => ports)
  const url = `http://127.0.0.1:${front.port}`
  const env = {
    ...secret,
    LOG_LEVEL: 'info',
    DATABASE_URL: `postgres:///parley?host=${encodeURIComponent(server.connection.host)}&user=parley`,
    PUBLIC_URL: url,
    OUTBOUND_LOOPBACK: 'on',
    // The test fills a small disk to the last byte.
    MIN_FREE_DISK_MB: '0',
    // A call to a paused process takes 15 s to fail, and its retry may reach the same process.
    SEND_RECONCILE_SECONDS: String(Math.ceil(Math.max(10_000, 3 * silentMs) / 1_000)),
    SANDBOX_URL: `http://127.0.0.1:${sandboxPort}`,
    ...(nats ? { NATS_URL: `nats://127.0.0.1:${nats.port}`, NATS_PREFIX: `faults-${process.pid}` } : {}),
  }
  const disk = smallDisk(root)
  onTestFinished(() => disk?.remove())
  const clocks = ports.map((_, n) => movedClock(path.join(root, `clock ${n}`)))
  const startService = (n: number) => {
    const dataDir = path.join(root, `service ${n}`)
    disk?.useFor(dataDir)
    return start({ dataDir, port: ports[n]!, env: { ...env, ...clocks[n]!.env } })
  }
  const services: Service[] = []
  let stopping = false
  /** Restarts a process that exits. It may exit only if it was started while the database was down. */
  const supervise = async (n: number): Promise<void> => {
    const service = await startService(n)
    services[n] = service
    void service.ended.then(async ({ code, signal }) => {
      if (stopping || services[n] !== service) return
      const errors = service.errors().trim()
      if (!errors.startsWith('parley: the database is not usable:'))
        unexpected.push(`process ${n} exited (${code ?? signal}): ${errors.slice(-2_000)}`)
      await sleep(500)
      if (!stopping && services[n] === service) await supervise(n)
    })
  }
  const unexpected: string[] = []
  await supervise(0)
  await services[0]!.ready()
  const { apiKey } = services[0]!.credentials()
  for (let n = 1; n < size; n++) await supervise(n)
  await Promise.all(services.map(service => service.ready()))
  return {
    url,
    key: apiKey,
    size,
    unexpected,
    getPid: async n => {
      while (services[n]!.child.exitCode !== null || services[n]!.child.signalCode !== null) await sleep(50)
      return services[n]!.pid
    },
    async kill(n) {
      const killed = services[n]!
      services[n] = { ...killed } // keeps the supervisor from restarting it
      await killed.kill()
      await supervise(n)
    },
    async killSandbox() {
      await sandbox.kill()
      sandbox = await startSandbox()
    },
    async restartDatabase() {
      await server.stop()
      await sleep(300)
      server = await startEmbedded(options)
    },
    disk,
    setClock: (n, seconds) => clocks[n]!.set(seconds),
    cutNats: () => {
      nats?.cut()
      return nats !== undefined
    },
    async stop() {
      stopping = true
      await Promise.all(services.map(service => service.stop()))
      await sandbox.kill()
      await server.stop()
      front.close()
      nats?.close()
    },
  }
}

async function waitForPort(port: number): Promise<void> {
  for (const end = Date.now() + 30_000; Date.now() < end; await sleep(50)) {
    const socket = connect(port, '127.0.0.1')
    const open = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    if (open) return
  }
  throw new Error(`nothing listens on ${port}`)
}
