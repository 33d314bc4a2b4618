import { readConfig } from '../platform/config.ts'
import { buildWelcome } from '../server/first-start.ts'
import { type ProcessRole, processRoles, type Service, serve } from '../server/serve.ts'
import { command } from './command.ts'
import { CliError } from './errors.ts'

const hardEndMs = 9_500
/** A terminal and npm both pass on one press of Ctrl-C: that is not somebody asking twice. */
const sameSignalMs = 500

export const serveCommand = command({
  meta: { name: 'serve', description: 'Run the service' },
  args: {
    roles: {
      type: 'string',
      description: 'What this process does, of http,worker,realtime',
      default: processRoles.join(','),
    },
  },
  run: async ({ args }) => {
    const config = readConfig(process.env)
    let up = false
    const told = signalled(() => up)
    const service = await serve(config, readRoles(args.roles))
    up = true
    if (service.first) process.stdout.write(`${buildWelcome(config, service.first.inboxId)}\n`)
    else service.log.info({ url: service.url }, 'ready')
    await untilTold(service, told)
  },
})

function readRoles(text: string): ProcessRole[] {
  const roles = text.split(',').map(role => role.trim())
  const unknown = roles.filter(role => !(processRoles as readonly string[]).includes(role))
  if (unknown.length > 0)
    throw new CliError(`--roles knows ${processRoles.join(', ')}, not ${unknown.join(', ')}`)
  return roles as ProcessRole[]
}

/** Resolves at the first signal. A second one, or one while there is nothing to finish yet, ends the process at once. */
function signalled(isUp: () => boolean): Promise<string> {
  return new Promise(resolve => {
    let firstAt: number | undefined
    const hear = (signal: string) => {
      firstAt ??= performance.now()
      if (!isUp() || performance.now() - firstAt > sameSignalMs) process.exit(1)
      resolve(signal)
    }
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, hear)
  })
}

/** Until a signal, or until the service cannot go on: finish what is in flight, at most ten seconds. */
async function untilTold(service: Service, told: Promise<string>): Promise<void> {
  const { log } = service
  const reason = await Promise.race([told.then(signal => ({ signal })), service.failed])
  const orderly = typeof reason === 'object'
  if (orderly) log.info(reason, 'stopping')
  else log.fatal(reason)
  const late = setTimeout(() => {
    // A database that is still closing does so without us.
    if (!service.quiet()) log.error('not everything ended in time')
    process.exit(orderly && service.quiet() ? 0 : 1)
  }, hardEndMs)
  await service.stop()
  clearTimeout(late)
  if (orderly) log.info('stopped')
  process.exit(orderly ? 0 : 1)
}
