/**
 * Puts a backup into an empty data directory. A mark lies there until everything is in place and the database has been
 * opened once: no service starts on half a restore, and the next restore begins anew.
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
import { restoreMarkerPath } from '../database.ts'
import { copyFile, forEachConcurrently } from './copy.ts'
import { type BackupFile, dataDirectoryIn, type Manifest, readManifest } from './manifest.ts'
import { type Progress, syncDirectories } from './writer.ts'

export async function restore(config: Config, source: string, progress: Progress): Promise<Manifest> {
  const manifest = await readManifest(source)
  await mustBeReadable(manifest)
  const dataDir = path.resolve(config.dataDir)
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  await fill(dataDir, source, manifest, progress)
  const server = await startEmbedded({ dataDir })
  await server.stop()
  await rm(restoreMarkerPath(dataDir))
  return manifest
}

async function mustBeReadable({ postgres, migration, version }: Manifest): Promise<void> {
  const major = toMajorVersion((await findPackage()).version)
  if (postgres !== major)
    throw new ConfigError(
      `the backup is of PostgreSQL ${postgres}, and this Parley brings ${major}: restore it with Parley ${version}`,
    )
  const newest = (await readMigrations()).at(-1)?.number ?? 0
  if (migration > newest)
    throw new ConfigError(`the backup is of a later version: restore it with Parley ${version} or later`)
}

/** As the only one at work in the data directory. */
async function fill(dataDir: string, source: string, manifest: Manifest, progress: Progress): Promise<void> {
  const tools = await findTools()
  const owner = await acquireOwnership(dataDir, tools.flock)
  try {
    await mustBeEmpty(dataDir)
    await mark(dataDir)
    await clear(dataDir)
    const cluster = path.join(dataDir, 'postgres')
    const { mode: way } = await chooseLaunchMode(dataDir, cluster, tools, await findPackage())
    await putBack(dataDir, source, manifest, way, progress).catch(async error => {
      await clear(dataDir)
      await rm(restoreMarkerPath(dataDir))
      throw error
    })
    await writeClusterLocation(dataDir, { mode: way.kind, uid: way.uid, gid: way.gid, cluster })
    await syncDirectories(dataDir, manifest.directories)
  } finally {
    owner.release()
  }
}

const ofTheLock = ['postgres.owner', 'lost+found']

async function contentsOf(dataDir: string): Promise<string[]> {
  return (await readdir(dataDir)).filter(name => !ofTheLock.includes(name))
}

/** What an unfinished restore left may go: nothing else can have been put there since. */
async function mustBeEmpty(dataDir: string): Promise<void> {
  const names = await contentsOf(dataDir)
  if (names.length > 0 && !names.includes(path.basename(restoreMarkerPath(dataDir))))
    throw new ConfigError(
      `the data directory ${dataDir} is not empty: move it away, or set DATA_DIR to an empty or new one`,
    )
}

async function mark(dataDir: string): Promise<void> {
  const file = await open(restoreMarkerPath(dataDir), 'w', 0o600)
  await file.close()
  await syncDirectories(dataDir, [])
}

async function clear(dataDir: string): Promise<void> {
  const names = (await contentsOf(dataDir)).filter(name => name !== path.basename(restoreMarkerPath(dataDir)))
  for (const name of names) await rm(path.join(dataDir, name), { recursive: true, force: true })
}

async function putBack(
  dataDir: string,
  source: string,
  { directories, files }: Manifest,
  way: LaunchMode,
  progress: Progress,
): Promise<void> {
  progress.expect(files.reduce((sum, file) => sum + file.size, 0))
  const give = async (name: string) => {
    if (way.kind === 'other-user' && /^postgres($|\/)/.test(name))
      await chown(path.join(dataDir, name), way.uid, way.gid)
  }
  for (const name of directories) {
    await mkdir(path.join(dataDir, name), { mode: 0o700 })
    await give(name)
  }
  await forEachConcurrently(files, async file => {
    await putFile(
      path.join(dataDirectoryIn(source), file.path),
      path.join(dataDir, file.path),
      file,
      progress,
    )
    await give(file.path)
  })
}

async function putFile(from: string, to: string, saved: BackupFile, progress: Progress): Promise<void> {
  const copied = await copyFile(from, to, progress.advance).catch(error => {
    throw error.code === 'ENOENT' ? new ConfigError(`the backup is damaged: ${from} is missing`) : error
  })
  if (copied.size !== saved.size || copied.sha256 !== saved.sha256)
    throw new ConfigError(`the backup is damaged: ${from} is not the file that was saved`)
}
