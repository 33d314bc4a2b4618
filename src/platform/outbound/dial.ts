// Opening a connection to an address that has been judged. A name is resolved once and the socket is given the very
// address that passed the guard, so an answer that changes between the check and the connect changes nothing.
import { type Socket, connect as tcpConnect } from 'node:net'
import { connect as tlsConnect } from 'node:tls'
import { OutboundError } from './failures.ts'
import { type GuardPolicy, isForbidden } from './policy.ts'
import type { Lookup } from './resolver.ts'
import { literalAddress, portOf } from './urls.ts'

/** Makes a socket that is connecting to one plain address. Tests put a recorder here. */
export type Connect = (target: { address: string; port: number }) => Socket

export interface Dialer {
  policy: GuardPolicy
  lookup: Lookup
  connect: Connect
  /** Certificate authorities to trust in place of the system's. */
  ca?: string | string[]
}

interface Call {
  timeoutMs: number
  signal: AbortSignal
}

const mostAddresses = 4

export const openSocket: Connect = ({ address, port }) => tcpConnect({ host: address, port, noDelay: true })

/** A connected (and for https verified) socket to the URL's origin; throws an OutboundError. */
export async function dial(dialer: Dialer, url: URL, call: Call): Promise<Socket> {
  const addresses = await allowedAddresses(dialer, url, call.signal)
  const target = { port: portOf(url), timeoutMs: call.timeoutMs / addresses.length, signal: call.signal }
  const socket = await firstToConnect(dialer.connect, addresses, target)
  return url.protocol === 'https:' ? secure(dialer, url, socket, call) : socket
}

async function allowedAddresses(dialer: Dialer, url: URL, signal: AbortSignal): Promise<string[]> {
  const literal = literalAddress(url)
  const found = literal ? [literal] : await resolve(dialer.lookup, url.hostname, signal)
  const judged = found.map(address => ({ address, reason: isForbidden(dialer.policy, address, portOf(url)) }))
  const allowed = judged.filter(({ reason }) => !reason).map(({ address }) => address)
  if (allowed.length > 0) return allowed.slice(0, mostAddresses)
  throw new OutboundError(
    'forbidden_address',
    `${url.hostname} cannot be called: ${judged[0]?.reason}`,
    false,
  )
}

async function resolve(lookup: Lookup, hostname: string, signal: AbortSignal): Promise<string[]> {
  const failed = (why: string) =>
    new OutboundError('dns_failed', `${hostname} cannot be resolved (${why})`, false)
  const answer = (async () => lookup(hostname))()
  const found = await unlessAborted(answer, signal).catch(error => {
    throw error instanceof OutboundError ? error : failed(codeOf(error))
  })
  if (found.length === 0) throw failed('no address')
  return found
}

async function firstToConnect(
  connect: Connect,
  addresses: string[],
  { port, ...call }: Call & { port: number },
): Promise<Socket> {
  let last: unknown
  for (const address of addresses) {
    try {
      const socket = connect({ address, port })
      await ready(socket, 'connect', call)
      return socket
    } catch (error) {
      if (call.signal.aborted) throw error
      last = error
    }
  }
  if (last instanceof OutboundError) throw last
  throw new OutboundError('connect_failed', `the connection failed (${codeOf(last)})`, false)
}

async function secure(dialer: Dialer, url: URL, socket: Socket, call: Call): Promise<Socket> {
  const name = literalAddress(url) ? '' : url.hostname.replace(/\.$/, '')
  const wrapped = tlsConnect({
    socket,
    servername: name,
    host: literalAddress(url) ?? name,
    ca: dialer.ca,
    ALPNProtocols: ['http/1.1'],
    minVersion: 'TLSv1.2',
    rejectUnauthorized: true, // said aloud, since an environment variable can change the default
  })
  try {
    await ready(wrapped, 'secureConnect', call)
    return wrapped
  } catch (error) {
    socket.destroy()
    if (error instanceof OutboundError) throw error
    throw new OutboundError('tls_failed', `the TLS connection failed (${codeOf(error)})`, false)
  }
}

/** Waits for the event; a socket that fails, is aborted or takes too long is destroyed. */
function ready(socket: Socket, event: 'connect' | 'secureConnect', call: Call): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (error?: unknown) => {
      clearTimeout(timer)
      call.signal.removeEventListener('abort', onAbort)
      socket.off(event, onReady).off('error', settle).off('close', onClose)
      // A socket nobody waits for any more may still fail.
      socket.on('error', () => {})
      if (error === undefined) return resolve()
      socket.destroy()
      reject(error)
    }
    const onReady = () => settle()
    const onClose = () => settle(new Error('closed'))
    const onAbort = () => settle(call.signal.reason)
    const late = () => new OutboundError('timeout', 'no connection in time', false)
    const timer = setTimeout(() => settle(late()), call.timeoutMs)
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

function codeOf(error: unknown): string {
  const { code, message } = (error ?? {}) as { code?: string; message?: string }
  return code ?? message ?? 'unknown'
}
