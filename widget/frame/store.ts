/** The state of the chat and its subscribers. */
import type { Theme } from '../protocol.ts'
import { english, type Language } from './i18n/i18n.ts'
import type { PendingMessage } from './outbox.ts'
import type { ClaimKey, Config, Conversation, Message, Visitor } from './types.ts'

export interface Upload {
  id: string
  name: string
  /** From 0 to 1. */
  progress: number
  error: 'failed' | 'refused' | 'tooLarge' | null
}

export interface State {
  phase: 'loading' | 'ready' | 'failed'
  language: Language
  theme: Theme
  isOpen: boolean
  /** Whether the connection works, as far as it is needed. */
  isConnected: boolean
  config: Config | null
  visitor: Visitor | null
  conversation: Conversation | null
  messages: Message[]
  hasMore: boolean
  pending: PendingMessage[]
  uploads: Upload[]
  typing: { name: string | null } | null
  /** Fields that the service asks for before it opens the chat. */
  demandedFields: ClaimKey[]
  isPreChatDone: boolean
  /** Counts the people who have used the chat: what one has typed is not for the next. */
  person: number
}

const initial: State = {
  phase: 'loading',
  language: english,
  theme: 'auto',
  isOpen: false,
  isConnected: true,
  config: null,
  visitor: null,
  conversation: null,
  messages: [],
  hasMore: false,
  pending: [],
  uploads: [],
  typing: null,
  demandedFields: [],
  isPreChatDone: false,
  person: 0,
}

export class Store {
  #state = initial
  #listeners = new Set<() => void>()

  get state(): State {
    return this.#state
  }

  set(change: Partial<State>): void {
    this.#state = { ...this.#state, ...change }
    for (const listener of this.#listeners) listener()
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}

/** Adds messages or replaces those with the same id; the result is in the order of the conversation. */
export function mergeMessages(known: readonly Message[], changed: readonly Message[]): Message[] {
  const byId = new Map([...known, ...changed].map(message => [message.id, message]))
  return [...byId.values()].sort((a, b) => a.seq - b.seq)
}

export const isBlocked = ({ visitor }: State) => visitor?.isBlocked === true

/** The inbox is for visitors whom the site has identified, and this one is not. */
export const mustSignIn = ({ config, visitor }: State) =>
  config?.isIdentityRequired === true && !visitor?.isVerified

export const canWrite = (state: State) => !isBlocked(state) && !mustSignIn(state)

export const isInbound = ({ author }: Message) => author.kind !== 'visitor'

export function countUnread(messages: readonly Message[]): number {
  return messages.filter(message => isInbound(message) && message.status !== 'read').length
}
