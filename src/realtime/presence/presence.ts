/**
 * Presence: which users view a conversation or type in it. Kept in memory and never stored. A socket receives the presence
 * of the conversations that it watches, as long as its user may see them: access is checked when the client names a
 * conversation, and again when the conversation or the user's rights change.
 */
import type { Deps } from '../../platform/deps.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { type Socket, send } from '../workspace-stream.ts'
import { addFrame, type PendingFrames } from './client-frames.ts'
import { type Exchange, startExchange } from './exchange.ts'
import { hasWork, listConversationIds, newParticipant, type Participant, Watchers } from './participants.ts'
import { createRegistry, type PresentUser } from './registry.ts'

/** Returns which of the conversations the caller may see. */
export type ListVisible = (caller: Caller, conversationIds: readonly string[]) => Promise<ReadonlySet<string>>

/** A client repeats `typing` every few seconds while its user types. */
const typingMs = 5_000
/** Changes of one conversation within this time are sent together. */
const flushMs = 50

export class Presence {
  readonly #deps: Pick<Deps, 'log' | 'clock'>
  readonly #listVisible: ListVisible
  readonly #participants = new Map<Socket, Participant>()
  readonly #watchers = new Watchers()
  readonly #registry = createRegistry<Socket>()
  readonly #exchange: Exchange
  readonly #changed = new Map<string, { tenantId: string; conversationId: string; isLocal: boolean }>()
  #flushTimer: NodeJS.Timeout | undefined

  constructor(deps: Pick<Deps, 'bus' | 'log' | 'clock'>, listVisible: ListVisible) {
    this.#deps = deps
    this.#listVisible = listVisible
    this.#exchange = startExchange(deps.bus, this.#registry, (tenantId, id) =>
      this.#markChanged(tenantId, id, false),
    )
  }

  /** Applies a frame of the client. */
  receive(socket: Socket, frame: string): void {
    const participant = this.#participants.get(socket) ?? newParticipant()
    const error = addFrame(participant.pending, frame)
    if (error)
      send(socket, JSON.stringify({ type: 'error', data: { code: 'invalid_frame', message: error } }))
    if (!hasWork(participant)) return
    this.#participants.set(socket, participant)
    this.#startCheck(socket, participant)
  }

  /** Removes a socket that was closed. */
  leave(socket: Socket): void {
    const participant = this.#participants.get(socket)
    if (!participant) return
    this.#setActivity(socket, participant, null, null)
    this.#setWatched(socket, participant, new Set())
    this.#participants.delete(socket)
  }

  /** Ends what the socket has to do with a conversation that its user can no longer see. */
  hide(socket: Socket, conversationId: string): void {
    const participant = this.#participants.get(socket)
    if (!participant) return
    participant.hidden.add(conversationId)
    if (participant.watched.has(conversationId)) {
      participant.watched = new Set([...participant.watched].filter(id => id !== conversationId))
      this.#watchers.remove(toKey(socket.caller.tenantId, conversationId), socket)
    }
    if (participant.viewing === conversationId) this.#setActivity(socket, participant, null, null)
  }

  /** Checks all conversations of the socket again, because the rights of its user have changed. */
  recheck(socket: Socket): void {
    const participant = this.#participants.get(socket)
    if (!participant) return
    participant.mustRecheck = true
    this.#startCheck(socket, participant)
  }

  stop(): void {
    clearTimeout(this.#flushTimer)
    for (const { typingTimer } of this.#participants.values()) clearTimeout(typingTimer)
    this.#exchange.stop()
  }

  #startCheck(socket: Socket, participant: Participant): void {
    if (participant.isChecking) return
    participant.isChecking = true
    this.#check(socket, participant)
      .catch(error => this.#deps.log.warn({ err: error }, 'checking access for presence failed'))
      .finally(() => {
        participant.isChecking = false
      })
  }

  /** Applies the frames that wait, with one query for all of them; frames that arrive meanwhile are the next ones. */
  async #check(socket: Socket, participant: Participant): Promise<void> {
    while (this.#participants.has(socket) && hasWork(participant)) {
      const frames = participant.pending
      participant.pending = {}
      participant.mustRecheck = false
      participant.hidden.clear()
      const ids = listConversationIds(frames, participant)
      const visible = new Set(canFollow(socket.caller) ? await this.#listVisible(socket.caller, ids) : [])
      for (const id of participant.hidden) visible.delete(id)
      if (!this.#participants.has(socket)) return
      for (const id of ids) if (!visible.has(id)) this.hide(socket, id)
      this.#apply(socket, participant, frames, visible)
    }
  }

  #apply(
    socket: Socket,
    participant: Participant,
    { watch, viewing, typing }: PendingFrames,
    visible: ReadonlySet<string>,
  ): void {
    if (watch)
      this.#setWatched(socket, participant, new Set(watch.conversationIds.filter(id => visible.has(id))))
    if (viewing) {
      const id = viewing.conversationId
      const isSame = id === participant.viewing
      const shown = id !== null && visible.has(id) ? id : null
      this.#setActivity(socket, participant, shown, isSame ? participant.typing : null)
    }
    if (typing && visible.has(typing.conversationId))
      this.#setActivity(socket, participant, typing.conversationId, typing.kind)
  }

  #setWatched(socket: Socket, participant: Participant, ids: ReadonlySet<string>): void {
    const { tenantId } = socket.caller
    const before = participant.watched
    participant.watched = ids
    for (const id of before) if (!ids.has(id)) this.#watchers.remove(toKey(tenantId, id), socket)
    const added = [...ids].filter(id => !before.has(id))
    for (const id of added) {
      this.#watchers.add(toKey(tenantId, id), socket)
      if (this.#registry.list(tenantId, id).length > 0) this.#notify([socket], tenantId, id)
    }
    if (added.length > 0) this.#exchange.ask(tenantId)
  }

  #setActivity(
    socket: Socket,
    participant: Participant,
    viewing: string | null,
    typing: PresentUser['typing'],
  ): void {
    const { tenantId, id: userId } = socket.caller
    const before = participant.viewing
    clearTimeout(participant.typingTimer)
    if (typing)
      participant.typingTimer = setTimeout(
        () => this.#setActivity(socket, participant, viewing, null),
        typingMs,
      )
    if (before === viewing && participant.typing === typing) return
    Object.assign(participant, { viewing, typing })
    if (before !== null) this.#registry.setLocal(tenantId, before, socket, undefined)
    if (viewing !== null) this.#registry.setLocal(tenantId, viewing, socket, { userId, typing })
    for (const id of new Set([before, viewing])) if (id !== null) this.#markChanged(tenantId, id, true)
  }

  #markChanged(tenantId: string, conversationId: string, isLocal: boolean): void {
    const key = toKey(tenantId, conversationId)
    const wasLocal = this.#changed.get(key)?.isLocal ?? false
    this.#changed.set(key, { tenantId, conversationId, isLocal: isLocal || wasLocal })
    this.#flushTimer ??= setTimeout(() => this.#flush(), flushMs)
  }

  #flush(): void {
    this.#flushTimer = undefined
    for (const [key, { tenantId, conversationId, isLocal }] of this.#changed) {
      if (isLocal) this.#exchange.publish(tenantId, conversationId)
      const receivers = this.#watchers.get(key)
      if (receivers) this.#notify(receivers, tenantId, conversationId)
    }
    this.#changed.clear()
  }

  #notify(receivers: Iterable<Socket>, tenantId: string, conversationId: string): void {
    const data = { conversationId, users: this.#registry.list(tenantId, conversationId) }
    const timestamp = this.#deps.clock.now().toISOString()
    const frame = JSON.stringify({ type: 'presence', timestamp, data })
    for (const socket of receivers) if (canFollow(socket.caller)) send(socket, frame)
  }
}

/** Service accounts neither view nor type. */
function canFollow({ kind, scopes }: Caller): boolean {
  return kind === 'user' && scopes.has('conversation:read')
}

const toKey = (tenantId: string, conversationId: string): string => `${tenantId}/${conversationId}`
