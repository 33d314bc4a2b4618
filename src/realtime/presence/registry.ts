/**
 * Who views and types in which conversation, in memory: the sockets of this process, and what other processes reported.
 * A report of another process holds until its next one, or until it expires because the process died.
 */
export interface PresentUser {
  userId: string
  /** Null: the user only views the conversation. */
  typing: 'reply' | 'note' | null
}

/** Users by conversation. */
export type Report = Record<string, PresentUser[]>

interface RemoteReport {
  receivedAt: number
  conversations: Map<string, PresentUser[]>
}

export interface Registry<S> {
  /** Sets what a socket of this process does in a conversation; undefined: it left. */
  setLocal(tenantId: string, conversationId: string, socket: S, user: PresentUser | undefined): void
  /** Sets what another process reported; a complete report also removes all else of that process. */
  setRemote(
    origin: string,
    tenantId: string,
    report: Report,
    options: { complete: boolean; now: number },
  ): void
  /** Removes reports received before; returns the conversations that they were about. */
  expire(before: number): { tenantId: string; conversationId: string }[]
  /** Returns the users of one conversation in this process. */
  listLocal(tenantId: string, conversationId: string): PresentUser[]
  /** Returns all users of a workspace in this process. */
  reportLocal(tenantId: string): Report
  hasLocal(tenantId: string): boolean
  listLocalTenants(): string[]
  /** Returns the users of one conversation in all processes, each once. */
  list(tenantId: string, conversationId: string): PresentUser[]
  /** Returns the conversations of a workspace with users in other processes. */
  listRemote(tenantId: string, origin: string): string[]
}

export function createRegistry<S>(): Registry<S> {
  const local = new Map<string, Map<string, Map<S, PresentUser>>>()
  const remote = new Map<string, Map<string, RemoteReport>>()

  const listLocal = (tenantId: string, conversationId: string) =>
    mergeUsers([...(local.get(tenantId)?.get(conversationId)?.values() ?? [])])

  return {
    setLocal(tenantId, conversationId, socket, user) {
      const conversations = getOrAdd(local, tenantId, () => new Map())
      const sockets = getOrAdd(conversations, conversationId, () => new Map())
      if (user) sockets.set(socket, user)
      else sockets.delete(socket)
      if (sockets.size === 0) conversations.delete(conversationId)
      if (conversations.size === 0) local.delete(tenantId)
    },
    setRemote(origin, tenantId, report, { complete, now }) {
      const origins = getOrAdd(remote, tenantId, () => new Map())
      const known = origins.get(origin)?.conversations
      const conversations = new Map(complete ? [] : (known ?? []))
      for (const [id, users] of Object.entries(report)) {
        if (users.length > 0) conversations.set(id, users)
        else conversations.delete(id)
      }
      if (conversations.size > 0) origins.set(origin, { receivedAt: now, conversations })
      else origins.delete(origin)
      if (origins.size === 0) remote.delete(tenantId)
    },
    expire(before) {
      return [...remote].flatMap(([tenantId, origins]) => {
        const expired = [...origins].filter(([, { receivedAt }]) => receivedAt < before)
        for (const [origin] of expired) origins.delete(origin)
        if (origins.size === 0) remote.delete(tenantId)
        const ids = expired.flatMap(([, { conversations }]) => [...conversations.keys()])
        return ids.map(conversationId => ({ tenantId, conversationId }))
      })
    },
    listLocal,
    reportLocal: tenantId =>
      Object.fromEntries([...(local.get(tenantId)?.keys() ?? [])].map(id => [id, listLocal(tenantId, id)])),
    hasLocal: tenantId => local.has(tenantId),
    listLocalTenants: () => [...local.keys()],
    list(tenantId, conversationId) {
      const others = [...(remote.get(tenantId)?.values() ?? [])]
      return mergeUsers([
        ...listLocal(tenantId, conversationId),
        ...others.flatMap(({ conversations }) => conversations.get(conversationId) ?? []),
      ])
    },
    listRemote: (tenantId, origin) => [...(remote.get(tenantId)?.get(origin)?.conversations.keys() ?? [])],
  }
}

/** A user with several sockets is listed once, as typing if one of them types. */
function mergeUsers(users: readonly PresentUser[]): PresentUser[] {
  const merged = new Map<string, PresentUser>()
  for (const { userId, typing } of users)
    merged.set(userId, { userId, typing: typing ?? merged.get(userId)?.typing ?? null })
  return [...merged.values()].sort((a, b) => (a.userId < b.userId ? -1 : 1))
}

function getOrAdd<K, V>(map: Map<K, V>, key: K, create: () => V): V {
  const value = map.get(key) ?? create()
  map.set(key, value)
  return value
}
