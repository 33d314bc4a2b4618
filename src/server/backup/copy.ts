/** Copies files one by one or several at once, computing the checksum of exactly the bytes that were copied. */
import { createHash } from 'node:crypto'
import { type FileHandle, open, readdir, stat } from 'node:fs/promises'
import path from 'node:path'

const chunkBytes = 1024 * 1024
const atOnce = 8

/** Told how many bytes were copied since it was last told. */
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

/** Some at a time; the first failure ends it once those under way have ended. */
export async function forEachConcurrently<T>(
  items: readonly T[],
  act: (item: T) => Promise<void>,
): Promise<void> {
  const waiting = items.values()
  const workers = Array.from({ length: atOnce }, async () => {
    for (const item of waiting) await act(item)
  })
  const ended = await Promise.allSettled(workers)
  for (const one of ended) if (one.status === 'rejected') throw one.reason
}

export interface Tree {
  directories: string[]
  files: { path: string; size: number }[]
}

/** What lies under a folder, by its path from there. What vanishes meanwhile is left out; links are followed. */
export async function listTree(root: string, wanted: (name: string) => boolean): Promise<Tree> {
  const tree: Tree = { directories: [], files: [] }
  async function visit(folder: string): Promise<void> {
    for (const entry of await readdir(path.join(root, folder)).catch(ignoreMissing([]))) {
      const name = path.join(folder, entry)
      if (!wanted(name)) continue
      const found = await stat(path.join(root, name)).catch(ignoreMissing(undefined))
      if (found?.isFile()) tree.files.push({ path: name, size: found.size })
      if (!found?.isDirectory()) continue
      tree.directories.push(name)
      await visit(name)
    }
  }
  await visit('')
  return tree
}

/** Gives the value when the file is not there any more. */
export function ignoreMissing<T>(value: T): (error: NodeJS.ErrnoException) => T {
  return error => {
    if (error.code === 'ENOENT') return value
    throw error
  }
}
