import { readConfig } from '../../platform/config.ts'
import { buildWelcome } from '../../server/installation/first-start.ts'
import { type ProcessRole, processRoles, type Service, serve } from '../../server/serve.ts'
import { command } from '../command.ts'
import { CliError } from '../errors.ts'

const exitTimeoutMs = 9_500
/** A terminal and npm both pass on one Ctrl-C: signals within this time count as one. */
const sameSignalMs = 500

export const serveCommand = command({
  meta: { name: 'serve', description: 'Run the service' },
  args: {
    roles: {
      type: 'string',
      description: 'Roles of this process: http (API), worker (jobs and events), realtime (sockets)',
      default: processRoles.join(','),
    },
    cells: { type: 'string', description: 'Cells of this process (default: all of DATABASE_CELLS)' },
  },
  run: async ({ args }) => {
    const config = readConfig(process.env)
    let started = false
    const signal = waitForSignal(() => started)
    const roles = readRoles(args.roles)
    const cells = args.cells?.split(',').map(name => name.trim())
    const service = await serve(config, { roles, cells })
    started = true
    if (service.first) process.stdout.write(`${buildWelcome(config, service.first.inboxId)}\n`)
    else service.log.info({ url: service.url }, describe(roles))
    await runUntilStopped(service, signal)
  },
})

/** Says what a process without the role http is for, so that nobody looks for the API there. */
function describe(roles: readonly ProcessRole[]): string {
  if (roles.includes('http')) return 'ready'
  const work = roles.includes('realtime') ? 'serves sockets' : 'runs jobs and events'
  return `ready: this process ${work}, /healthz, /readyz and /metrics, and no API`
}

function readRoles(text: string): ProcessRole[] {
  const roles = text.split(',').map(role => role.trim())
  const unknown = roles.filter(role => !(processRoles as readonly string[]).includes(role))
  if (unknown.length > 0)
    throw new CliError(`--roles must be some of ${processRoles.join(', ')}, not ${unknown.join(', ')}`)
  return roles as ProcessRole[]
}

/** Resolves at the first signal. A second signal, or one during the start, exits immediately. */
function waitForSignal(isStarted: () => boolean): Promise<string> {
  return new Promise(resolve => {
    let firstAt: number | undefined
    const handle = (signal: string) => {
      firstAt ??= performance.now()
      if (!isStarted() || performance.now() - firstAt > sameSignalMs) process.exit(1)
      resolve(signal)
    }
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, handle)
  })
}

/** Waits for a signal or a fatal failure, then drains and stops the service and exits within ten seconds. */
async function runUntilStopped(service: Service, signalled: Promise<string>): Promise<void> {
  const { log } = service
  const reason = await Promise.race([signalled.then(signal => ({ signal })), service.failed])
  const orderly = typeof reason === 'object'
  if (orderly) log.info(reason, 'stopping')
  else log.fatal(reason)
  if (orderly) await service.drain()
  const timeout = setTimeout(() => {
    // The database server finishes closing without this process.
    if (!service.isDrained()) log.error('requests or jobs did not end in time')
    process.exit(orderly && service.isDrained() ? 0 : 1)
  }, exitTimeoutMs)
  await service.stop()
  clearTimeout(timeout)
  if (orderly) log.info('stopped')
  process.exit(orderly ? 0 : 1)
}
