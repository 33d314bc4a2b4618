/** Runs the sandbox as a separate process, like a provider. */
import { spawn } from 'node:child_process'
import path from 'node:path'
import type { Deps } from '../../src/platform/deps.ts'
import { sandboxUrls } from '../../src/sandbox/sandbox.ts'

export async function startSandboxProcess({ config }: Deps) {
  const program = path.resolve(import.meta.dirname, '../../src/main.ts')
  const child = spawn(process.execPath, ['--import', 'tsx', program, 'sandbox', '--port', '0'], {
    env: { ...process.env, DATA_DIR: config.dataDir, LOG_LEVEL: 'info' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const url = await new Promise<string>((resolve, reject) => {
    let output = ''
    child.stdout.on('data', chunk => {
      output += chunk
      const found = /"url":"([^"]+)"/.exec(output)?.[1]
      if (found) resolve(found)
    })
    child.once('exit', () => reject(new Error(`the sandbox did not start: ${output}`)))
  })
  return { url, urls: sandboxUrls(url), stop: () => child.kill('SIGTERM') }
}
