/**
 * An installation of several processes, made to be hurt: services on one PostgreSQL behind one address, the providers in
 * a process of their own, NATS between them where one answers. Everything on this machine, everything ended with the test.
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
  /** Where all of it is reached. */
  url: string
  key: string
  size: number
  /** Of a process that runs. */
  pidOf(n: number): Promise<number>
  /** What ended without being asked to, and why. */
  unexpected: readonly string[]
  /** Ends a process with -9 and starts it again. */
  kill(n: number): Promise<void>
  killSandbox(): Promise<void>
  restartDatabase(): Promise<void>
  /** Cuts every line to NATS; false where there is none. */
  cutNats(): boolean
  /** The file system of everybody's blobs; undefined where this user may not mount one. */
  disk: SmallDisk | undefined
  /** Moves the clock of a process by so many seconds, 0 to put it right. */
  setClock(n: number, seconds: number): void
  stop(): Promise<void>
}

/** A door that passes connections on to whoever of several is there. */
async function door(ports: () => number[]) {
  const sockets = new Set<Socket>()
  let turn = 0
  const server = createServer(near => {
    sockets.add(near)
    near.on('error', () => {})
    near.on('close', () => sockets.delete(near))
    const candidates = ports()
    const first = turn++
    const attempt = (n: number): void => {
      if (n === candidates.length) return void near.destroy()
      const far = connect(candidates[(first + n) % candidates.length]!, '127.0.0.1')
      const fail = () => attempt(n + 1)
      far.once('error', fail)
      far.once('connect', () => {
        far.off('error', fail)
        far.on('error', () => near.destroy())
        far.on('close', () => near.destroy())
        near.on('close', () => far.destroy())
        near.pipe(far).pipe(near)
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

async function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  const told = await Promise.race([
    once(socket, 'data').then(([data]) => String(data).startsWith('INFO ')),
    sleep(1_000).then(() => false),
  ]).catch(() => false)
  socket.destroy()
  return told
}

/** `silentMs` is how long the provider may be unable to reach us. */
export async function startFleet(size: number, silentMs: number): Promise<Fleet> {
  const root = scratch()
  const options = { dataDir: fresh(root, 'database') }
  let server = await startEmbedded(options)
  const nats = (await answers(natsPort)) ? await door(() => [natsPort]) : undefined
  const secret = { SECRET_KEY: 'a secret of tests, and of nothing else', LOG_LEVEL: 'warn' }
  const sandboxPort = await freePort()
  const command = ['sandbox', '--port', String(sandboxPort)]
  const startSandbox = async () => {
    const running = await start({ dataDir: path.join(root, 'sandbox'), env: secret, command })
    await untilOpen(sandboxPort)
    return running
  }
  let sandbox = await startSandbox()
  const ports = await Promise.all(Array.from({ length: size }, freePort))
  const front = await door(() => ports)
  const url = `http://127.0.0.1:${front.port}`
  const env = {
    ...secret,
    LOG_LEVEL: 'info',
    DATABASE_URL: `postgres:///parley?host=${encodeURIComponent(server.connection.host)}&user=parley`,
    PUBLIC_URL: url,
    // As an operator would set it: a call to a process that stands still takes 15 s to fail, and may meet it again.
    UNCERTAIN_SECONDS: String(Math.ceil(Math.max(10_000, 3 * silentMs) / 1_000)),
    SANDBOX_URL: `http://127.0.0.1:${sandboxPort}`,
    ...(nats ? { NATS_URL: `nats://127.0.0.1:${nats.port}`, NATS_PREFIX: `faults-${process.pid}` } : {}),
  }
  const disk = smallDisk(root)
  onTestFinished(() => disk?.remove())
  const clocks = ports.map((_, n) => movedClock(path.join(root, `clock ${n}`)))
  const startOne = (n: number) => {
    const dataDir = path.join(root, `service ${n}`)
    disk?.useFor(dataDir)
    return start({ dataDir, port: ports[n]!, env: { ...env, ...clocks[n]!.env } })
  }
  const services: Service[] = []
  let stopping = false
  /**
   * As whoever looks after processes does: one that ends by itself is started again. It may do so only because it was
   * started while the database was away, and says so.
   */
  const keep = async (n: number): Promise<void> => {
    const service = await startOne(n)
    services[n] = service
    void service.ended.then(async ({ code, signal }) => {
      if (stopping || services[n] !== service) return
      const said = service.errors().trim()
      if (!said.startsWith('parley: the database cannot be used:'))
        unexpected.push(`process ${n} ended by itself (${code ?? signal}): ${said.slice(-2_000)}`)
      await sleep(500)
      if (!stopping && services[n] === service) await keep(n)
    })
  }
  const unexpected: string[] = []
  await keep(0)
  await services[0]!.ready()
  const { apiKey } = services[0]!.credentials()
  for (let n = 1; n < size; n++) await keep(n)
  await Promise.all(services.map(service => service.ready()))
  return {
    url,
    key: apiKey,
    size,
    unexpected,
    pidOf: async n => {
      while (services[n]!.child.exitCode !== null || services[n]!.child.signalCode !== null) await sleep(50)
      return services[n]!.pid
    },
    async kill(n) {
      const killed = services[n]!
      services[n] = { ...killed } // nobody but us starts it again
      await killed.kill()
      await keep(n)
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

async function untilOpen(port: number): Promise<void> {
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
