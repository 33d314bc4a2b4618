/**
 * Parts of the search over all kinds of resources. Each domain contributes what it owns; the console domain composes them
 * without importing the others.
 */
import type { Deps } from '../deps.ts'
import type { Caller, Scope } from '../http/caller.ts'

export interface SearchHit {
  id: string
  title: string
  detail: string | null
  /** Of a message. */
  conversationId?: string
}

export interface SearchRequest {
  text: string
  limit: number
}

export interface SearchPart {
  kind: string
  /** The part is left out for callers without this scope, which must be the one of the operation that lists the same. */
  scope: Scope
  find: (deps: Deps, caller: Caller, request: SearchRequest) => Promise<SearchHit[]>
}

export interface NamedResource {
  id: string
  name: string
  detail?: string | null
}

/** How many resources of one kind are compared, the newest first. */
export const maxNamed = 5_000

/** A kind with few resources in a workspace: `list` returns all of them, and those whose name has the text are found. */
export function namedPart(part: {
  kind: string
  scope: Scope
  list: (deps: Deps, caller: Caller) => Promise<readonly NamedResource[]>
}): SearchPart {
  const { kind, scope, list } = part
  return {
    kind,
    scope,
    find: async (deps, caller, request) => matchNames(await list(deps, caller), request),
  }
}

/** Names that begin with the text come first, then those with a word that does, then the others. */
export function matchNames(resources: readonly NamedResource[], { text, limit }: SearchRequest): SearchHit[] {
  const wanted = toComparable(text.trim())
  return resources
    .map(resource => ({ resource, rank: rankName(toComparable(resource.name), wanted) }))
    .filter(({ rank }) => rank !== undefined)
    .sort((a, b) => a.rank! - b.rank!)
    .slice(0, limit)
    .map(({ resource: { id, name, detail } }) => ({ id, title: name, detail: detail || null }))
}

function rankName(name: string, wanted: string): number | undefined {
  const place = name.indexOf(wanted)
  if (place < 0) return undefined
  if (place === 0) return 0
  return name.includes(` ${wanted}`) ? 1 : 2
}

/** Without case and accents. */
function toComparable(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
}
