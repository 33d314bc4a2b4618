/** Tells visitors that an agent types a reply: follows the presence of agents in all processes. */
import { findUser } from '../../identity/users/users.ts'
import type { Deps } from '../../platform/deps.ts'
import { startExchange } from '../../realtime/presence/exchange.ts'
import { type Place, parsePlace } from '../../realtime/presence/places.ts'
import { createRegistry } from '../../realtime/presence/registry.ts'

export interface AgentTyping {
  tenantId: string
  conversationId: string
  isTyping: boolean
  /** Of the agent, while one types. */
  name: string | null
}

export interface TypingWatch {
  /** Asks other processes who types in the workspace now. */
  ask(tenantId: string): void
  stop(): void
}

/** `isFollowed` reports whether a visitor of the conversation is connected to this process. */
export function watchAgentTyping(
  deps: Pick<Deps, 'db' | 'bus' | 'log'>,
  isFollowed: (tenantId: string, conversationId: string) => boolean,
  onTyping: (typing: AgentTyping) => void,
): TypingWatch {
  const registry = createRegistry<never>()
  const typing = new Set<string>()

  async function notify(tenantId: string, place: Place): Promise<void> {
    const { kind, id: conversationId } = parsePlace(place)
    const key = `${tenantId}/${place}`
    if (kind !== 'conversation' || !isFollowed(tenantId, conversationId)) return void typing.delete(key)
    const user = registry.list(tenantId, place).find(one => one.typing === 'reply')
    const isTyping = user !== undefined
    if (isTyping === typing.has(key)) return
    if (isTyping) typing.add(key)
    else typing.delete(key)
    const name = user ? ((await findUser(deps.db, tenantId, user.userId))?.name ?? null) : null
    if (typing.has(key) === isTyping) onTyping({ tenantId, conversationId, isTyping, name })
  }

  const exchange = startExchange(deps.bus, registry, (tenantId, place) => {
    notify(tenantId, place).catch(error => deps.log.warn({ err: error }, 'agent typing was not shown'))
  })
  return exchange
}
