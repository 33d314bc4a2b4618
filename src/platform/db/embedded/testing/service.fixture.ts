/**
 * Stands for the service in tests: starts the embedded server in the directory it is given, reports in one line of
 * JSON, and runs until it is asked to stop or is killed.
 */
import { startEmbedded } from '../start.ts'

export interface Report {
  error?: { name: string; message: string }
  logged: string[]
  server?: {
    connection: { host: string; port: number; user: string; database: string }
    superuser: { host: string; port: number; user: string; database: string }
    pid: number
    dataDir: string
  }
}

const logged: string[] = []
const say = (report: Report) => process.stdout.write(`${JSON.stringify(report)}\n`)

try {
  const dataDir = process.argv[2] ?? ''
  const {
    stop,
    connection,
    superuser,
    pid,
    dataDir: cluster,
  } = await startEmbedded({
    dataDir,
    log: line => logged.push(line),
    settings: { shared_buffers: '16MB' },
  })
  say({ logged, server: { connection, superuser, pid, dataDir: cluster } })
  process.stdin.once('data', async () => {
    await stop()
    process.exit(0)
  })
} catch (error) {
  const { name, message } = error as Error
  say({ logged, error: { name, message } })
  process.exitCode = 1
}
