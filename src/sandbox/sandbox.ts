/**
 * A simulator of the three providers over real HTTP: chatapp, socialapp and sms, with their errors, callbacks and
 * signatures. It runs inside the service's process or in one of its own; whoever calls it cannot tell it from the
 * real thing. What it accepted and what it still has to tell survive a kill.
 */
import { mkdir } from 'node:fs/promises'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import type { Clock } from '../platform/clock.ts'
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
import { smsSender } from './sms/webhook.ts'
import { socialappSender } from './socialapp/webhook.ts'
import { type Entry, Ledger } from './store/ledger.ts'
import { lockDirectory } from './store/lock.ts'
import { Registry } from './store/registry.ts'
import { TokenBuckets } from './token-buckets.ts'

export interface SandboxOptions {
  /** its own directory: ledger, registrations and undelivered callbacks */
  dataDir: string
  host?: string
  port: number
  clock: Clock
  log: Logger
  /** play the providers' real windows and rates */
  strict?: boolean
  /** what the Graph platform signs callbacks with */
  appSecret: string
  /** shown in the verification handshake when a registration names none */
  verifyToken: string
  /** opens the control surface over HTTP */
  controlToken?: string
}

export interface Sandbox {
  url: string
  /** where each provider is reached */
  urls: { chatapp: string; socialapp: string; sms: string }
  control: SandboxControl
  close(): Promise<void>
}

interface OpenedStore {
  registry: Registry
  ledger: Ledger
  conversations: ConversationState
  /** entries whose callbacks were not all accepted before the last stop */
  undelivered: { entry: Entry; steps: number[] }[]
}

/** Which steps of an entry are still to be delivered, by what the registry says. */
function undeliveredSteps(
  { undelivered: { through, pending: left, delivered: done } }: Registry,
  { n, steps }: Entry,
): number[] {
  const listed = n > through ? [...steps.keys()] : [...(left.get(n) ?? [])]
  return listed.filter(step => !done.get(n)?.has(step))
}

async function openStore(dataDir: string): Promise<OpenedStore> {
  const registry = await Registry.open(path.join(dataDir, 'registry.log'))
  const conversations = new ConversationState()
  const owed: OpenedStore['undelivered'] = []
  const ledger = await Ledger.open(path.join(dataDir, 'ledger.log'), (head, read) => {
    const mayOwe = head.n > registry.undelivered.through || registry.undelivered.pending.has(head.n)
    if (!mayOwe && head.kind !== 'received') return
    const entry = read()
    conversations.apply(entry)
    const steps = undeliveredSteps(registry, entry)
    if (steps.length > 0) owed.push({ entry, steps })
  })
  return { registry, ledger, conversations, undelivered: owed }
}

function buildContext(
  options: SandboxOptions,
  { registry, ledger, conversations }: OpenedStore,
  caller: CallbackClient,
): SandboxContext {
  const { clock, log, strict = false, appSecret, verifyToken, dataDir } = options
  const time = new SandboxClock(clock, registry)
  const faults = new FaultInjector(registry)
  const couriers = {
    chatapp: chatappSender(() => world),
    socialapp: socialappSender(() => world),
    sms: smsSender(() => world),
  }
  const world: SandboxContext = {
    strict,
    appSecret,
    verifyToken,
    url: '',
    log,
    clock: time,
    registry,
    ledger,
    conversations,
    httpClient: caller,
    faults,
    callbacks: new CallbackQueue({
      senders: couriers,
      httpClient: caller,
      registry,
      faults,
      clock: time,
      log,
    }),
    magicNumbers: new MagicNumbers(),
    media: new MediaStore(path.join(dataDir, 'media'), registry, time, appSecret),
    recipientLimits: new TokenBuckets(45, 1 / 6),
    numberLimits: new TokenBuckets(80, 80),
    fastNumberLimits: new TokenBuckets(1000, 1000),
    simulateInbound: (account, inbound) => simulateInbound(world, account, inbound),
  }
  return world
}

/** Takes up what the last stop left undone. */
async function resume(
  { callbacks, registry, ledger, clock: time }: SandboxContext,
  owed: OpenedStore['undelivered'],
): Promise<void> {
  for (const { entry, steps } of owed) callbacks.track(entry, steps)
  await registry.trackPending(() => ({ through: ledger.last, left: callbacks.listPending() }))
  if (!registry.get('epoch')) await registry.put('epoch', time.wallNow())
}

function listen(server: Server, port: number, host: string): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      const name = host.includes(':') ? `[${host}]` : host
      resolve(`http://${name}:${(server.address() as AddressInfo).port}`)
    })
  })
}

/** Where each provider is on a sandbox at this address. */
export function sandboxUrls(url: string): Sandbox['urls'] {
  return { chatapp: `${url}/chatapp`, socialapp: `${url}/socialapp`, sms: `${url}/sms` }
}

export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  await mkdir(options.dataDir, { recursive: true, mode: 0o700 })
  const letGo = await lockDirectory(options.dataDir)
  const opened = await openStore(options.dataDir)
  const caller = new CallbackClient()
  const world = buildContext(options, opened, caller)
  const requests = new RequestLog()
  const control = buildControl(world, requests)
  const server = createServer(
    buildHandler(world, requests, buildControlHandler(control, options.controlToken)),
    options.log,
  )
  const close = async () => {
    world.callbacks.close()
    server.close()
    server.closeAllConnections()
    await caller.close()
    await Promise.all([opened.ledger.close(), opened.registry.close()])
    letGo()
  }
  try {
    // Nobody is answered by a sandbox that has forgotten, and nobody is told where to fetch a file before it can be.
    await resume(world, opened.undelivered)
    world.url = await listen(server, options.port, options.host ?? '127.0.0.1')
    for (const { entry } of opened.undelivered) world.callbacks.schedule(entry)
  } catch (error) {
    await close()
    throw error
  }
  const { url } = world
  return {
    url,
    urls: sandboxUrls(url),
    control,
    close,
  }
}
