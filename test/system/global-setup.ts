/** Builds the program, and prepares a migrated data directory that services of tests start with: see program.ts. */
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import type { TestProject } from 'vitest/node'
import { startEmbedded } from '../../src/platform/db/embedded/start.ts'
import { migrate } from '../../src/platform/db/migrate.ts'
import { projectRoot } from '../../src/platform/project-root.ts'
import { newFolder, removeFolder } from '../harness/folders.ts'

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const args = [path.join(projectRoot, 'bin/parley.js'), '--build-only']
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' })
  if (status !== 0) throw new Error('the program cannot be built')
  const dataDir = await newFolder('prepared')
  const server = await startEmbedded({ dataDir })
  await migrate(server.connection)
  await server.stop()
  project.provide('preparedDataDir', dataDir)
  return () => removeFolder(dataDir)
}
