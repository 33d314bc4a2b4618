/** Temporary folders of tests. Removal is retried because a stopping process may still write its last file. */
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'

export const newFolder = (name: string): Promise<string> => mkdtemp(path.join(os.tmpdir(), `parley-${name}-`))

export const removeFolder = (folder: string): Promise<void> =>
  rm(folder, { recursive: true, force: true, maxRetries: 20 })
