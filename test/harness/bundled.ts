/** A fixture that runs as a process of its own, as a bundle: started from its sources it would load for seconds each time. */
import { createHash } from 'node:crypto'
import path from 'node:path'
import { bundle } from '../../bin/bundle.js'
import { projectRoot } from '../../src/platform/project-root.ts'

const made = new Map<string, string>()

/** Where the bundle of this fixture is; made once for each process of tests. */
export function bundled(fixture: string): string {
  const known = made.get(fixture)
  if (known) return known
  const name = createHash('sha256').update(`${fixture} ${process.pid}`).digest('hex').slice(0, 16)
  const folder = path.join(projectRoot, 'dist', `fixture-${name}`)
  bundle(projectRoot, [fixture], folder)
  const file = path.join(folder, path.basename(fixture).replace(/\.ts$/, '.js'))
  made.set(fixture, file)
  return file
}
