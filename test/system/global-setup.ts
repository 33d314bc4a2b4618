/** Builds the program, and prepares a migrated data directory that services of tests start with: see program.ts. */
import type { TestProject } from 'vitest/node'
import { startEmbedded } from '../../src/platform/db/embedded/start.ts'
import { migrate } from '../../src/platform/db/migrate.ts'
import { buildProgram } from '../harness/build-program.ts'
import { newFolder, removeFolder } from '../harness/folders.ts'

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await newFolder('prepared')
  await Promise.all([buildProgram(), prepare(dataDir)])
  project.provide('preparedDataDir', dataDir)
  return () => removeFolder(dataDir)
}

async function prepare(dataDir: string): Promise<void> {
  const server = await startEmbedded({ dataDir })
  await migrate(server.connection)
  await server.stop()
}
