/** What each socket watches, views and types, and the frames of its client that wait for a check of access. */
import type { Socket } from '../workspace-stream.ts'
import type { PendingFrames } from './client-frames.ts'
import type { PresentUser } from './registry.ts'

export interface Participant {
  watched: ReadonlySet<string>
  viewing: string | null
  typing: PresentUser['typing']
  typingTimer: NodeJS.Timeout | undefined
  pending: PendingFrames
  isChecking: boolean
  mustRecheck: boolean
  /** Conversations that were hidden while a check of access was in flight. */
  hidden: Set<string>
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

/** Returns all conversations that frames name or the participant knows. */
export function listConversationIds(
  { watch, viewing, typing }: PendingFrames,
  participant: Participant,
): string[] {
  const ids = [viewing?.conversationId, typing?.conversationId, participant.viewing].flatMap(id => id ?? [])
  return [...new Set([...ids, ...(watch?.conversationIds ?? []), ...participant.watched])]
}

/** The sockets that watch each conversation. */
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
