/** Where users are present: in a conversation, or in a journey or chatbot that is open in the builder. */
import type { Caller, Scope } from '../../platform/http/caller.ts'

export type PlaceKind = 'conversation' | 'workflow'
/** The kind and id of a conversation or workflow, such as `workflow/jrn_1`. */
export type Place = `${PlaceKind}/${string}`

/** Returns which of the ids the caller may see. */
export type ListVisible = (caller: Caller, ids: readonly string[]) => Promise<ReadonlySet<string>>

const scopes = { conversation: 'conversation:read', workflow: 'journey:read' } as const satisfies Record<
  PlaceKind,
  Scope
>
const kinds = Object.keys(scopes) as PlaceKind[]

export const toPlace = (kind: PlaceKind, id: string): Place => `${kind}/${id}`

export function parsePlace(place: Place): { kind: PlaceKind; id: string } {
  const slash = place.indexOf('/')
  return { kind: place.slice(0, slash) as PlaceKind, id: place.slice(slash + 1) }
}

/** Returns the member of a frame that names the place. */
export function namePlace(place: Place): { conversationId: string } | { workflowId: string } {
  const { kind, id } = parsePlace(place)
  return kind === 'conversation' ? { conversationId: id } : { workflowId: id }
}

/** Reports whether the caller may follow places of this kind. Service accounts neither view nor type. */
export function canFollow(caller: Caller, place: Place): boolean {
  return canFollowKind(caller, parsePlace(place).kind)
}

const canFollowKind = (caller: Caller, kind: PlaceKind): boolean =>
  caller.kind === 'user' && caller.scopes.has(scopes[kind])

/** Returns the places that the caller may see, with one query for each kind. */
export async function listVisiblePlaces(
  listVisible: Record<PlaceKind, ListVisible>,
  caller: Caller,
  places: readonly Place[],
): Promise<Set<Place>> {
  const given = places.map(parsePlace)
  const visible = await Promise.all(
    kinds.map(async kind => {
      const ids = given.filter(place => place.kind === kind).map(({ id }) => id)
      if (ids.length === 0 || !canFollowKind(caller, kind)) return []
      return [...(await listVisible[kind](caller, ids))].map(id => toPlace(kind, id))
    }),
  )
  return new Set(visible.flat())
}
