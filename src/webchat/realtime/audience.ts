/** Which sockets of a workspace follow which conversation. A visitor without a conversation is found by its address. */
import type { Visitor } from '../../platform/http/caller.ts'
import type { StreamSocket } from '../../realtime/log-stream.ts'
import { toAddress } from '../visitors/visitors.ts'

export interface VisitorSocket extends StreamSocket {
  visitor: Visitor
  /** Undefined before the visitor's first message. */
  conversationId: string | undefined
  isAlive: boolean
  /** Since the last heartbeat. */
  framesReceived: number
}

export interface ConversationRef {
  id: string
  channel: string
  externalId: string
}

export class Audience {
  readonly #byConversation = new Map<string, Set<VisitorSocket>>()
  readonly #byAddress = new Map<string, Set<VisitorSocket>>()
  readonly #byVisitor = new Map<string, Set<VisitorSocket>>()

  add(socket: VisitorSocket): void {
    put(this.#byAddress, toAddress(socket.visitor), socket)
    put(this.#byVisitor, socket.visitor.id, socket)
    if (socket.conversationId !== undefined) put(this.#byConversation, socket.conversationId, socket)
  }

  remove(socket: VisitorSocket): void {
    take(this.#byAddress, toAddress(socket.visitor), socket)
    take(this.#byVisitor, socket.visitor.id, socket)
    if (socket.conversationId !== undefined) take(this.#byConversation, socket.conversationId, socket)
  }

  /** Changes what is known of the visitor of a socket. */
  update(socket: VisitorSocket, visitor: Visitor, conversationId: string | undefined): void {
    this.remove(socket)
    Object.assign(socket, { visitor, conversationId })
    this.add(socket)
  }

  ofVisitor(visitorId: string): readonly VisitorSocket[] {
    return [...(this.#byVisitor.get(visitorId) ?? [])]
  }

  /** Of the id of a visitor, which it keeps when it is identified, or of a verified address. */
  ofAddress(address: string): readonly VisitorSocket[] {
    return [...(this.#byVisitor.get(address) ?? this.#byAddress.get(address) ?? [])]
  }

  ofConversation(conversationId: string): ReadonlySet<VisitorSocket> {
    return this.#byConversation.get(conversationId) ?? none
  }

  /** Returns the sockets of a conversation that an event is about; those of a new one follow it from now on. */
  follow({ id, channel, externalId }: ConversationRef): ReadonlySet<VisitorSocket> {
    if (channel !== 'webchat') return none
    for (const socket of [...(this.#byAddress.get(externalId) ?? [])])
      if (socket.conversationId !== id) this.update(socket, socket.visitor, id)
    return this.ofConversation(id)
  }
}

const none: ReadonlySet<VisitorSocket> = new Set()

function put(index: Map<string, Set<VisitorSocket>>, key: string, socket: VisitorSocket): void {
  const sockets = index.get(key) ?? new Set()
  index.set(key, sockets.add(socket))
}

function take(index: Map<string, Set<VisitorSocket>>, key: string, socket: VisitorSocket): void {
  const sockets = index.get(key)
  if (sockets?.delete(socket) && sockets.size === 0) index.delete(key)
}
