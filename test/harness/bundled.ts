/** Bundles fixtures that run as separate processes: from their sources each would take seconds to load. */
import { createHash } from 'node:crypto'
import path from 'node:path'
import { bundle } from '../../bin/bundle.js'
import { projectRoot } from '../../src/platform/project-root.ts'

const bundles = new Map<string, string>()

/** Returns the path of the fixture's bundle, created once per test process. */
export function bundled(fixture: string): string {
  const existing = bundles.get(fixture)
  if (existing) return existing
  const name = createHash('sha256').update(`${fixture} ${process.pid}`).digest('hex').slice(0, 16)
  const folder = path.join(projectRoot, 'dist', `fixture-${name}`)
  bundle(projectRoot, [fixture], folder)
  const file = path.join(folder, path.basename(fixture).replace(/\.ts$/, '.js'))
  bundles.set(fixture, file)
  return file
}
