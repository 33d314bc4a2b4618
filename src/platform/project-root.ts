/** Finds the root directory of the checkout or image (sources and bundle are at different depths) and the version. */
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

function findProjectRoot(from: string): string {
  if (existsSync(path.join(from, 'package.json'))) return from
  const parent = path.dirname(from)
  if (parent === from) throw new Error(`no package.json in any directory above ${import.meta.dirname}`)
  return findProjectRoot(parent)
}

export const projectRoot = findProjectRoot(import.meta.dirname)

const manifest = readFileSync(path.join(projectRoot, 'package.json'), 'utf8')

export const { version } = JSON.parse(manifest) as { version: string }
