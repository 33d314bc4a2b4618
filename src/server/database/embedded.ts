/**
 * Supervises the embedded PostgreSQL server. A server that exits unexpectedly is restarted at the same address, so
 * that connection pools recover by reconnecting. After too many exits in a short time the supervisor gives up.
 */
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type EmbeddedServer, startEmbedded } from '../../platform/db/embedded/start.ts'
import type { Logger } from '../../platform/log.ts'

export interface SupervisedServer extends Pick<EmbeddedServer, 'connection' | 'superuser'> {
  /** Resolves with the reason when the supervisor gives up. */
  lost: Promise<string>
  stop(): Promise<void>
}

const maxExits = 5
const exitWindowMs = 5 * 60_000
const retryDelayMs = 1_000

export async function superviseEmbedded(dataDir: string, log: Logger): Promise<SupervisedServer> {
  const debug = (line: string) => log.debug(line)
  const first = await startEmbedded({ dataDir, log: debug })
  const { host } = first.connection
  let current: Promise<EmbeddedServer> = Promise.resolve(first)
  let stopping = false

  async function restart(): Promise<EmbeddedServer> {
    const next = await startEmbedded({ dataDir, log: debug, earlierHost: host })
    if (next.connection.host === host) return next
    await next.stop()
    throw new Error('it cannot listen at its previous address')
  }

  /** Waits until the server exits or fails to start; returns the reason. */
  async function waitForExit(): Promise<string> {
    try {
      const server = await current
      if (server !== first) log.info('embedded database restarted')
      const code = await server.exited
      return `it exited unexpectedly${code === null ? '' : ` with code ${code}`}`
    } catch (error) {
      await sleep(retryDelayMs, undefined, { ref: false })
      return (error as Error).message
    }
  }

  async function supervise(): Promise<string> {
    for (let exits: number[] = []; ; ) {
      const reason = await waitForExit()
      if (stopping) return new Promise(() => {})
      const now = performance.now()
      exits = [...exits.filter(at => at > now - exitWindowMs), now]
      if (exits.length > maxExits)
        return `the embedded database keeps exiting (${reason}): see ${path.join(dataDir, 'postgres.log')}`
      log.error({ reason }, 'embedded database exited; restarting it')
      current = restart()
    }
  }

  return {
    connection: first.connection,
    superuser: first.superuser,
    lost: supervise(),
    stop: async () => {
      stopping = true
      const server = await current.catch(() => undefined)
      await server?.stop()
    },
  }
}
