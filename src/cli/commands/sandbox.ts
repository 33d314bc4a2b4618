import path from 'node:path'
import { sandboxSecrets } from '../../inboxes/channels.ts'
import { systemClock } from '../../platform/clock.ts'
import { readConfig } from '../../platform/config.ts'
import { createKeys, readOrCreateSecret } from '../../platform/encryption/keys.ts'
import { createLog } from '../../platform/log.ts'
import { startSandbox } from '../../sandbox/sandbox.ts'
import { command } from '../command.ts'
import { CliError } from '../errors.ts'

export const sandboxCommand = command({
  meta: {
    name: 'sandbox',
    description: 'Run the provider sandbox as a process of its own, for services with SANDBOX_URL',
  },
  args: {
    host: { type: 'string', description: 'Address to listen on', default: '127.0.0.1' },
    port: { type: 'string', description: 'Port to listen on; 0 chooses a free port', default: '8090' },
    strict: { type: 'boolean', description: "Enforce the providers' messaging windows and rate limits" },
  },
  run: async ({ args }) => {
    const config = readConfig(process.env)
    const port = Number(args.port)
    if (!Number.isInteger(port) || port < 0 || port > 65_535)
      throw new CliError(`--port must be a number from 0 to 65535, not ${args.port}`)
    const log = createLog(config.logLevel, { roles: 'sandbox' })
    // Services must have the same secret: the sandbox signs its webhooks with keys derived from it.
    const keys = createKeys(
      config.secretKey ?? (await readOrCreateSecret(config.dataDir)),
      config.oldSecretKeys,
    )
    const sandbox = await startSandbox({
      dataDir: path.join(config.dataDir, 'sandbox'),
      host: args.host,
      port,
      clock: systemClock,
      log,
      strict: args.strict === true || config.sandboxStrict,
      ...sandboxSecrets(keys),
    })
    log.info({ url: sandbox.url }, 'sandbox ready')
    const signal = await new Promise<string>(resolve => {
      for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => resolve(name))
    })
    log.info({ signal }, 'stopping')
    await sandbox.close()
  },
})
