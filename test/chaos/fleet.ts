/**
 * Starts an installation of several processes for fault tests: services on one replicated PostgreSQL, behind one address,
 * the sandbox as a separate process, and NATS if a server runs on this machine. Everything stops with the test.
 */
import { once } from 'node:events'
import { connect } from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { movedClock } from '../harness/moved-clock.ts'
import { startReplicatedPostgres } from '../harness/replicated-postgres.ts'
import { startTcpProxy } from '../harness/tcp-proxy.ts'
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
  /** Stops and starts the processes in order, one after another, as a new release does. */
  restartAll(): Promise<void>
  restartDatabase(): Promise<void>
  /** Kills the primary of the database and promotes its standby. */
  failOver(): Promise<void>
  /** Closes every connection to NATS; returns false without NATS. */
  cutNats(): boolean
  /** The file system of all blobs; undefined if this user may not mount one. */
  disk: SmallDisk | undefined
  /** Moves the clock of a process by a number of seconds; 0 resets it. */
  setClock(n: number, seconds: number): void
  stop(): Promise<void>
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
  const database = await startReplicatedPostgres(() => fresh(root, 'database'))
  const onPort = (port: number) => ({ port, host: '127.0.0.1' })
  const nats = (await isNats(natsPort)) ? await startTcpProxy(() => [onPort(natsPort)]) : undefined
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
  const front = await startTcpProxy(() => ports.map(onPort))
  const url = `http://127.0.0.1:${front.port}`
  const env = {
    ...secret,
    LOG_LEVEL: 'info',
    DATABASE_URL: database.url,
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
    async restartAll() {
      for (let n = 0; n < size; n++) {
        const stopped = services[n]!
        services[n] = { ...stopped } // keeps the supervisor from restarting it
        const { code } = await stopped.stop()
        if (code !== 0 && stopped.log().some(line => line.msg === 'listening'))
          unexpected.push(`process ${n} stopped with code ${code}: ${stopped.errors().slice(-2_000)}`)
        await supervise(n)
        await waitForPort(ports[n]!)
      }
    },
    restartDatabase: database.restart,
    failOver: database.failOver,
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
      await database.stop()
      front.close()
      nats?.close()
    },
  }
}

async function waitForPort(port: number): Promise<void> {
  for (const end = Date.now() + 120_000; Date.now() < end; await sleep(50)) {
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
