/** A small file system for the blobs of all processes, which a test can fill up. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'

export interface SmallDisk {
  /** Links the blobs of a data directory to this file system. */
  useFor(dataDir: string): void
  fill(): void
  free(): void
  /** Lists unfinished and complete files. */
  files(): { drafts: string[]; complete: string[] }
  remove(): void
}

export function smallDisk(root: string): SmallDisk | undefined {
  const at = path.join(root, 'disk')
  mkdirSync(at)
  const size = 16 * 1024 * 1024
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', at]).status !== 0) return undefined
  const blobs = path.join(at, 'blobs')
  const filler = path.join(at, 'filler')
  mkdirSync(blobs)
  const listFiles = (folder: string) =>
    existsSync(folder)
      ? readdirSync(folder, { recursive: true, withFileTypes: true })
          .filter(entry => entry.isFile())
          .map(entry => entry.name)
      : []
  return {
    useFor(dataDir) {
      mkdirSync(dataDir, { recursive: true, mode: 0o700 })
      if (!existsSync(path.join(dataDir, 'blobs'))) symlinkSync(blobs, path.join(dataDir, 'blobs'))
    },
    fill() {
      // Halves the chunk until the last byte is used.
      for (let bytes = size; bytes >= 4096; bytes /= 2) {
        try {
          for (;;) writeFileSync(filler, Buffer.alloc(bytes), { flag: 'a' })
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
        }
      }
    },
    free: () => rmSync(filler, { force: true }),
    files: () => ({
      drafts: listFiles(path.join(blobs, 'tmp')),
      complete: listFiles(path.join(blobs, 'objects')),
    }),
    remove: () => void spawnSync('umount', ['-l', at]),
  }
}
