/**
 * Restores a backup into an empty data directory. A marker file exists there until all files are in place and the
 * database has been opened once: no service starts on an unfinished restore, and the next restore starts over.
 */
import { chown, mkdir, open, readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { type Config, ConfigError } from '../../platform/config.ts'
import { findPackage, toMajorVersion } from '../../platform/db/embedded/binaries.ts'
import { type LaunchMode, writeClusterLocation } from '../../platform/db/embedded/cluster-location.ts'
import { chooseLaunchMode } from '../../platform/db/embedded/launch-mode.ts'
import { acquireOwnership } from '../../platform/db/embedded/lock.ts'
import { startEmbedded } from '../../platform/db/embedded/start.ts'
import { findTools } from '../../platform/db/embedded/tools.ts'
import { readMigrations } from '../../platform/db/migrate.ts'
import { restoreMarkerPath } from '../database/database.ts'
import { markRestored } from '../installation/installation.ts'
import { copyFile, forEachConcurrently } from './copy.ts'
import { type BackupFile, dataDirectoryIn, type Manifest, readManifest } from './manifest.ts'
import { type Progress, syncDirectories } from './writer.ts'

export async function restore(config: Config, source: string, progress: Progress): Promise<Manifest> {
  const manifest = await readManifest(source)
  await assertCompatible(manifest)
  const dataDir = path.resolve(config.dataDir)
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  await fill(dataDir, source, manifest, progress)
  const server = await startEmbedded({ dataDir })
  await server.stop()
  await markRestored(dataDir)
  await rm(restoreMarkerPath(dataDir))
  return manifest
}

async function assertCompatible({ postgres, migration, version }: Manifest): Promise<void> {
  const major = toMajorVersion((await findPackage()).version)
  if (postgres !== major)
    throw new ConfigError(
      `the backup is of PostgreSQL ${postgres}, but this Parley includes ${major}: restore it with Parley ${version}`,
    )
  const newest = (await readMigrations()).at(-1)?.number ?? 0
  if (migration > newest)
    throw new ConfigError(`the backup is of a later version: restore it with Parley ${version} or later`)
}

/** Fills the data directory while holding the lock on it. */
async function fill(dataDir: string, source: string, manifest: Manifest, progress: Progress): Promise<void> {
  const tools = await findTools()
  const owner = await acquireOwnership(dataDir, tools.flock)
  try {
    await assertEmpty(dataDir)
    await writeMarker(dataDir)
    await clear(dataDir)
    const cluster = path.join(dataDir, 'postgres')
    const { mode } = await chooseLaunchMode(dataDir, cluster, tools, await findPackage())
    await copyBack(dataDir, source, manifest, mode, progress).catch(async error => {
      await clear(dataDir)
      await rm(restoreMarkerPath(dataDir))
      throw error
    })
    await writeClusterLocation(dataDir, { mode: mode.kind, uid: mode.uid, gid: mode.gid, cluster })
    await syncDirectories(dataDir, manifest.directories)
  } finally {
    owner.release()
  }
}

const ignoredNames = ['postgres.owner', 'lost+found']

async function listContents(dataDir: string): Promise<string[]> {
  return (await readdir(dataDir)).filter(name => !ignoredNames.includes(name))
}

/** Accepts the files of an unfinished restore: no service can have started on them. */
async function assertEmpty(dataDir: string): Promise<void> {
  const names = await listContents(dataDir)
  if (names.length > 0 && !names.includes(path.basename(restoreMarkerPath(dataDir))))
    throw new ConfigError(
      `the data directory ${dataDir} is not empty: move it away, or set DATA_DIR to an empty or new one`,
    )
}

async function writeMarker(dataDir: string): Promise<void> {
  const file = await open(restoreMarkerPath(dataDir), 'w', 0o600)
  await file.close()
  await syncDirectories(dataDir, [])
}

async function clear(dataDir: string): Promise<void> {
  const names = (await listContents(dataDir)).filter(
    name => name !== path.basename(restoreMarkerPath(dataDir)),
  )
  for (const name of names) await rm(path.join(dataDir, name), { recursive: true, force: true })
}

async function copyBack(
  dataDir: string,
  source: string,
  { directories, files }: Manifest,
  mode: LaunchMode,
  progress: Progress,
): Promise<void> {
  progress.expect(files.reduce((sum, file) => sum + file.size, 0))
  const changeOwner = async (name: string) => {
    if (mode.kind === 'other-user' && /^postgres($|\/)/.test(name))
      await chown(path.join(dataDir, name), mode.uid, mode.gid)
  }
  for (const name of directories) {
    await mkdir(path.join(dataDir, name), { mode: 0o700 })
    await changeOwner(name)
  }
  await forEachConcurrently(files, async file => {
    await restoreFile(
      path.join(dataDirectoryIn(source), file.path),
      path.join(dataDir, file.path),
      file,
      progress,
    )
    await changeOwner(file.path)
  })
}

async function restoreFile(from: string, to: string, saved: BackupFile, progress: Progress): Promise<void> {
  const copied = await copyFile(from, to, progress.advance).catch(error => {
    throw error.code === 'ENOENT' ? new ConfigError(`the backup is damaged: ${from} is missing`) : error
  })
  if (copied.size !== saved.size || copied.sha256 !== saved.sha256)
    throw new ConfigError(`the backup is damaged: ${from} differs from the saved file`)
}
