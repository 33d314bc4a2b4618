import path from 'node:path'
import { sandboxSecrets } from '../inboxes/channels.ts'
import { systemClock } from '../platform/clock.ts'
import { readConfig } from '../platform/config.ts'
import { createKeys, readOrCreateSecret } from '../platform/keys.ts'
import { createLog } from '../platform/log.ts'
import { startSandbox } from '../sandbox/sandbox.ts'
import { command } from './command.ts'
import { CliError } from './errors.ts'

export const sandboxCommand = command({
  meta: {
    name: 'sandbox',
    description: 'Play the providers in a process of its own, for services with SANDBOX_URL',
  },
  args: {
    host: { type: 'string', description: 'Where to listen', default: '127.0.0.1' },
    port: { type: 'string', description: 'Where to listen; 0 takes a free port', default: '8090' },
    strict: { type: 'boolean', description: "Play the providers' real windows and rates" },
  },
  run: async ({ args }) => {
    const config = readConfig(process.env)
    const port = Number(args.port)
    if (!Number.isInteger(port) || port < 0 || port > 65_535)
      throw new CliError(`--port takes a number from 0 to 65535, not ${args.port}`)
    const log = createLog(config.logLevel)
    // The services that use it must have the same secret: it signs what it tells them.
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
    log.info({ url: sandbox.url }, 'the sandbox is ready')
    const signal = await new Promise<string>(resolve => {
      for (const one of ['SIGTERM', 'SIGINT'] as const) process.once(one, () => resolve(one))
    })
    log.info({ signal }, 'stopping')
    await sandbox.close()
  },
})
