/** Copies files, several concurrently, and computes the checksum of exactly the bytes that were copied. */
import { createHash } from 'node:crypto'
import { type FileHandle, open, readdir, stat } from 'node:fs/promises'
import path from 'node:path'

const chunkBytes = 1024 * 1024
const concurrency = 8

/** Called with the number of bytes copied since the last call. */
export type Advance = (bytes: number) => void

export async function copyFile(
  from: string,
  to: string,
  advance: Advance,
): Promise<{ size: number; sha256: string }> {
  const source = await open(from)
  try {
    const target = await open(to, 'wx', 0o600)
    try {
      const copied = await pump(source, target, advance)
      await target.datasync()
      return copied
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
}

async function pump(source: FileHandle, target: FileHandle, advance: Advance) {
  const hash = createHash('sha256')
  const buffer = Buffer.allocUnsafe(Math.min(chunkBytes, (await source.stat()).size + 1))
  let size = 0
  for (;;) {
    const { bytesRead } = await source.read(buffer, 0, buffer.length)
    if (bytesRead === 0) return { size, sha256: hash.digest('hex') }
    const bytes = buffer.subarray(0, bytesRead)
    hash.update(bytes)
    await target.writeFile(bytes)
    size += bytesRead
    advance(bytesRead)
  }
}

/** Runs `act` for each item, several concurrently. After a failure waits for calls in flight, then throws it. */
export async function forEachConcurrently<T>(
  items: readonly T[],
  act: (item: T) => Promise<void>,
): Promise<void> {
  const queue = items.values()
  const workers = Array.from({ length: concurrency }, async () => {
    for (const item of queue) await act(item)
  })
  const results = await Promise.allSettled(workers)
  for (const result of results) if (result.status === 'rejected') throw result.reason
}

export interface Tree {
  directories: string[]
  files: { path: string; size: number }[]
}

/** Lists the entries below a directory by relative path. Skips files deleted meanwhile; follows links. */
export async function listTree(root: string, wanted: (name: string) => boolean): Promise<Tree> {
  const tree: Tree = { directories: [], files: [] }
  async function visit(folder: string): Promise<void> {
    for (const entry of await readdir(path.join(root, folder)).catch(ignoreMissing([]))) {
      const name = path.join(folder, entry)
      if (!wanted(name)) continue
      const stats = await stat(path.join(root, name)).catch(ignoreMissing(undefined))
      if (stats?.isFile()) tree.files.push({ path: name, size: stats.size })
      if (!stats?.isDirectory()) continue
      tree.directories.push(name)
      await visit(name)
    }
  }
  await visit('')
  return tree
}

/** Returns a catch handler that returns the value if the file no longer exists. */
export function ignoreMissing<T>(value: T): (error: NodeJS.ErrnoException) => T {
  return error => {
    if (error.code === 'ENOENT') return value
    throw error
  }
}
