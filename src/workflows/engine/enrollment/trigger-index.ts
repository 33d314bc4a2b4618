/**
 * The active journeys of a workspace, arranged by what starts them, so that an event is held against those only that may
 * want it. Which versions are active is asked each time; how they are arranged is kept as long as these are the same.
 */
import { LRUCache } from 'lru-cache'
import type { Queryable } from '../../../platform/db/db.ts'
import type { LogEvent } from '../../../platform/events/event.ts'
import { type ActiveWorkflow, listActiveVersions, listActiveWorkflows } from '../../store/active-workflows.ts'
import { findTriggerType } from '../../triggers/registry.ts'
import type { AnyTriggerType } from '../../triggers/trigger-type.ts'

export interface TriggerIndex {
  byType(type: string): readonly ActiveWorkflow[]
  /** In the order of their ids. */
  candidates(event: LogEvent): readonly ActiveWorkflow[]
}

const cache = new LRUCache<string, { versions: string; actives: TriggerIndex }>({ max: 1_000 })

export async function getTriggerIndex(on: Queryable, tenantId: string): Promise<TriggerIndex> {
  const rows = await listActiveVersions(on, tenantId)
  const versions = rows.map(row => row.versionId).join()
  const known = cache.get(tenantId)
  if (known?.versions === versions) return known.actives
  const ids = rows.map(row => row.versionId)
  const actives = buildIndex(ids.length > 0 ? await listActiveWorkflows(on, tenantId, ids) : [])
  cache.set(tenantId, { versions, actives })
  return actives
}

/** Of one kind of trigger: by key, and those that look at every event. */
interface IndexEntry {
  kind: AnyTriggerType
  all: ActiveWorkflow[]
  byKey: Map<string, ActiveWorkflow[]>
}

function buildIndex(actives: readonly ActiveWorkflow[]): TriggerIndex {
  const shelves = new Map<string, IndexEntry>()
  for (const active of actives) {
    const kind = findTriggerType(active.triggerType)
    if (!kind) continue
    const shelf: IndexEntry = shelves.get(kind.type) ?? { kind, all: [], byKey: new Map() }
    shelves.set(kind.type, shelf)
    shelf.all.push(active)
    for (const key of new Set(kind.index?.config(active.trigger as never) ?? []))
      shelf.byKey.set(key, [...(shelf.byKey.get(key) ?? []), active])
  }
  const byEvent = new Map<string, IndexEntry[]>()
  for (const shelf of shelves.values())
    for (const type of shelf.kind.events) byEvent.set(type, [...(byEvent.get(type) ?? []), shelf])
  return {
    byType: type => shelves.get(type)?.all ?? [],
    candidates: event => (byEvent.get(event.type) ?? []).flatMap(shelf => findCandidates(shelf, event)),
  }
}

function findCandidates({ kind, all, byKey }: IndexEntry, event: LogEvent): readonly ActiveWorkflow[] {
  if (!kind.index) return all
  const keys = new Set(kind.index.event(event))
  const found = new Set([...keys].flatMap(key => byKey.get(key) ?? []))
  return [...found]
}
