/**
 * Open sockets. A socket whose caller loses their standing is closed at once; one that does not answer the heartbeat is
 * ended. Nothing is kept for anybody: whatever was missed can be had again by its number.
 */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Deps } from '../platform/deps.ts'
import { onAdvanced } from '../platform/events/announce.ts'
import { headSeq } from '../platform/events/store/log.ts'
import type { Authenticate, Caller } from '../platform/http/caller.ts'
import { newId } from '../platform/ids.ts'
import { createFollower, type Follower, type Socket, send } from './follower.ts'
import { closeCodes } from './frames.ts'
import { redeemTicket } from './tickets.ts'
import { unreadTeller } from './unread.ts'

export interface RealtimeOptions {
  authenticate: Authenticate
  /** What the caller has not read, with its version. */
  unread: (caller: Caller) => Promise<object>
  /** Told of a workspace when the standing of its callers changed. */
  onStandingChanged: (hear: (tenantId: string) => void) => () => void
  heartbeatMs?: number
}

export interface Realtime {
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  count(): number
  stop(): Promise<void>
}

const usualHeartbeatMs = 25_000

export function startRealtime(deps: Deps, options: RealtimeOptions): Realtime {
  const server = new WebSocketServer({ noServer: true, maxPayload: 64 * 1024 })
  const followers = new Map<string, Follower>()
  const heartbeatMs = options.heartbeatMs ?? usualHeartbeatMs
  const countSoon = unreadTeller(deps, options.unread)
  const recheck = (tenantId: string) => void recheckAll(options.authenticate, followers.get(tenantId))
  const leave = [
    onAdvanced(
      deps.bus,
      heads => {
        for (const tenantId of Object.keys(heads)) followers.get(tenantId)?.wake()
      },
      () => {
        for (const follower of followers.values()) follower.wake()
      },
    ),
    options.onStandingChanged(recheck),
  ]
  const heartbeat = setInterval(() => {
    for (const [tenantId, follower] of followers) {
      follower.sockets.forEach(beat)
      // Tokens end by themselves too, and a hint between processes may be lost.
      recheck(tenantId)
      follower.wake()
    }
  }, heartbeatMs)

  function followerOf(tenantId: string, head: number): Follower {
    const known = followers.get(tenantId) ?? createFollower(deps, tenantId, head, countSoon)
    followers.set(tenantId, known)
    return known
  }

  async function join(ws: WebSocket, wire: Duplex, { token, caller, since }: Admitted): Promise<void> {
    const socket: Socket = { ws, wire, token, caller, alive: true }
    const head = await headSeq(deps.db, caller.tenantId)
    const follower = followerOf(caller.tenantId, head)
    ws.on('pong', () => {
      socket.alive = true
    })
    ws.on('error', () => ws.terminate())
    ws.on('close', () => {
      if (!follower.part(socket) && followers.get(caller.tenantId) === follower)
        followers.delete(caller.tenantId)
    })
    send(
      socket,
      JSON.stringify({ type: 'hello', data: { session: newId('session'), seq: head, heartbeatMs } }),
    )
    await follower.join(socket, since, head)
    countSoon(socket)
  }

  return {
    upgrade(request, raw, head) {
      admit(deps, options, request).then(
        admitted =>
          server.handleUpgrade(request, raw, head, ws => {
            if (!admitted) ws.close(closeCodes.unauthenticated, 'a valid token or ticket is required')
            else join(ws, raw, admitted).catch(() => ws.terminate())
          }),
        () => raw.destroy(),
      )
    },
    count: () => [...followers.values()].reduce((sum, { sockets }) => sum + sockets.size, 0),
    async stop() {
      clearInterval(heartbeat)
      for (const end of leave) end()
      for (const { sockets } of followers.values())
        for (const { ws } of sockets) ws.close(closeCodes.restarting, 'restarting')
      server.close()
    },
  }
}

function beat(socket: Socket): void {
  if (!socket.alive) socket.ws.terminate()
  socket.alive = false
  socket.ws.ping()
}

async function recheckAll(authenticate: Authenticate, follower: Follower | undefined): Promise<void> {
  for (const socket of follower?.sockets ?? []) {
    const caller = await authenticate(socket.token).catch(() => socket.caller)
    if (caller) socket.caller = caller
    else socket.ws.close(closeCodes.unauthenticated, 'the token is not valid any more')
  }
}

interface Admitted {
  token: string
  caller: Caller
  since: number | undefined
}

/** The token of the header, or the one a ticket stands for. */
async function admit(
  deps: Deps,
  { authenticate }: RealtimeOptions,
  request: IncomingMessage,
): Promise<Admitted | undefined> {
  const query = new URL(request.url ?? '/', 'http://localhost').searchParams
  const ticket = query.get('ticket')
  const header = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
  const token = header ?? (ticket ? await redeemTicket(deps, ticket) : undefined)
  const caller = token ? await authenticate(token) : undefined
  if (!token || !caller?.scopes.has('user:read_self')) return undefined
  const since = query.get('since')
  return { token, caller, since: since !== null && /^\d{1,15}$/.test(since) ? Number(since) : undefined }
}
