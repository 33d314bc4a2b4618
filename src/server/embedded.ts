/**
 * The embedded server for as long as the service wants it: one that ends without being told to is started again in
 * its place, at the same address, so that everyone who lost a connection finds it by connecting anew. One that keeps
 * ending is given up.
 */
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type EmbeddedServer, startEmbedded } from '../platform/db/embedded/start.ts'
import type { Logger } from '../platform/log.ts'

export interface SupervisedServer extends Pick<EmbeddedServer, 'connection' | 'superuser'> {
  /** Resolves when it was given up, with the reason. */
  lost: Promise<string>
  stop(): Promise<void>
}

const mostEnds = 5
const withinMs = 5 * 60_000
const pauseMs = 1_000

export async function superviseEmbedded(dataDir: string, log: Logger): Promise<SupervisedServer> {
  const tell = (line: string) => log.debug(line)
  const first = await startEmbedded({ dataDir, log: tell })
  const { host } = first.connection
  let current: Promise<EmbeddedServer> = Promise.resolve(first)
  let stopping = false

  async function startAgain(): Promise<EmbeddedServer> {
    const next = await startEmbedded({ dataDir, log: tell, earlierHost: host })
    if (next.connection.host === host) return next
    await next.stop()
    throw new Error('it cannot listen where it did before')
  }

  /** Until the server ends or cannot be started; gives the reason. */
  async function untilItEnds(): Promise<string> {
    try {
      const server = await current
      if (server !== first) log.info('the embedded database is back')
      const code = await server.exited
      return `it ended by itself${code === null ? '' : ` with code ${code}`}`
    } catch (error) {
      await sleep(pauseMs, undefined, { ref: false })
      return (error as Error).message
    }
  }

  async function keep(): Promise<string> {
    for (let ends: number[] = []; ; ) {
      const reason = await untilItEnds()
      if (stopping) return new Promise(() => {})
      const now = performance.now()
      ends = [...ends.filter(at => at > now - withinMs), now]
      if (ends.length > mostEnds)
        return `the embedded database is gone (${reason}): see ${path.join(dataDir, 'postgres.log')}`
      log.error({ reason }, 'the embedded database is away; starting it again')
      current = startAgain()
    }
  }

  return {
    connection: first.connection,
    superuser: first.superuser,
    lost: keep(),
    stop: async () => {
      stopping = true
      const server = await current.catch(() => undefined)
      await server?.stop()
    },
  }
}
