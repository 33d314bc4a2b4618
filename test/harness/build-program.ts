/** Builds the program, the console and the web chat, unless they have been built from the same sources. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { projectRoot } from '../../src/platform/project-root.ts'

export async function buildProgram(): Promise<void> {
  const args = [path.join(projectRoot, 'bin/parley.js'), '--build-only']
  const [code] = await once(spawn(process.execPath, args, { stdio: 'inherit' }), 'close')
  if (code !== 0) throw new Error('the program cannot be built')
}
