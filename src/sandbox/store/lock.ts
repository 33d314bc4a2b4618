/** Ensures one process per data directory with an abstract socket, which the kernel removes with the process. */
import { createHash } from 'node:crypto'
import { realpathSync } from 'node:fs'
import net from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { ConfigError } from '../../platform/config.ts'

// The kernel needs a moment to close the sockets of a killed process.
const timeoutMs = 1000

function listen(name: string): Promise<net.Server | undefined> {
  return new Promise((resolve, reject) => {
    const server = net.createServer(socket => socket.destroy())
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(undefined) : reject(error),
    )
    server.listen(name, () => resolve(server))
    server.unref()
  })
}

/** Returns a function that releases the lock. Abstract sockets exist on Linux only; elsewhere nothing is locked. */
export async function lockDirectory(dir: string): Promise<() => void> {
  if (process.platform !== 'linux') return () => {}
  const name = `\0parley-sandbox-${createHash('sha256').update(realpathSync(dir)).digest('hex').slice(0, 40)}`
  const deadline = Date.now() + timeoutMs
  for (;;) {
    const server = await listen(name)
    if (server) return () => server.close()
    if (Date.now() > deadline)
      throw new ConfigError(
        `the sandbox in ${dir} belongs to another process: let all processes use one with SANDBOX_URL (see parley sandbox), or set another DATA_DIR`,
      )
    await sleep(50)
  }
}
