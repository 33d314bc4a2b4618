/** Runs the checks of `npm run check`, one per core, and prints the output of those that fail. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'

/** Package scripts, the longest first. */
const checks = ['types', 'generate -- --check', 'boundaries', 'lint', 'dead-code', 'vocabulary']

async function run(check: string): Promise<boolean> {
  const startedAt = performance.now()
  const child = spawn(`npm run -s ${check}`, { shell: true, stdio: ['ignore', 'pipe', 'pipe'] })
  const output: Buffer[] = []
  child.stdout.on('data', chunk => output.push(chunk))
  child.stderr.on('data', chunk => output.push(chunk))
  const [code] = await once(child, 'close')
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  console.log(`${code === 0 ? 'passed' : 'FAILED'}  ${check.split(' ')[0]} (${seconds} s)`)
  if (code !== 0) process.stdout.write(Buffer.concat(output))
  return code === 0
}

const waiting = checks.values()
const results: boolean[] = []
async function work(): Promise<void> {
  for (const check of waiting) results.push(await run(check))
}
await Promise.all(Array.from({ length: availableParallelism() }, work))
process.exitCode = results.every(Boolean) ? 0 : 1
