/**
 * Reads and writes the manifest of a backup. A backup is a directory: `data/` contains the files of a data directory,
 * `manifest.json` lists each of them with its checksum. The manifest is written last, so a directory without a
 * manifest is an unfinished backup.
 */
import { readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { ConfigError } from '../../platform/config.ts'

export interface BackupFile {
  path: string
  size: number
  sha256: string
}

export interface Manifest {
  format: 1
  /** The version of the program that created the backup. */
  version: string
  createdAt: string
  /** The major version of PostgreSQL. */
  postgres: number
  /** The newest migration of the database. */
  migration: number
  directories: string[]
  files: BackupFile[]
}

export const dataDirectoryIn = (backup: string) => path.join(backup, 'data')
const manifestIn = (backup: string) => path.join(backup, 'manifest.json')

export async function writeManifest(backup: string, manifest: Manifest): Promise<void> {
  const file = manifestIn(backup)
  await writeFile(`${file}.new`, `${JSON.stringify(manifest, null, 1)}\n`, { mode: 0o600, flush: true })
  await rename(`${file}.new`, file)
}

export async function readManifest(backup: string): Promise<Manifest> {
  const text = await readFile(manifestIn(backup), 'utf8').catch(error => {
    throw new ConfigError(`${backup} is not a backup, or an unfinished one: ${error.message}`)
  })
  const manifest = parse(text)
  if (!manifest) throw new ConfigError(`the manifest of ${backup} is damaged: use another backup`)
  if (manifest.format !== 1)
    throw new ConfigError(
      `${backup} was created by a later version (${manifest.version}): restore it with that version`,
    )
  const outside = [...manifest.directories, ...manifest.files.map(file => file.path)].find(isOutside)
  if (outside !== undefined)
    throw new ConfigError(
      `the manifest of ${backup} lists ${outside}, a path outside it: do not trust this backup`,
    )
  return manifest
}

function parse(text: string): Manifest | undefined {
  try {
    const manifest = JSON.parse(text) as Manifest
    return Array.isArray(manifest.files) && Array.isArray(manifest.directories) ? manifest : undefined
  } catch {
    return undefined
  }
}

function isOutside(name: string): boolean {
  return path.isAbsolute(name) || name.split('/').includes('..')
}
