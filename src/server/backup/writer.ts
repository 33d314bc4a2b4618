/** Copies files into a backup and records them for its manifest. */
import { createHash } from 'node:crypto'
import { mkdir, open, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { copyFile, forEachConcurrently, ignoreMissing, type Tree } from './copy.ts'
import type { BackupFile } from './manifest.ts'

/** Receives the number of bytes still to copy and of bytes copied. */
export interface Progress {
  expect(bytes: number): void
  advance(bytes: number): void
}

export interface BackupWriter {
  tree(tree: Tree): Promise<void>
  bytes(name: string, content: Buffer): Promise<void>
  /** Flushes all directories to disk and returns the saved entries. */
  finish(): Promise<{ directories: string[]; files: BackupFile[] }>
}

export function startBackupWriter(from: string, to: string, progress: Progress): BackupWriter {
  const directories: string[] = []
  const files: BackupFile[] = []

  async function file(name: string): Promise<void> {
    const copied = await copyFile(path.join(from, name), path.join(to, name), progress.advance).catch(
      ignoreMissing(undefined),
    )
    if (copied) files.push({ path: name, ...copied })
  }

  return {
    async tree(tree) {
      progress.expect(tree.files.reduce((sum, each) => sum + each.size, 0))
      for (const name of tree.directories) await mkdir(path.join(to, name), { mode: 0o700 })
      directories.push(...tree.directories)
      await forEachConcurrently(tree.files, each => file(each.path))
    },
    async bytes(name, content) {
      await writeFile(path.join(to, name), content, { mode: 0o600, flush: true })
      const sha256 = createHash('sha256').update(content).digest('hex')
      files.push({ path: name, size: content.length, sha256 })
    },
    async finish() {
      await syncDirectories(to, directories)
      return { directories, files: files.sort((a, b) => (a.path < b.path ? -1 : 1)) }
    },
  }
}

/** Flushes directory entries: without this a power failure may lose the names of new files. */
export async function syncDirectories(root: string, names: readonly string[]): Promise<void> {
  for (const name of ['.', ...names]) {
    const directory = await open(path.join(root, name))
    await directory.sync().finally(() => directory.close())
  }
}
