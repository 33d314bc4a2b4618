/** Where the checkout or the image has its files beside the program: the sources and the bundle lie at different depths. */
import { existsSync } from 'node:fs'
import path from 'node:path'

function findProjectRoot(from: string): string {
  if (existsSync(path.join(from, 'package.json'))) return from
  const parent = path.dirname(from)
  if (parent === from) throw new Error(`no package.json in any directory above ${import.meta.dirname}`)
  return findProjectRoot(parent)
}

export const projectRoot = findProjectRoot(import.meta.dirname)
