/**
 * Presence: which users view a conversation or type in it, and which have a workflow open. Kept in memory and never stored.
 * A socket receives the presence of the places that it watches, as long as its user may see them: access is checked when
 * the client names a place, and again when the conversation or the user's rights change.
 */
import type { Deps } from '../../platform/deps.ts'
import { type Socket, send } from '../workspace-stream.ts'
import { addFrame } from './client-frames.ts'
import { type Exchange, startExchange } from './exchange.ts'
import {
  hasWork,
  listPlaces,
  newParticipant,
  type Participant,
  readFrames,
  Watchers,
  type Wishes,
} from './participants.ts'
import {
  canFollow,
  type ListVisible,
  listVisiblePlaces,
  namePlace,
  type Place,
  type PlaceKind,
} from './places.ts'
import { createRegistry, type PresentUser } from './registry.ts'

/** A client repeats `typing` every few seconds while its user types. */
const typingMs = 5_000
/** Changes of one place within this time are sent together. */
const flushMs = 50

export class Presence {
  readonly #deps: Pick<Deps, 'log' | 'clock'>
  readonly #listVisible: Record<PlaceKind, ListVisible>
  readonly #participants = new Map<Socket, Participant>()
  readonly #watchers = new Watchers()
  readonly #registry = createRegistry<Socket>()
  readonly #exchange: Exchange
  readonly #changed = new Map<string, { tenantId: string; place: Place; isLocal: boolean }>()
  #flushTimer: NodeJS.Timeout | undefined

  constructor(deps: Pick<Deps, 'bus' | 'log' | 'clock'>, listVisible: Record<PlaceKind, ListVisible>) {
    this.#deps = deps
    this.#listVisible = listVisible
    this.#exchange = startExchange(deps.bus, this.#registry, (tenantId, place) =>
      this.#markChanged(tenantId, place, false),
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

  /** Ends what the socket has to do with a place that its user can no longer see. */
  hide(socket: Socket, place: Place): void {
    const participant = this.#participants.get(socket)
    if (!participant) return
    participant.hidden.add(place)
    if (participant.watched.has(place)) {
      participant.watched = new Set([...participant.watched].filter(item => item !== place))
      this.#watchers.remove(toKey(socket.caller.tenantId, place), socket)
    }
    if (participant.viewing === place) this.#setActivity(socket, participant, null, null)
  }

  /** Checks all places of the socket again, because the rights of its user have changed. */
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

  /** Applies the frames that wait, with one query for each kind of place; frames that arrive meanwhile are the next ones. */
  async #check(socket: Socket, participant: Participant): Promise<void> {
    while (this.#participants.has(socket) && hasWork(participant)) {
      const wishes = readFrames(participant.pending)
      participant.pending = {}
      participant.mustRecheck = false
      participant.hidden.clear()
      const places = listPlaces(wishes, participant)
      const visible = await listVisiblePlaces(this.#listVisible, socket.caller, places)
      for (const place of participant.hidden) visible.delete(place)
      if (!this.#participants.has(socket)) return
      for (const place of places) if (!visible.has(place)) this.hide(socket, place)
      this.#apply(socket, participant, wishes, visible)
    }
  }

  #apply(
    socket: Socket,
    participant: Participant,
    { watched, viewing, typing }: Wishes,
    visible: ReadonlySet<Place>,
  ): void {
    if (watched) this.#setWatched(socket, participant, new Set(watched.filter(place => visible.has(place))))
    if (viewing !== undefined) {
      const isSame = viewing === participant.viewing
      const shown = viewing !== null && visible.has(viewing) ? viewing : null
      this.#setActivity(socket, participant, shown, isSame ? participant.typing : null)
    }
    if (typing && visible.has(typing.place)) this.#setActivity(socket, participant, typing.place, typing.kind)
  }

  #setWatched(socket: Socket, participant: Participant, places: ReadonlySet<Place>): void {
    const { tenantId } = socket.caller
    const before = participant.watched
    participant.watched = places
    for (const place of before) if (!places.has(place)) this.#watchers.remove(toKey(tenantId, place), socket)
    const added = [...places].filter(place => !before.has(place))
    for (const place of added) {
      this.#watchers.add(toKey(tenantId, place), socket)
      if (this.#registry.list(tenantId, place).length > 0) this.#notify([socket], tenantId, place)
    }
    if (added.length > 0) this.#exchange.ask(tenantId)
  }

  #setActivity(
    socket: Socket,
    participant: Participant,
    viewing: Place | null,
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
    for (const place of new Set([before, viewing]))
      if (place !== null) this.#markChanged(tenantId, place, true)
  }

  #markChanged(tenantId: string, place: Place, isLocal: boolean): void {
    const key = toKey(tenantId, place)
    const wasLocal = this.#changed.get(key)?.isLocal ?? false
    this.#changed.set(key, { tenantId, place, isLocal: isLocal || wasLocal })
    this.#flushTimer ??= setTimeout(() => this.#flush(), flushMs)
  }

  #flush(): void {
    this.#flushTimer = undefined
    for (const [key, { tenantId, place, isLocal }] of this.#changed) {
      if (isLocal) this.#exchange.publish(tenantId, place)
      const receivers = this.#watchers.get(key)
      if (receivers) this.#notify(receivers, tenantId, place)
    }
    this.#changed.clear()
  }

  #notify(receivers: Iterable<Socket>, tenantId: string, place: Place): void {
    const data = { ...namePlace(place), users: this.#registry.list(tenantId, place) }
    const timestamp = this.#deps.clock.now().toISOString()
    const frame = JSON.stringify({ type: 'presence', timestamp, data })
    for (const socket of receivers) if (canFollow(socket.caller, place)) send(socket, frame)
  }
}

const toKey = (tenantId: string, place: Place): string => `${tenantId}/${place}`
