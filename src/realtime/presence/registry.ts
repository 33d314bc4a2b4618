/**
 * The users who view each place or type in it, in memory: the sockets of this process, and what other processes reported.
 * A report of another process holds until its next one, or until it expires because the process died.
 */
import type { Place } from './places.ts'

export interface PresentUser {
  userId: string
  /** Null: the user only views the place. */
  typing: 'reply' | 'note' | null
}

/** Users by place. */
export type Report = Record<Place, PresentUser[]>

interface RemoteReport {
  receivedAt: number
  places: Map<Place, PresentUser[]>
}

export interface Registry<S> {
  /** Sets what a socket of this process does in a place; undefined: it left. */
  setLocal(tenantId: string, place: Place, socket: S, user: PresentUser | undefined): void
  /** Sets what another process reported; a complete report also removes all else of that process. */
  setRemote(
    origin: string,
    tenantId: string,
    report: Report,
    options: { complete: boolean; now: number },
  ): void
  /** Removes reports received before; returns the places that they were about. */
  expire(before: number): { tenantId: string; place: Place }[]
  /** Returns the users of one place in this process. */
  listLocal(tenantId: string, place: Place): PresentUser[]
  /** Returns all users of a workspace in this process. */
  reportLocal(tenantId: string): Report
  hasLocal(tenantId: string): boolean
  listLocalTenants(): string[]
  /** Returns the users of one place in all processes, each once. */
  list(tenantId: string, place: Place): PresentUser[]
  /** Returns the places of a workspace with users in other processes. */
  listRemote(tenantId: string, origin: string): Place[]
}

export function createRegistry<S>(): Registry<S> {
  const local = new Map<string, Map<Place, Map<S, PresentUser>>>()
  const remote = new Map<string, Map<string, RemoteReport>>()

  const listLocal = (tenantId: string, place: Place) =>
    mergeUsers([...(local.get(tenantId)?.get(place)?.values() ?? [])])

  return {
    setLocal(tenantId, place, socket, user) {
      const places = getOrAdd(local, tenantId, () => new Map())
      const sockets = getOrAdd(places, place, () => new Map())
      if (user) sockets.set(socket, user)
      else sockets.delete(socket)
      if (sockets.size === 0) places.delete(place)
      if (places.size === 0) local.delete(tenantId)
    },
    setRemote(origin, tenantId, report, { complete, now }) {
      const origins = getOrAdd(remote, tenantId, () => new Map())
      const known = origins.get(origin)?.places
      const places = new Map(complete ? [] : (known ?? []))
      for (const [id, users] of Object.entries(report)) {
        if (users.length > 0) places.set(id, users)
        else places.delete(id)
      }
      if (places.size > 0) origins.set(origin, { receivedAt: now, places })
      else origins.delete(origin)
      if (origins.size === 0) remote.delete(tenantId)
    },
    expire(before) {
      return [...remote].flatMap(([tenantId, origins]) => {
        const expired = [...origins].filter(([, { receivedAt }]) => receivedAt < before)
        for (const [origin] of expired) origins.delete(origin)
        if (origins.size === 0) remote.delete(tenantId)
        const ids = expired.flatMap(([, { places }]) => [...places.keys()])
        return ids.map(place => ({ tenantId, place }))
      })
    },
    listLocal,
    reportLocal: tenantId =>
      Object.fromEntries([...(local.get(tenantId)?.keys() ?? [])].map(id => [id, listLocal(tenantId, id)])),
    hasLocal: tenantId => local.has(tenantId),
    listLocalTenants: () => [...local.keys()],
    list(tenantId, place) {
      const others = [...(remote.get(tenantId)?.values() ?? [])]
      return mergeUsers([
        ...listLocal(tenantId, place),
        ...others.flatMap(({ places }) => places.get(place) ?? []),
      ])
    },
    listRemote: (tenantId, origin) => [...(remote.get(tenantId)?.get(origin)?.places.keys() ?? [])],
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
