/** How runs begin: a row each, if the entry mode allows, and a wake-up in the same transaction. */
import { loadSnapshots } from '../../../contacts/snapshots.ts'
import type { Message } from '../../../conversations/schemas.ts'
import type { Tx } from '../../../platform/db/db.ts'
import { type ContactFilter, contactMatches } from '../../../segments/filter/filter.ts'
import { RunId } from '../../schemas.ts'
import type { ActiveWorkflow } from '../../store/active-workflows.ts'
import { admitRuns, listNotAdmitted } from '../../store/runs.ts'
import { getConditions } from '../../triggers/conditions.ts'
import type { Entry } from '../../triggers/trigger-type.ts'
import { getPlan } from '../run/plan.ts'
import type { Run } from '../run/run.ts'
import { resolveFilter } from '../standing-filter.ts'

/** Events that others caused, beyond this depth, start nothing: two journeys cannot keep each other going for ever. */
export const maxCausationDepth = 10

export interface Enrollment {
  active: ActiveWorkflow
  entry: Entry
  /** Of the event that starts it. */
  causationDepth: number
  parentRunId?: string
  /** Of a chatbot: where it answers, and what was said so far. */
  session?: { id: string; heard: Message; wakeAt: string }
}

export async function buildRun(tx: Tx, entering: Enrollment): Promise<Run> {
  const { active, entry, causationDepth, parentRunId, session } = entering
  const { startId } = await getPlan(tx, active.tenantId, active.versionId)
  return {
    tenantId: active.tenantId,
    id: RunId.createAt(tx.now),
    kind: active.kind,
    workflowId: active.workflowId,
    versionId: active.versionId,
    contactId: entry.contactId,
    conversationId: entry.conversationId,
    sessionId: session?.id ?? null,
    parentRunId: parentRunId ?? null,
    entryMode: active.entryMode,
    entryKey: entry.event.key ?? '',
    causationDepth: causationDepth + 1,
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
export async function buildAdmissibleRuns(tx: Tx, enterings: readonly Enrollment[]): Promise<Run[]> {
  const runs = await Promise.all(enterings.map(one => buildRun(tx, one)))
  if (runs.every(isUnlimited)) return runs
  const refused = await listNotAdmitted(tx, runs)
  const seen = new Set<string>()
  return runs.filter(run => {
    if (isUnlimited(run)) return true
    const entry = `${run.workflowId} ${run.contactId} ${run.entryKey}`
    const isFirst = !seen.has(entry)
    seen.add(entry)
    return isFirst && !refused.has(run.id)
  })
}

const isUnlimited = ({ entryMode }: Run): boolean => entryMode === 'every_time'

/** Those that may begin, in the order given, on record. */
export async function enroll(tx: Tx, enterings: readonly Enrollment[]): Promise<Run[]> {
  const runs = await Promise.all(enterings.map(one => buildRun(tx, one)))
  const admitted = await admitRuns(tx, runs)
  return runs.filter(run => admitted.has(run.id))
}

/** Without those whose contact does not match the conditions of the trigger. */
export async function filterByConditions(
  tx: Tx,
  tenantId: string,
  enterings: readonly Enrollment[],
): Promise<Enrollment[]> {
  const asked = enterings.filter(one => getConditions(one.active.trigger))
  if (asked.length === 0) return [...enterings]
  const ids = [...new Set(asked.map(one => one.entry.contactId))]
  const contacts = new Map((await loadSnapshots(tx, tenantId, ids)).map(one => [one.id, one]))
  const filters = await loadConditions(tx, tenantId, asked)
  const now = new Date(tx.now)
  return enterings.filter(({ active, entry }) => {
    const filter = filters.get(active.versionId)
    const contact = contacts.get(entry.contactId)
    return !filter || (contact !== undefined && contactMatches(filter, contact, now))
  })
}

/** By version. */
async function loadConditions(
  tx: Tx,
  tenantId: string,
  asked: readonly Enrollment[],
): Promise<Map<string, ContactFilter>> {
  const filters = new Map<string, ContactFilter>()
  for (const { active } of asked)
    if (!filters.has(active.versionId))
      filters.set(active.versionId, await resolveFilter(tx, tenantId, getConditions(active.trigger)!))
  return filters
}
