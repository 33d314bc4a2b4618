/** Enrolls contacts: creates one run per enrollment that conditions and entry mode allow. */
import type { Message } from '../../../conversations/schemas.ts'
import { count } from '../../../platform/counters.ts'
import type { Tx } from '../../../platform/db/db.ts'
import { type ContactFilter, contactMatches } from '../../../segments/filter/filter.ts'
import { loadSubjects } from '../../../segments/subjects.ts'
import { getPlan, listExits } from '../../definition/plan.ts'
import { addDuration, type Duration } from '../../nodes/node-fields.ts'
import { RunId } from '../../schemas.ts'
import type { ActiveWorkflow } from '../../store/active-workflows.ts'
import { admitRuns, listNotAdmitted } from '../../store/runs/runs.ts'
import { getConditions } from '../../triggers/conditions.ts'
import type { Entry } from '../../triggers/trigger-type.ts'
import { filterByPublisher } from '../publisher/publishers.ts'
import { awaitExits, resolveExits } from '../run/exits.ts'
import { notWaiting, type Run } from '../run/run.ts'
import { createScope } from '../run/scope.ts'
import { resolveFilter } from '../waits/conditions.ts'

/** Events with a greater causation depth start and resume nothing, so that journeys cannot trigger each other forever. */
export const maxCausationDepth = 10

export interface Enrollment {
  active: ActiveWorkflow
  entry: Entry
  /** Position in the log of the event that starts the run. */
  seq?: number
  /** Causation depth of the event that starts the run. */
  causationDepth: number
  parentRunId?: string
  /** Session of a chatbot with the customer's first message. */
  session?: { id: string; message: Message; wakeAt: string }
  /** The run starts after this time, with the newest event of its key. */
  debounceMs?: number
}

export async function buildRun(tx: Tx, enrollment: Enrollment): Promise<Run> {
  const { active, entry, causationDepth, parentRunId, session, debounceMs } = enrollment
  const plan = await getPlan(tx, active.tenantId, active.versionId)
  const { startId, nodes } = plan
  const { cooldown } = nodes.get(startId)!.data as { cooldown?: { for: Duration } }
  const run: Run = {
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
    reenterAt:
      active.entryMode === 'cooldown' && cooldown
        ? addDuration(new Date(tx.now), cooldown.for).toISOString()
        : null,
    causationDepth: causationDepth + 1,
    status: session || debounceMs ? 'waiting' : 'running',
    nodeId: startId,
    state: null,
    variables: {},
    visits: {},
    event: entry.event,
    message: entry.message ?? null,
    steps: 0,
    revision: 0,
    ...notWaiting,
    ...(session
      ? {
          wait: { start: true },
          waitingSince: tx.now,
          wakeAt: session.wakeAt,
          bufferedReplies: [session.message],
          bufferingSince: tx.now,
        }
      : {}),
    ...(debounceMs ? buildDebounce(tx, debounceMs) : {}),
    endReason: null,
    error: null,
    startedAt: tx.now,
    updatedAt: tx.now,
    endedAt: null,
  }
  if (listExits(plan).length > 0) {
    const scope = createScope(tx, run, new Date(tx.now))
    awaitExits(run, await resolveExits({ plan, scope }))
  }
  return run
}

/** Members of a run that starts unless a newer event arrives within the time. */
export function buildDebounce(tx: Tx, ms: number) {
  const until = new Date(Date.parse(tx.now) + ms).toISOString()
  return { wait: { debounce: true, until }, waitingSince: tx.now, wakeAt: until } satisfies Partial<Run>
}

/** Builds the runs that their entry mode allows, in the given order, without inserting them. */
export async function buildAdmissibleRuns(tx: Tx, enrollments: readonly Enrollment[]): Promise<Run[]> {
  const runs = await Promise.all(enrollments.map(enrollment => buildRun(tx, enrollment)))
  if (runs.every(isUnlimited)) return runs
  const notAdmitted = await listNotAdmitted(tx, runs)
  const seen = new Set<string>()
  return runs.filter(run => {
    if (isUnlimited(run)) return true
    const entry = `${run.workflowId} ${run.contactId} ${run.entryKey}`
    const isFirst = !seen.has(entry)
    seen.add(entry)
    return isFirst && !notAdmitted.has(run.id)
  })
}

const isUnlimited = ({ entryMode }: Run): boolean => entryMode === 'every_time'

/** Inserts the runs that their entry mode allows and returns them, in the given order. */
export async function enroll(tx: Tx, enrollments: readonly Enrollment[]): Promise<Run[]> {
  const runs = await Promise.all(enrollments.map(enrollment => buildRun(tx, enrollment)))
  const admitted = await admitRuns(tx, runs)
  const started = runs.filter(run => admitted.has(run.id))
  for (const { kind } of started) count(tx, 'parley_runs_total', { kind, status: 'started' })
  return started
}

/** Removes enrollments whose contact does not match the conditions of the trigger, or is out of the publisher's sight. */
export async function filterByConditions(
  tx: Tx,
  tenantId: string,
  given: readonly Enrollment[],
): Promise<Enrollment[]> {
  const enrollments = await filterByPublisher(tx, tenantId, given)
  const conditional = enrollments.filter(({ active }) => getConditions(active.trigger))
  if (conditional.length === 0) return enrollments
  const ids = [...new Set(conditional.map(({ entry }) => entry.contactId))]
  const filters = await loadConditions(tx, tenantId, conditional)
  const subjects = await loadSubjects(tx, tenantId, ids, filters.values())
  const contacts = new Map(subjects.map(contact => [contact.id, contact]))
  const now = new Date(tx.now)
  return enrollments.filter(({ active, entry }) => {
    const filter = filters.get(active.versionId)
    const contact = contacts.get(entry.contactId)
    return !filter || (contact !== undefined && contactMatches(filter, contact, now))
  })
}

async function loadConditions(
  tx: Tx,
  tenantId: string,
  conditional: readonly Enrollment[],
): Promise<Map<string, ContactFilter>> {
  const filters = new Map<string, ContactFilter>()
  for (const { active } of conditional)
    if (!filters.has(active.versionId))
      filters.set(active.versionId, await resolveFilter(tx, tenantId, getConditions(active.trigger)!))
  return filters
}
