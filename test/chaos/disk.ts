/** A small file system of its own for the blobs of all processes, that can be filled up and emptied again. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'

export interface SmallDisk {
  /** Puts the blobs of a data directory onto it. */
  useFor(dataDir: string): void
  fill(): void
  makeRoom(): void
  /** Files that are there, drafts and whole ones. */
  files(): { drafts: string[]; whole: string[] }
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
  const filesIn = (folder: string) =>
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
      // To the last byte: what does not fit in whole fits in part.
      for (let bytes = size; bytes >= 4096; bytes /= 2) {
        try {
          for (;;) writeFileSync(filler, Buffer.alloc(bytes), { flag: 'a' })
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
        }
      }
    },
    makeRoom: () => rmSync(filler, { force: true }),
    files: () => ({
      drafts: filesIn(path.join(blobs, 'tmp')),
      whole: filesIn(path.join(blobs, 'objects')),
    }),
    remove: () => void spawnSync('umount', ['-l', at]),
  }
}
