/** Starts the service and the sandbox as separate processes, as an operator would. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const program = path.resolve(import.meta.dirname, '../../bin/parley.js')
const timeoutMs = 60_000

export interface Installation {
  url: string
  key: string
  /** Pid of the service, not of the sandbox. */
  pid: number
  stop(): Promise<void>
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  return port
}

export async function install(): Promise<Installation> {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'parley-soak-'))
  const [port, providers] = [await freePort(), await freePort()]
  const run = (args: string[], env: Record<string, string>): ChildProcess => {
    const child = spawn(process.execPath, [program, ...args], {
      env: { ...process.env, DATA_DIR: dataDir, LOG_LEVEL: 'warn', ...env },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    process.once('exit', () => child.kill())
    return child
  }
  const sandbox = run(['sandbox', '--port', String(providers)], {})
  const service = run(['serve'], {
    PORT: String(port),
    OUTBOUND_LOOPBACK: 'on',
    SANDBOX_URL: `http://127.0.0.1:${providers}`,
  })
  const url = `http://127.0.0.1:${port}`
  const end = Date.now() + timeoutMs
  const isReady = () =>
    fetch(`${url}/readyz`).then(
      answer => answer.ok,
      () => false,
    )
  while (!(await isReady())) {
    if (service.exitCode !== null || Date.now() > end) throw new Error('the service did not start')
    await sleep(50)
  }
  const { apiKey } = JSON.parse(readFileSync(path.join(dataDir, 'credentials.json'), 'utf8'))
  return {
    url,
    key: apiKey,
    pid: service.pid!,
    async stop() {
      for (const child of [service, sandbox]) {
        if (child.exitCode !== null) continue
        child.kill()
        await once(child, 'close')
      }
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 })
    },
  }
}
