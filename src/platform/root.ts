/** Where the checkout or the image has its files beside the program: the sources and the bundle lie at different depths. */
import { existsSync } from 'node:fs'
import path from 'node:path'

function findRoot(from: string): string {
  if (existsSync(path.join(from, 'package.json'))) return from
  const above = path.dirname(from)
  if (above === from) throw new Error(`no package.json in any directory above ${import.meta.dirname}`)
  return findRoot(above)
}

export const root = findRoot(import.meta.dirname)
