/** Temporary folders of tests. Removal is retried because a stopping process may still write its last file. */
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'

export const newFolder = (name: string): Promise<string> => mkdtemp(path.join(os.tmpdir(), `parley-${name}-`))

/** Returns an unused path below `root`, also when a test is repeated. */
export function fresh(root: string, name: string): string {
  for (let n = 1; ; n++) {
    const file = path.join(root, n === 1 ? name : `${name} ${n}`)
    if (!existsSync(file)) return file
  }
}

export const removeFolder = (folder: string): Promise<void> =>
  rm(folder, { recursive: true, force: true, maxRetries: 20 })
