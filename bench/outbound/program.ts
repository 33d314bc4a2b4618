/** Runs the program as a process until it is stopped. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Program {
  pid: number
  url: string
  stop(): Promise<void>
}

const bin = path.resolve(import.meta.dirname, '../../bin/parley.js')

/** Resolves when the program answers. The address is that of `port`, or the one that it logs. */
export async function startProgram(
  args: readonly string[],
  { port, ...env }: Record<string, string> & { port?: string },
): Promise<Program> {
  const child = spawn(process.execPath, [bin, ...args], {
    env: { ...process.env, LOG_LEVEL: port ? 'error' : 'info', ...(port ? { PORT: port } : {}), ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const url = port ? `http://127.0.0.1:${port}` : await readAddress(child.stdout)
  while (port && (await fetch(`${url}/readyz`).catch(() => undefined))?.status !== 200) await sleep(100)
  child.stdout.resume()
  return {
    pid: child.pid!,
    url,
    stop: async () => {
      child.kill('SIGTERM')
      await once(child, 'close')
    },
  }
}

async function readAddress(output: Readable): Promise<string> {
  let text = ''
  for await (const chunk of output.iterator({ destroyOnReturn: false })) {
    text += chunk
    const found = /"url":"([^"]+)"/.exec(text)?.[1]
    if (found) return found
  }
  throw new Error(`the program ended: ${text}`)
}
