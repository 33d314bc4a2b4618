// Opens a connection to a checked address. A name is resolved once and the socket connects to exactly the address that
// passed the policy, so that DNS rebinding has no effect.
import { type Socket, connect as tcpConnect } from 'node:net'
import { connect as tlsConnect } from 'node:tls'
import { OutboundError } from './failures.ts'
import { type GuardPolicy, getForbiddenReason } from './policy.ts'
import type { Lookup } from './resolver.ts'
import { getLiteralAddress, getPort } from './urls.ts'

/** Opens a socket to an address. Tests replace it to record the addresses. */
export type Connect = (target: { address: string; port: number }) => Socket

export interface Dialer {
  policy: GuardPolicy
  lookup: Lookup
  connect: Connect
  /** Certificate authorities to trust in place of the system's. */
  ca?: string | string[]
}

interface DialOptions {
  timeoutMs: number
  signal: AbortSignal
}

const maxAddresses = 4

export const openSocket: Connect = ({ address, port }) => tcpConnect({ host: address, port, noDelay: true })

/** Returns a connected socket to the URL's origin, verified for https. Throws OutboundError. */
export async function dial(dialer: Dialer, url: URL, options: DialOptions): Promise<Socket> {
  const addresses = await findAllowedAddresses(dialer, url, options.signal)
  const target = {
    port: getPort(url),
    timeoutMs: options.timeoutMs / addresses.length,
    signal: options.signal,
  }
  const socket = await connectToFirst(dialer.connect, addresses, target)
  return url.protocol === 'https:' ? upgradeToTls(dialer, url, socket, options) : socket
}

async function findAllowedAddresses(dialer: Dialer, url: URL, signal: AbortSignal): Promise<string[]> {
  const literal = getLiteralAddress(url)
  const candidates = literal ? [literal] : await resolveHost(dialer.lookup, url.hostname, signal)
  const checked = candidates.map(address => ({
    address,
    reason: getForbiddenReason(dialer.policy, address, getPort(url)),
  }))
  const allowed = checked.filter(({ reason }) => !reason).map(({ address }) => address)
  if (allowed.length > 0) return allowed.slice(0, maxAddresses)
  throw new OutboundError(
    'forbidden_address',
    `${url.hostname} cannot be called: ${checked[0]?.reason}`,
    false,
  )
}

async function resolveHost(lookup: Lookup, hostname: string, signal: AbortSignal): Promise<string[]> {
  const buildFailure = (reason: string) =>
    new OutboundError('dns_failed', `${hostname} cannot be resolved (${reason})`, false)
  const pending = (async () => lookup(hostname))()
  const addresses = await unlessAborted(pending, signal).catch(error => {
    throw error instanceof OutboundError ? error : buildFailure(getErrorCode(error))
  })
  if (addresses.length === 0) throw buildFailure('no address')
  return addresses
}

async function connectToFirst(
  connect: Connect,
  addresses: string[],
  { port, ...call }: DialOptions & { port: number },
): Promise<Socket> {
  let last: unknown
  for (const address of addresses) {
    try {
      const socket = connect({ address, port })
      await waitUntilReady(socket, 'connect', call)
      return socket
    } catch (error) {
      if (call.signal.aborted) throw error
      last = error
    }
  }
  if (last instanceof OutboundError) throw last
  throw new OutboundError('connect_failed', `the connection failed (${getErrorCode(last)})`, false)
}

async function upgradeToTls(dialer: Dialer, url: URL, socket: Socket, call: DialOptions): Promise<Socket> {
  const name = getLiteralAddress(url) ? '' : url.hostname.replace(/\.$/, '')
  const tlsSocket = tlsConnect({
    socket,
    servername: name,
    host: getLiteralAddress(url) ?? name,
    ca: dialer.ca,
    ALPNProtocols: ['http/1.1'],
    minVersion: 'TLSv1.2',
    rejectUnauthorized: true, // explicit, because an environment variable can change the default
  })
  try {
    await waitUntilReady(tlsSocket, 'secureConnect', call)
    return tlsSocket
  } catch (error) {
    socket.destroy()
    if (error instanceof OutboundError) throw error
    throw new OutboundError('tls_failed', `the TLS connection failed (${getErrorCode(error)})`, false)
  }
}

/** Waits for the event. A socket that fails, is aborted or times out is destroyed. */
function waitUntilReady(
  socket: Socket,
  event: 'connect' | 'secureConnect',
  call: DialOptions,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (error?: unknown) => {
      clearTimeout(timer)
      call.signal.removeEventListener('abort', onAbort)
      socket.off(event, onReady).off('error', settle).off('close', onClose)
      // The socket may still fail later.
      socket.on('error', () => {})
      if (error === undefined) return resolve()
      socket.destroy()
      reject(error)
    }
    const onReady = () => settle()
    const onClose = () => settle(new Error('closed'))
    const onAbort = () => settle(call.signal.reason)
    const buildTimeout = () => new OutboundError('timeout', 'no connection in time', false)
    const timer = setTimeout(() => settle(buildTimeout()), call.timeoutMs)
    socket.on(event, onReady).on('error', settle).on('close', onClose)
    call.signal.addEventListener('abort', onAbort)
    if (call.signal.aborted) onAbort()
  })
}

function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason)
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort)
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}

function getErrorCode(error: unknown): string {
  const { code, message } = (error ?? {}) as { code?: string; message?: string }
  return code ?? message ?? 'unknown'
}
