/** Enrolls the contacts of a segment in a journey, page by page. */
import { recordAudit } from '../identity/audit.ts'
import type { Tx } from '../platform/db/db.ts'
import { transact } from '../platform/db/transact.ts'
import { fail } from '../platform/errors.ts'
import type { Caller } from '../platform/http/caller.ts'
import { enqueue } from '../platform/jobs/enqueue.ts'
import { job, type Work } from '../platform/jobs/job.ts'
import { selectMatching } from '../segments/search.ts'
import { findSegment, getSegment } from '../segments/segments.ts'
import { filterByConditions } from './engine/enrollment/enroll.ts'
import { startRuns } from './engine/run/resume.ts'
import { resolveFilter } from './engine/waits/conditions.ts'
import { workflowProblems } from './errors.ts'
import { findActiveWorkflow } from './store/active-workflows.ts'
import { listContactPage } from './store/schedules.ts'
import { getWorkflow } from './workflows.ts'

const pageSize = 500

interface SegmentEnrollment {
  journeyId: string
  segmentId: string
  /** Contact of the last page. */
  after: string
}

export async function enrollSegment(
  tx: Tx,
  caller: Caller,
  journeyId: string,
  segmentId: string,
): Promise<{ journeyId: string; segmentId: string }> {
  const { tenantId } = caller
  const journey = await getWorkflow(tx, tenantId, 'journey', journeyId)
  await getSegment(tx, tenantId, segmentId)
  if (journey.status !== 'active') fail(workflowProblems.journey.notActive, 'activate it first')
  const payload = { journeyId, segmentId, after: '' }
  await enqueue(tx, enrollSegmentPage, { tenantId, orderingKey: journeyId, payload })
  await recordAudit(tx, caller, 'journey.segment_enrolled', journeyId, { name: journey.name, segmentId })
  return { journeyId, segmentId }
}

/** Entry mode and conditions apply. Stops if the journey is paused or the segment deleted meanwhile. */
export const enrollSegmentPage = job<SegmentEnrollment>({
  name: 'workflows.enroll_segment',
  priority: 'bulk',
  handle: (deps, page, work) => transact(deps.db, tx => enrollPage(tx, page, work)),
})

async function enrollPage(tx: Tx, page: SegmentEnrollment, work: Work): Promise<void> {
  const { tenantId } = work
  const active = await findActiveWorkflow(tx, tenantId, 'journey', page.journeyId)
  const segment = await findSegment(tx, tenantId, page.segmentId)
  if (active && segment) {
    const filter = await resolveFilter(tx, tenantId, segment.filter)
    const select = await selectMatching(tx, tenantId, filter, new Date(tx.now))
    const ids = await listContactPage(tx, select, page.after, pageSize)
    const event = { name: 'enrolled', key: null, data: { segmentId: page.segmentId } }
    const enrollments = ids.map(contactId => ({
      active,
      entry: { contactId, conversationId: null, event },
      causationDepth: 0,
    }))
    await startRuns(tx, await filterByConditions(tx, tenantId, enrollments))
    const payload = { ...page, after: ids.at(-1) ?? '' }
    if (ids.length === pageSize)
      await enqueue(tx, enrollSegmentPage, { tenantId, orderingKey: page.journeyId, payload })
  }
  await work.finish(tx)
}
