/** Finds the journeys that events of the log start. */
import { LRUCache } from 'lru-cache'
import { defineCache } from '../../../platform/caches.ts'
import type { Tx } from '../../../platform/db/db.ts'
import type { LogEvent } from '../../../platform/events/event.ts'
import { groupBy } from '../../../platform/group-by.ts'
import { type ActiveWorkflow, listActiveVersions, listActiveWorkflows } from '../../store/active-workflows.ts'
import { findTriggerType, matchTrigger, triggerTypes } from '../../triggers/registry.ts'
import type { AnyTriggerType } from '../../triggers/trigger-type.ts'
import { type Enrollment, filterByConditions, maxCausationDepth } from './enroll.ts'

export const triggerEventTypes: readonly string[] = [...new Set(triggerTypes.flatMap(type => type.events))]

/** Returns an enrollment for each match, in the order of the events; entry modes are checked when enrolling. */
export async function matchTriggers(
  tx: Tx,
  tenantId: string,
  events: readonly LogEvent[],
  index: TriggerIndex,
): Promise<Enrollment[]> {
  const matches = events.flatMap(event =>
    index.candidates(event).flatMap(active => toEnrollment(active, event) ?? []),
  )
  const confirmed: Enrollment[] = []
  for (const enrollment of await filterByConditions(tx, tenantId, matches)) {
    const { active, entry } = enrollment
    const confirm = findTriggerType(active.trigger.type)?.confirm
    if (!confirm || (await confirm(tx, tenantId, active.trigger as never, entry))) confirmed.push(enrollment)
  }
  await loadMessages(tx, tenantId, confirmed)
  return confirmed
}

async function loadMessages(tx: Tx, tenantId: string, enrollments: readonly Enrollment[]): Promise<void> {
  for (const [name, group] of groupBy(enrollments, ({ active }) => active.trigger.type)) {
    const entries = group.map(({ entry }) => entry)
    await findTriggerType(name)?.loadMessages?.(tx, tenantId, entries)
  }
}

function toEnrollment(active: ActiveWorkflow, event: LogEvent): Enrollment | undefined {
  const type = findTriggerType(active.trigger.type)
  const { importId } = event.data as { importId?: string }
  if (event.causationDepth > maxCausationDepth) return undefined
  if (importId !== undefined && !type?.includesImported?.(active.trigger as never)) return undefined
  const entry = matchTrigger('journey', active.trigger, event)
  return entry && { active, entry, seq: event.seq, causationDepth: event.causationDepth }
}

/** Active journeys of a workspace, indexed by trigger, so that an event is matched against few of them. */
export interface TriggerIndex {
  byType(type: string): readonly ActiveWorkflow[]
  /** Returns the journeys that the event may start, in the order of their ids. */
  candidates(event: LogEvent): readonly ActiveWorkflow[]
}

const indexCache = defineCache(
  () => new LRUCache<string, { versions: string; index: TriggerIndex }>({ max: 1_000 }),
)

/** Queries the active versions each time and rebuilds the index only if they have changed. */
export async function getTriggerIndex(tx: Tx, tenantId: string): Promise<TriggerIndex> {
  const cache = indexCache(tx)
  const ids = (await listActiveVersions(tx, tenantId)).map(row => row.versionId)
  const versions = ids.join()
  const cached = cache.get(tenantId)
  if (cached?.versions === versions) return cached.index
  const index = buildIndex(ids.length > 0 ? await listActiveWorkflows(tx, tenantId, ids) : [])
  cache.set(tenantId, { versions, index })
  return index
}

interface IndexEntry {
  type: AnyTriggerType
  all: ActiveWorkflow[]
  byKey: Map<string, ActiveWorkflow[]>
}

function buildIndex(actives: readonly ActiveWorkflow[]): TriggerIndex {
  const entries = new Map<string, IndexEntry>()
  for (const active of actives) {
    const type = findTriggerType(active.triggerType)
    if (!type) continue
    const entry: IndexEntry = entries.get(type.type) ?? { type, all: [], byKey: new Map() }
    entries.set(type.type, entry)
    entry.all.push(active)
    for (const key of new Set(type.index?.config(active.trigger as never) ?? []))
      entry.byKey.set(key, [...(entry.byKey.get(key) ?? []), active])
  }
  const byEvent = new Map<string, IndexEntry[]>()
  for (const entry of entries.values())
    for (const type of entry.type.events) byEvent.set(type, [...(byEvent.get(type) ?? []), entry])
  return {
    byType: type => entries.get(type)?.all ?? [],
    candidates: event => (byEvent.get(event.type) ?? []).flatMap(entry => findCandidates(entry, event)),
  }
}

function findCandidates({ type, all, byKey }: IndexEntry, event: LogEvent): readonly ActiveWorkflow[] {
  if (!type.index) return all
  const keys = new Set(type.index.event(event))
  return [...new Set([...keys].flatMap(key => byKey.get(key) ?? []))]
}
