/** How runs begin: a row each, if the entry mode allows, and a wake-up in the same transaction. */
import { contactSnapshots } from '../../contacts/snapshots.ts'
import type { Message } from '../../conversations/schemas.ts'
import type { Tx } from '../../platform/db/db.ts'
import { newIdAt } from '../../platform/ids.ts'
import { type ContactFilter, contactMatches } from '../../segments/filter/filter.ts'
import type { Active } from '../store/engine-versions.ts'
import { admitRuns, listRefused } from '../store/runs.ts'
import { conditionsOf } from '../triggers/conditions.ts'
import type { Entry } from '../triggers/kind.ts'
import { planOf } from './plan.ts'
import type { Run } from './run.ts'
import { standingFilter } from './standing-filter.ts'

/** Events that others caused, beyond this depth, start nothing: two journeys cannot keep each other going for ever. */
export const deepestCause = 10

export interface Entering {
  active: Active
  entry: Entry
  /** Of the event that starts it. */
  causeDepth: number
  parentRunId?: string
  /** Of a chatbot: where it answers, and what was said so far. */
  session?: { id: string; heard: Message; wakeAt: string }
}

export async function newRun(tx: Tx, entering: Entering): Promise<Run> {
  const { active, entry, causeDepth, parentRunId, session } = entering
  const { startId } = await planOf(tx, active.tenantId, active.versionId)
  return {
    tenantId: active.tenantId,
    id: newIdAt('run', tx.now),
    kind: active.kind,
    workflowId: active.workflowId,
    versionId: active.versionId,
    contactId: entry.contactId,
    conversationId: entry.conversationId,
    sessionId: session?.id ?? null,
    parentRunId: parentRunId ?? null,
    entryMode: active.entryMode,
    entryKey: entry.event.key ?? '',
    causeDepth: causeDepth + 1,
    status: session ? 'waiting' : 'running',
    nodeId: startId,
    state: null,
    variables: {},
    visits: {},
    event: entry.event,
    message: null,
    steps: 0,
    turn: 0,
    wait: session ? { start: true } : null,
    waitingSince: session ? tx.now : null,
    wakeAt: session?.wakeAt ?? null,
    listens: false,
    heard: session ? [session.heard] : null,
    heardSince: session ? tx.now : null,
    endReason: null,
    error: null,
    startedAt: tx.now,
    updatedAt: tx.now,
    endedAt: null,
  }
}

/** Those that may begin, in the order given; nothing is on record yet. */
export async function prepare(tx: Tx, enterings: readonly Entering[]): Promise<Run[]> {
  const runs = await Promise.all(enterings.map(one => newRun(tx, one)))
  if (runs.every(isFree)) return runs
  const refused = await listRefused(tx, runs)
  const seen = new Set<string>()
  return runs.filter(run => {
    if (isFree(run)) return true
    const entry = `${run.workflowId} ${run.contactId} ${run.entryKey}`
    const isFirst = !seen.has(entry)
    seen.add(entry)
    return isFirst && !refused.has(run.id)
  })
}

const isFree = ({ entryMode }: Run): boolean => entryMode === 'every_time'

/** Those that may begin, in the order given, on record. */
export async function enter(tx: Tx, enterings: readonly Entering[]): Promise<Run[]> {
  const runs = await Promise.all(enterings.map(one => newRun(tx, one)))
  const admitted = await admitRuns(tx, runs)
  return runs.filter(run => admitted.has(run.id))
}

/** Without those whose contact does not match the conditions of the trigger. */
export async function withConditions(
  tx: Tx,
  tenantId: string,
  enterings: readonly Entering[],
): Promise<Entering[]> {
  const asked = enterings.filter(one => conditionsOf(one.active.trigger))
  if (asked.length === 0) return [...enterings]
  const ids = [...new Set(asked.map(one => one.entry.contactId))]
  const contacts = new Map((await contactSnapshots(tx, tenantId, ids)).map(one => [one.id, one]))
  const filters = await standingConditions(tx, tenantId, asked)
  const now = new Date(tx.now)
  return enterings.filter(({ active, entry }) => {
    const filter = filters.get(active.versionId)
    const contact = contacts.get(entry.contactId)
    return !filter || (contact !== undefined && contactMatches(filter, contact, now))
  })
}

/** By version. */
async function standingConditions(
  tx: Tx,
  tenantId: string,
  asked: readonly Entering[],
): Promise<Map<string, ContactFilter>> {
  const filters = new Map<string, ContactFilter>()
  for (const { active } of asked)
    if (!filters.has(active.versionId))
      filters.set(active.versionId, await standingFilter(tx, tenantId, conditionsOf(active.trigger)!))
  return filters
}
