/**
 * Who comes into a segment. What happens to a contact is looked at once, when its event comes; conditions that come true
 * by the passing of time are looked at by a sweep. Both compare with the members that are on record, so a contact enters
 * once for each time it comes in, whichever of the two sees it.
 */
import { loadSnapshots } from '../../../contacts/snapshots.ts'
import type { Tx } from '../../../platform/db/db.ts'
import { transact } from '../../../platform/db/transact.ts'
import type { Deps } from '../../../platform/deps.ts'
import type { LogEvent } from '../../../platform/events/event.ts'
import { groupBy } from '../../../platform/group-by.ts'
import { cron } from '../../../platform/jobs/cron.ts'
import { enqueue } from '../../../platform/jobs/enqueue.ts'
import { job } from '../../../platform/jobs/job.ts'
import { type Condition, type ContactFilter, contactMatches } from '../../../segments/filter/filter.ts'
import { selectMatching } from '../../../segments/search.ts'
import { findSegment } from '../../../segments/segments.ts'
import { type ActiveWorkflow, listActiveByTrigger } from '../../store/active-workflows.ts'
import {
  addMembers,
  deleteUnusedTrackedSegments,
  listTrackedSegments,
  lockTrackedSegment,
  removeMembers,
  replaceMembers,
  syncMembers,
} from '../../store/segment-memberships.ts'
import type { TriggerConfig } from '../../triggers/trigger-type.ts'
import { enqueueResumes } from '../run/resume.ts'
import { getContactId } from '../waits/event-waits.ts'
import { type Enrollment, enroll, filterByConditions } from './enroll.ts'
import { getTriggerIndex, type TriggerIndex } from './trigger-index.ts'

const triggerType = 'segment_entered'
const batchSize = 1_000

function getSegmentId(active: ActiveWorkflow): string {
  return String(active.trigger.segmentId)
}

/** Who is in the segment now has not entered it: called in the transaction that makes a journey active. */
export async function trackSegment(
  tx: Tx,
  tenantId: string,
  journeyId: string,
  config: TriggerConfig,
): Promise<void> {
  if (config.type !== triggerType) return
  const segmentId = String(config.segmentId)
  const watch = await lockTrackedSegment(tx, tenantId, segmentId)
  const segment = await findSegment(tx, tenantId, segmentId)
  if (!segment) return
  const others = (await getTriggerIndex(tx, tenantId))
    .byType(triggerType)
    .filter(active => getSegmentId(active) === segmentId && active.workflowId !== journeyId)
  // While nobody watched, nobody wrote down who came and went.
  if (others.length > 0 && watch.revision === segment.revision) return
  const select = await selectMatching(tx, tenantId, segment.filter, new Date(tx.now))
  await replaceMembers(tx, tenantId, segment, select)
}

/** The entries that these events, in order, lead to. */
export async function findSegmentEntries(
  tx: Tx,
  tenantId: string,
  events: readonly LogEvent[],
  actives: TriggerIndex,
): Promise<Enrollment[]> {
  const watching = actives.byType(triggerType)
  if (watching.length === 0) return []
  const last = new Map(events.flatMap(event => (getContactId(event) ? [[getContactId(event)!, event]] : [])))
  if (last.size === 0) return []
  const contacts = await loadSnapshots(tx, tenantId, [...last.keys()])
  const out: Enrollment[] = []
  for (const [segmentId, journeys] of groupBy(watching, getSegmentId)) {
    const filter = await findTrackedFilter(tx, tenantId, segmentId)
    if (!filter) continue
    const now = new Date(tx.now)
    const inside = contacts.filter(contact => contactMatches(filter, contact, now)).map(one => one.id)
    const outside = [...last.keys()].filter(id => !inside.includes(id))
    if (outside.length > 0) await removeMembers(tx, tenantId, segmentId, outside)
    const came = inside.length > 0 ? await addMembers(tx, tenantId, segmentId, inside) : []
    // In the order of the events that brought them in.
    const entered = [...last].filter(([id]) => came.includes(id))
    for (const [contactId, event] of entered)
      if (!isImported(event))
        out.push(...journeys.map(active => buildEnrollment(active, contactId, event.causationDepth)))
  }
  return filterByConditions(tx, tenantId, out)
}

function isImported(event: LogEvent): boolean {
  return (event.data as { importId?: string }).importId !== undefined
}

function buildEnrollment(active: ActiveWorkflow, contactId: string, causationDepth: number): Enrollment {
  const event = { name: triggerType, key: null, data: { segmentId: getSegmentId(active) } }
  return { active, entry: { contactId, conversationId: null, event }, causationDepth }
}

/** Nothing when it was edited since its members were gone through: then that is put into the queue first. */
async function findTrackedFilter(
  tx: Tx,
  tenantId: string,
  segmentId: string,
): Promise<ContactFilter | undefined> {
  const segment = await findSegment(tx, tenantId, segmentId)
  if (!segment) return undefined
  const [watch] = await listTrackedSegments(tx, tenantId, [segmentId])
  if (watch?.revision === segment.revision) return segment.filter
  await enqueue(tx, sweepSegment, { tenantId, orderingKey: segmentId, payload: { segmentId } })
  return undefined
}

/** The day goes on and the condition comes true, or stops being so, by itself. */
function dependsOnTime(condition: Condition): boolean {
  const { type, operator, withinDays, notWithinDays, windowDays } = condition
  if (type === 'customFieldDate')
    return ['withinNextDays', 'withinLastDays', 'anniversaryToday'].includes(String(operator))
  return [withinDays, notWithinDays, windowDays].some(days => days !== undefined)
}

export const sweepSegments = cron({
  name: 'sweep_segments',
  schedule: '*/5 * * * *',
  handle: async (deps: Deps) =>
    transact(deps.db, async tx => {
      const actives = await listActiveByTrigger(tx, [triggerType])
      const watched = actives.map(active => ({ tenantId: active.tenantId, segmentId: getSegmentId(active) }))
      await deleteUnusedTrackedSegments(tx, watched)
      for (const [, [one]] of groupBy(watched, ({ tenantId, segmentId }) => `${tenantId} ${segmentId}`)) {
        const { tenantId, segmentId } = one!
        const segment = await findSegment(tx, tenantId, segmentId)
        if (segment?.filter.conditions.some(dependsOnTime))
          await enqueue(tx, sweepSegment, { tenantId, orderingKey: segmentId, payload: { segmentId } })
      }
    }),
})

export const sweepSegment = job<{ segmentId: string }>({
  name: 'sweep_segment',
  priority: 'bulk',
  handle: (deps, { segmentId }, work) =>
    transact(deps.db, async tx => {
      await sweep(tx, work.tenantId, segmentId)
      await work.finish(tx)
    }),
})

async function sweep(tx: Tx, tenantId: string, segmentId: string): Promise<void> {
  const journeys = (await getTriggerIndex(tx, tenantId))
    .byType(triggerType)
    .filter(active => getSegmentId(active) === segmentId)
  const segment = await findSegment(tx, tenantId, segmentId)
  if (journeys.length === 0 || !segment) return
  const watch = await lockTrackedSegment(tx, tenantId, segmentId)
  const select = await selectMatching(tx, tenantId, segment.filter, new Date(tx.now))
  if (watch.revision !== segment.revision) return replaceMembers(tx, tenantId, segment, select)
  const came = await syncMembers(tx, tenantId, segmentId, select)
  for (let i = 0; i < came.length; i += batchSize) {
    const part = came.slice(i, i + batchSize)
    const asked = part.flatMap(id => journeys.map(active => buildEnrollment(active, id, 0)))
    const runs = await enroll(tx, await filterByConditions(tx, tenantId, asked))
    await enqueueResumes(
      tx,
      runs.map(run => ({ run, why: 'go' as const })),
    )
  }
}
