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
import { Buckets } from './buckets.ts'
import { Callbacks } from './callbacks/callbacks.ts'
import { Caller } from './callbacks/calls.ts'
import { chatCourier } from './chatapp/webhook.ts'
import { controlOf, customer, type SandboxControl } from './control.ts'
import { controlRoutes } from './control-routes.ts'
import { Conversations } from './conversations.ts'
import { FaultBook } from './faults.ts'
import { createServer } from './http.ts'
import { Magic } from './magic.ts'
import { MediaShelf } from './media-shelf.ts'
import { RequestLog } from './requests.ts'
import { routes } from './routes.ts'
import { smsCourier } from './sms/webhook.ts'
import { socialCourier } from './socialapp/webhook.ts'
import { type Entry, Ledger } from './store/ledger.ts'
import { holdDirectory } from './store/lock.ts'
import { Registry } from './store/registry.ts'
import { Time } from './time.ts'
import type { World } from './world.ts'

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

interface Opened {
  registry: Registry
  ledger: Ledger
  conversations: Conversations
  /** entries whose callbacks were not all accepted before the last stop */
  owed: { entry: Entry; steps: number[] }[]
}

/** Which steps of an entry are still to be delivered, by what the registry says. */
function stepsLeft({ undelivered: { through, left, done } }: Registry, { n, steps }: Entry): number[] {
  const listed = n > through ? [...steps.keys()] : [...(left.get(n) ?? [])]
  return listed.filter(step => !done.get(n)?.has(step))
}

async function openStore(dataDir: string): Promise<Opened> {
  const registry = await Registry.open(path.join(dataDir, 'registry.log'))
  const conversations = new Conversations()
  const owed: Opened['owed'] = []
  const ledger = await Ledger.open(path.join(dataDir, 'ledger.log'), (head, read) => {
    const mayOwe = head.n > registry.undelivered.through || registry.undelivered.left.has(head.n)
    if (!mayOwe && head.kind !== 'received') return
    const entry = read()
    conversations.remember(entry)
    const steps = stepsLeft(registry, entry)
    if (steps.length > 0) owed.push({ entry, steps })
  })
  return { registry, ledger, conversations, owed }
}

function makeWorld(
  options: SandboxOptions,
  { registry, ledger, conversations }: Opened,
  caller: Caller,
): World {
  const { clock, log, strict = false, appSecret, verifyToken, dataDir } = options
  const time = new Time(clock, registry)
  const faults = new FaultBook(registry)
  const couriers = {
    chatapp: chatCourier(() => world),
    socialapp: socialCourier(() => world),
    sms: smsCourier(() => world),
  }
  const world: World = {
    strict,
    appSecret,
    verifyToken,
    url: '',
    log,
    time,
    registry,
    ledger,
    conversations,
    caller,
    faults,
    callbacks: new Callbacks({ couriers, caller, registry, faults, time, log }),
    magic: new Magic(),
    media: new MediaShelf(path.join(dataDir, 'media'), registry, time, appSecret),
    pairs: new Buckets(45, 1 / 6),
    numbers: new Buckets(80, 80),
    fastNumbers: new Buckets(1000, 1000),
    customer: (account, inbound) => customer(world, account, inbound),
  }
  return world
}

/** Takes up what the last stop left undone. */
async function resume({ callbacks, registry, ledger, time }: World, owed: Opened['owed']): Promise<void> {
  for (const { entry, steps } of owed) callbacks.owe(entry, steps)
  await registry.keepTrackOf(() => ({ through: ledger.last, left: callbacks.whatIsLeft() }))
  if (!registry.get('epoch')) await registry.put('epoch', time.wall())
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
  const letGo = await holdDirectory(options.dataDir)
  const opened = await openStore(options.dataDir)
  const caller = new Caller()
  const world = makeWorld(options, opened, caller)
  const requests = new RequestLog()
  const control = controlOf(world, requests)
  const server = createServer(
    routes(world, requests, controlRoutes(control, options.controlToken)),
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
    await resume(world, opened.owed)
    world.url = await listen(server, options.port, options.host ?? '127.0.0.1')
    for (const { entry } of opened.owed) world.callbacks.begin(entry)
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
