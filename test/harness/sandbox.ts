/** Starts the sandbox in place of the providers, for one test file. The service and the sandbox call each other. */
import { afterAll } from 'vitest'
import { pointAtSandbox, sandboxSecrets } from '../../src/inboxes/channels.ts'
import type { Deps } from '../../src/platform/deps.ts'
import { type Sandbox, type SandboxOptions, startSandbox } from '../../src/sandbox/sandbox.ts'
import { newFolder, removeFolder } from './folders.ts'

export async function playProviders(
  { deps, url }: { deps: Deps; url?: string },
  options: Partial<SandboxOptions> = {},
): Promise<Sandbox> {
  const dataDir = await newFolder('providers')
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
    await removeFolder(dataDir)
  })
  pointAtSandbox(config, channels, sandbox.urls)
  if (url) config.publicUrl = url
  return sandbox
}
