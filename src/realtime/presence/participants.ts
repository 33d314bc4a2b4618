/** The places that each socket watches, views and types in, and the frames of its client that wait for a check of access. */
import type { Socket } from '../workspace-stream.ts'
import type { PendingFrames } from './client-frames.ts'
import { type Place, toPlace } from './places.ts'
import type { PresentUser } from './registry.ts'

export interface Participant {
  watched: ReadonlySet<Place>
  viewing: Place | null
  typing: PresentUser['typing']
  typingTimer: NodeJS.Timeout | undefined
  pending: PendingFrames
  isChecking: boolean
  mustRecheck: boolean
  /** Places that were hidden while a check of access was in flight. */
  hidden: Set<Place>
}

export function newParticipant(): Participant {
  return {
    watched: new Set(),
    viewing: null,
    typing: null,
    typingTimer: undefined,
    pending: {},
    isChecking: false,
    mustRecheck: false,
    hidden: new Set(),
  }
}

export function hasWork({ pending, mustRecheck }: Participant): boolean {
  return mustRecheck || Object.keys(pending).length > 0
}

/** Converts the frames of a client to places. */
export interface Wishes {
  watched: Place[] | undefined
  /** Undefined: no frame said what the user views. */
  viewing: Place | null | undefined
  typing: { place: Place; kind: PresentUser['typing'] } | undefined
}

export function readFrames({ watch, viewing, typing }: PendingFrames): Wishes {
  return {
    watched: watch && [
      ...watch.conversationIds.map(id => toPlace('conversation', id)),
      ...(watch.workflowIds ?? []).map(id => toPlace('workflow', id)),
    ],
    viewing: viewing && toViewed(viewing),
    typing: typing && { place: toPlace('conversation', typing.conversationId), kind: typing.kind },
  }
}

function toViewed(viewing: NonNullable<PendingFrames['viewing']>): Place | null {
  if ('workflowId' in viewing) return toPlace('workflow', viewing.workflowId)
  return viewing.conversationId === null ? null : toPlace('conversation', viewing.conversationId)
}

/** Returns all places of the frames and of the participant. */
export function listPlaces({ watched, viewing, typing }: Wishes, participant: Participant): Place[] {
  const single = [viewing, typing?.place, participant.viewing].flatMap(place => place ?? [])
  return [...new Set([...single, ...(watched ?? []), ...participant.watched])]
}

/** The sockets that watch each place. */
export class Watchers {
  readonly #sockets = new Map<string, Set<Socket>>()

  get(key: string): ReadonlySet<Socket> | undefined {
    return this.#sockets.get(key)
  }

  add(key: string, socket: Socket): void {
    this.#sockets.set(key, (this.#sockets.get(key) ?? new Set()).add(socket))
  }

  remove(key: string, socket: Socket): void {
    const sockets = this.#sockets.get(key)
    sockets?.delete(socket)
    if (sockets?.size === 0) this.#sockets.delete(key)
  }
}
