/** The sandbox in the providers' place, for one test file: the service calls it, and it calls the service back. */
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll } from 'vitest'
import { pointAtSandbox, sandboxSecrets } from '../../src/platform/channels.ts'
import type { Deps } from '../../src/platform/deps.ts'
import { type Sandbox, type SandboxOptions, startSandbox } from '../../src/sandbox/sandbox.ts'

export async function playProviders(
  { deps, url }: { deps: Deps; url?: string },
  options: Partial<SandboxOptions> = {},
): Promise<Sandbox> {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'parley-providers-'))
  const { config, channels, keys, clock, log } = deps
  const sandbox = await startSandbox({
    dataDir,
    port: 0,
    clock,
    log,
    strict: config.sandboxStrict,
    ...sandboxSecrets(keys),
    ...options,
  })
  afterAll(async () => {
    await sandbox.close()
    await rm(dataDir, { recursive: true, force: true })
  })
  pointAtSandbox(config, channels, sandbox.urls)
  if (url) config.publicUrl = url
  return sandbox
}
