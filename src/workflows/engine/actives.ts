/**
 * The active journeys of a workspace, arranged by what starts them, so that an event is held against those only that may
 * want it. Which versions are active is asked each time; how they are arranged is kept as long as these are the same.
 */
import { LRUCache } from 'lru-cache'
import type { Queryable } from '../../platform/db/db.ts'
import type { LogEvent } from '../../platform/events/event.ts'
import { type Active, listActiveVersions, listVersions } from '../store/engine-versions.ts'
import { triggerKindOf } from '../triggers/all.ts'
import type { AnyTriggerKind } from '../triggers/kind.ts'

export interface Actives {
  ofTrigger(type: string): readonly Active[]
  /** In the order of their ids. */
  lookingAt(event: LogEvent): readonly Active[]
}

const kept = new LRUCache<string, { versions: string; actives: Actives }>({ max: 1_000 })

export async function activesOf(on: Queryable, tenantId: string): Promise<Actives> {
  const rows = await listActiveVersions(on, tenantId)
  const versions = rows.map(row => row.versionId).join()
  const known = kept.get(tenantId)
  if (known?.versions === versions) return known.actives
  const ids = rows.map(row => row.versionId)
  const actives = arrange(ids.length > 0 ? await listVersions(on, tenantId, ids) : [])
  kept.set(tenantId, { versions, actives })
  return actives
}

/** Of one kind of trigger: by key, and those that look at every event. */
interface Shelf {
  kind: AnyTriggerKind
  all: Active[]
  byKey: Map<string, Active[]>
}

function arrange(actives: readonly Active[]): Actives {
  const shelves = new Map<string, Shelf>()
  for (const active of actives) {
    const kind = triggerKindOf(active.triggerType)
    if (!kind) continue
    const shelf: Shelf = shelves.get(kind.type) ?? { kind, all: [], byKey: new Map() }
    shelves.set(kind.type, shelf)
    shelf.all.push(active)
    for (const key of new Set(kind.index?.config(active.trigger as never) ?? []))
      shelf.byKey.set(key, [...(shelf.byKey.get(key) ?? []), active])
  }
  const byEvent = new Map<string, Shelf[]>()
  for (const shelf of shelves.values())
    for (const type of shelf.kind.events) byEvent.set(type, [...(byEvent.get(type) ?? []), shelf])
  return {
    ofTrigger: type => shelves.get(type)?.all ?? [],
    lookingAt: event => (byEvent.get(event.type) ?? []).flatMap(shelf => wanting(shelf, event)),
  }
}

function wanting({ kind, all, byKey }: Shelf, event: LogEvent): readonly Active[] {
  if (!kind.index) return all
  const keys = new Set(kind.index.event(event))
  const found = new Set([...keys].flatMap(key => byKey.get(key) ?? []))
  return [...found]
}
