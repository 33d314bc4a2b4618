/**
 * Simulates the providers chatapp, socialapp and sms over HTTP, including their errors, callbacks and signatures. Runs
 * inside the service process or as its own process. Accepted messages and pending callbacks survive a kill.
 */
import { mkdir } from 'node:fs/promises'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import type { Clock } from '../platform/clock.ts'
import { ConfigError } from '../platform/config.ts'
import { tokenBuckets } from '../platform/limits/token-bucket.ts'
import type { Logger } from '../platform/log.ts'
import { CallbackClient } from './callbacks/http-client.ts'
import { CallbackQueue } from './callbacks/queue.ts'
import { chatappSender } from './chatapp/webhook.ts'
import { SandboxClock } from './clock.ts'
import type { SandboxContext } from './context.ts'
import { buildControl, type SandboxControl, simulateInbound } from './control/control.ts'
import { buildControlHandler } from './control/routes.ts'
import { ConversationState } from './conversation-state.ts'
import { FaultInjector } from './faults.ts'
import { RequestLog } from './http/request-log.ts'
import { buildHandler } from './http/routes.ts'
import { createServer } from './http/server.ts'
import { MagicNumbers } from './magic-numbers.ts'
import { MediaStore } from './media/media-store.ts'
import { SendQueues } from './sms/segments.ts'
import { smsSender } from './sms/webhook.ts'
import { socialappSender } from './socialapp/webhook.ts'
import { type Entry, Ledger } from './store/ledger.ts'
import { lockDirectory } from './store/lock.ts'
import { Registry } from './store/registry.ts'

export interface SandboxOptions {
  /** directory for the ledger, the registry and media; used by one sandbox only */
  dataDir: string
  host?: string
  port: number
  clock: Clock
  log: Logger
  /** apply the providers' real messaging windows and rate limits */
  strict?: boolean
  /** key that signs Graph callbacks */
  appSecret: string
  /** used in the verification handshake when a registration has no token */
  verifyToken: string
  /** enables the control API over HTTP */
  controlToken?: string
}

export interface Sandbox {
  url: string
  urls: { chatapp: string; socialapp: string; sms: string }
  control: SandboxControl
  close(): Promise<void>
}

interface OpenedStore {
  registry: Registry
  ledger: Ledger
  conversations: ConversationState
  /** entries with callbacks that were not accepted before the last stop */
  undelivered: { entry: Entry; steps: number[] }[]
}

/** Returns the indexes of the steps that the registry does not list as delivered. */
function undeliveredSteps(
  { undelivered: { through, pending, delivered } }: Registry,
  { position, steps }: Entry,
): number[] {
  const candidates = position > through ? [...steps.keys()] : [...(pending.get(position) ?? [])]
  return candidates.filter(step => !delivered.get(position)?.has(step))
}

async function openStore(dataDir: string): Promise<OpenedStore> {
  const registry = await Registry.open(path.join(dataDir, 'registry.log'))
  const conversations = new ConversationState()
  const undelivered: OpenedStore['undelivered'] = []
  const ledger = await Ledger.open(path.join(dataDir, 'ledger.log'), (header, read) => {
    const { through, pending } = registry.undelivered
    const mayBePending = header.position > through || pending.has(header.position)
    if (!mayBePending && header.kind !== 'received') return
    const entry = read()
    conversations.apply(entry)
    const steps = undeliveredSteps(registry, entry)
    if (steps.length > 0) undelivered.push({ entry, steps })
  })
  return { registry, ledger, conversations, undelivered }
}

function buildContext(
  options: SandboxOptions,
  { registry, ledger, conversations }: OpenedStore,
  httpClient: CallbackClient,
): SandboxContext {
  const { log, strict = false, appSecret, verifyToken, dataDir } = options
  const clock = new SandboxClock(options.clock, registry)
  const faults = new FaultInjector(registry)
  const senders = {
    chatapp: chatappSender(() => context),
    socialapp: socialappSender(() => context),
    sms: smsSender(() => context),
  }
  const context: SandboxContext = {
    strict,
    appSecret,
    verifyToken,
    url: '',
    log,
    clock,
    registry,
    ledger,
    conversations,
    httpClient,
    faults,
    callbacks: new CallbackQueue({ senders, httpClient, registry, faults, clock, log }),
    magicNumbers: new MagicNumbers(),
    media: new MediaStore(path.join(dataDir, 'media'), registry, clock, appSecret),
    recipientLimits: tokenBuckets({ burst: 45, perSecond: 1 / 6 }),
    numberLimits: tokenBuckets({ burst: 80, perSecond: 80 }),
    fastNumberLimits: tokenBuckets({ burst: 1000, perSecond: 1000 }),
    smsQueues: new SendQueues(),
    simulateInbound: (account, inbound) => simulateInbound(context, account, inbound),
  }
  return context
}

/** Restores the pending callbacks of the last run. */
async function resume(
  { callbacks, registry, ledger, clock }: SandboxContext,
  undelivered: OpenedStore['undelivered'],
): Promise<void> {
  for (const { entry, steps } of undelivered) callbacks.track(entry, steps)
  await registry.trackPending(() => ({ through: ledger.last, pending: callbacks.listPending() }))
  if (!registry.get('epoch')) await registry.put('epoch', clock.wallNow())
}

function listen(server: Server, port: number, host: string): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'EADDRINUSE'
          ? new ConfigError(
              `the sandbox cannot listen on ${host}:${port}: stop the process that uses this port, or choose another with --port`,
            )
          : error,
      ),
    )
    server.listen(port, host, () => {
      const name = host.includes(':') ? `[${host}]` : host
      resolve(`http://${name}:${(server.address() as AddressInfo).port}`)
    })
  })
}

export function sandboxUrls(url: string): Sandbox['urls'] {
  return { chatapp: `${url}/chatapp`, socialapp: `${url}/socialapp`, sms: `${url}/sms` }
}

export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  await mkdir(options.dataDir, { recursive: true, mode: 0o700 })
  const releaseLock = await lockDirectory(options.dataDir)
  const opened = await openStore(options.dataDir)
  const httpClient = new CallbackClient()
  const context = buildContext(options, opened, httpClient)
  const requests = new RequestLog()
  const control = buildControl(context, requests)
  const server = createServer(
    buildHandler(context, requests, buildControlHandler(control, options.controlToken)),
    options.log,
  )
  const close = async () => {
    context.callbacks.close()
    server.close()
    server.closeAllConnections()
    await httpClient.close()
    await Promise.all([opened.ledger.close(), opened.registry.close()])
    releaseLock()
  }
  try {
    // Order matters: state is restored before requests are accepted, and callbacks start once file URLs can be served.
    await resume(context, opened.undelivered)
    context.url = await listen(server, options.port, options.host ?? '127.0.0.1')
    for (const { entry } of opened.undelivered) context.callbacks.schedule(entry)
  } catch (error) {
    await close()
    throw error
  }
  return { url: context.url, urls: sandboxUrls(context.url), control, close }
}
