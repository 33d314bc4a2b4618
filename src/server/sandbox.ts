/** Starts the provider sandbox in this process for channels without a real provider, or uses the one at SANDBOX_URL. */
import path from 'node:path'
import { pointAtSandbox, sandboxSecrets } from '../inboxes/channels.ts'
import { remoteChannels } from '../platform/config.ts'
import type { Deps } from '../platform/deps.ts'
import { type Sandbox, sandboxUrls, startSandbox } from '../sandbox/sandbox.ts'

export async function startEmbeddedSandbox(deps: Deps): Promise<Sandbox | undefined> {
  const { config, clock, log, keys } = deps
  if (!remoteChannels.some(channel => deps.channels[channel].isSandbox)) return undefined
  const { sandboxUrl } = config
  if (sandboxUrl !== undefined) {
    pointAtSandbox(config, deps.channels, sandboxUrls(sandboxUrl))
    return undefined
  }
  const sandbox = await startSandbox({
    strict: config.sandboxStrict,
    dataDir: path.join(config.dataDir, 'sandbox'),
    port: 0,
    clock,
    log,
    ...sandboxSecrets(keys),
  })
  pointAtSandbox(config, deps.channels, sandbox.urls)
  return sandbox
}
