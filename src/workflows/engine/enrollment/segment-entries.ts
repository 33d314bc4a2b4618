/**
 * Detects contacts that enter a segment. Changes of a contact are checked when their event arrives; conditions that
 * become true without one, such as with time, are checked by a periodic sweep. Both compare with the stored memberships, so each entry of a
 * contact is detected exactly once.
 */
import type { Tx } from '../../../platform/db/db.ts'
import { transact } from '../../../platform/db/transact.ts'
import type { Deps } from '../../../platform/deps.ts'
import type { LogEvent } from '../../../platform/events/event.ts'
import { groupBy } from '../../../platform/group-by.ts'
import { cron } from '../../../platform/jobs/cron.ts'
import { enqueue } from '../../../platform/jobs/enqueue.ts'
import { job } from '../../../platform/jobs/job.ts'
import {
  type Condition,
  type ContactFilter,
  contactMatches,
  listConditions,
} from '../../../segments/filter/filter.ts'
import { selectMatching } from '../../../segments/search.ts'
import { findSegment } from '../../../segments/segments.ts'
import { loadSubjects } from '../../../segments/subjects.ts'
import { type ActiveWorkflow, listActiveByTrigger } from '../../store/active-workflows.ts'
import {
  addMembers,
  deleteUnusedTrackedSegments,
  findTrackedSegment,
  lockTrackedSegment,
  removeMembers,
  replaceMembers,
  syncMembers,
} from '../../store/segment-memberships.ts'
import type { TriggerConfig } from '../../triggers/trigger-type.ts'
import { startRuns } from '../run/resume.ts'
import { getContactId } from '../waits/event-waits.ts'
import { type Enrollment, filterByConditions } from './enroll.ts'
import { getTriggerIndex, type TriggerIndex } from './match-triggers.ts'

const triggerType = 'segment_entered'
const batchSize = 1_000

function getSegmentId(active: ActiveWorkflow): string {
  return String(active.trigger.segmentId)
}

/** Stores the current members when a journey is activated: they do not count as entering. */
export async function trackSegment(
  tx: Tx,
  tenantId: string,
  journeyId: string,
  config: TriggerConfig,
): Promise<void> {
  if (config.type !== triggerType) return
  const segmentId = String(config.segmentId)
  const tracked = await lockTrackedSegment(tx, tenantId, segmentId)
  const segment = await findSegment(tx, tenantId, segmentId)
  if (!segment) return
  const others = (await getTriggerIndex(tx, tenantId))
    .byType(triggerType)
    .filter(active => getSegmentId(active) === segmentId && active.workflowId !== journeyId)
  // Without another active journey the stored memberships were not kept up to date.
  if (others.length > 0 && tracked.revision === segment.revision) return
  const select = await selectMatching(tx, tenantId, segment.filter, new Date(tx.now))
  await replaceMembers(tx, tenantId, segment, select)
}

/** Updates memberships for a batch of events and returns the enrollments that they lead to. */
export async function findSegmentEntries(
  tx: Tx,
  tenantId: string,
  events: readonly LogEvent[],
  index: TriggerIndex,
): Promise<Enrollment[]> {
  const journeys = index.byType(triggerType)
  if (journeys.length === 0) return []
  const lastEvents = new Map(
    events.flatMap(event => (getContactId(event) ? [[getContactId(event)!, event]] : [])),
  )
  if (lastEvents.size === 0) return []
  const groups = groupBy(journeys, getSegmentId)
  const filters = await loadTrackedFilters(tx, tenantId, [...groups.keys()])
  const contacts = await loadSubjects(tx, tenantId, [...lastEvents.keys()], filters.values())
  const enrollments: Enrollment[] = []
  for (const [segmentId, filter] of filters) {
    const group = groups.get(segmentId)!
    const now = new Date(tx.now)
    const inside = contacts.filter(contact => contactMatches(filter, contact, now)).map(({ id }) => id)
    const outside = [...lastEvents.keys()].filter(id => !inside.includes(id))
    if (outside.length > 0) await removeMembers(tx, tenantId, segmentId, outside)
    const added = inside.length > 0 ? await addMembers(tx, tenantId, segmentId, inside) : []
    for (const [contactId, event] of lastEvents)
      if (added.includes(contactId) && !isImported(event))
        enrollments.push(...group.map(active => buildEnrollment(active, contactId, event.causationDepth)))
  }
  return filterByConditions(tx, tenantId, enrollments)
}

function isImported(event: LogEvent): boolean {
  return (event.data as { importId?: string }).importId !== undefined
}

function buildEnrollment(active: ActiveWorkflow, contactId: string, causationDepth: number): Enrollment {
  const event = { name: triggerType, key: null, data: { segmentId: getSegmentId(active) } }
  return { active, entry: { contactId, conversationId: null, event }, causationDepth }
}

async function loadTrackedFilters(
  tx: Tx,
  tenantId: string,
  segmentIds: readonly string[],
): Promise<Map<string, ContactFilter>> {
  const filters = new Map<string, ContactFilter>()
  for (const id of segmentIds) {
    const filter = await findTrackedFilter(tx, tenantId, id)
    if (filter) filters.set(id, filter)
  }
  return filters
}

/** Returns undefined if the segment was edited since its members were stored, after enqueuing a sweep. */
async function findTrackedFilter(
  tx: Tx,
  tenantId: string,
  segmentId: string,
): Promise<ContactFilter | undefined> {
  const segment = await findSegment(tx, tenantId, segmentId)
  if (!segment) return undefined
  const tracked = await findTrackedSegment(tx, tenantId, segmentId)
  if (tracked?.revision === segment.revision) return segment.filter
  await enqueue(tx, sweepSegment, { tenantId, orderingKey: segmentId, payload: { segmentId } })
  return undefined
}

/** Returns whether the condition can change without an event about the contact: with time, or with a run or campaign. */
function changesWithoutEvent(condition: Condition): boolean {
  const { type, operator, withinDays, notWithinDays, windowDays } = condition
  if (type === 'inJourney' || type === 'gotCampaign') return true
  if (type === 'customFieldDate')
    return ['withinNextDays', 'withinLastDays', 'anniversaryToday'].includes(String(operator))
  return [withinDays, notWithinDays, windowDays].some(days => days !== undefined)
}

export const sweepSegments = cron({
  name: 'workflows.sweep_segments',
  schedule: '*/5 * * * *',
  handle: async (deps: Deps) =>
    transact(deps.db, async tx => {
      const actives = await listActiveByTrigger(tx, [triggerType])
      const used = actives.map(active => ({ tenantId: active.tenantId, segmentId: getSegmentId(active) }))
      await deleteUnusedTrackedSegments(tx, used)
      for (const [, [first]] of groupBy(used, ({ tenantId, segmentId }) => `${tenantId} ${segmentId}`)) {
        const { tenantId, segmentId } = first!
        const segment = await findSegment(tx, tenantId, segmentId)
        if (segment && listConditions(segment.filter).some(changesWithoutEvent))
          await enqueue(tx, sweepSegment, { tenantId, orderingKey: segmentId, payload: { segmentId } })
      }
    }),
})

export const sweepSegment = job<{ segmentId: string }>({
  name: 'workflows.sweep_segment',
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
  const tracked = await lockTrackedSegment(tx, tenantId, segmentId)
  const select = await selectMatching(tx, tenantId, segment.filter, new Date(tx.now))
  if (tracked.revision !== segment.revision) return replaceMembers(tx, tenantId, segment, select)
  const added = await syncMembers(tx, tenantId, segmentId, select)
  for (let i = 0; i < added.length; i += batchSize) {
    const batch = added.slice(i, i + batchSize)
    const enrollments = batch.flatMap(id => journeys.map(active => buildEnrollment(active, id, 0)))
    await startRuns(tx, await filterByConditions(tx, tenantId, enrollments))
  }
}
