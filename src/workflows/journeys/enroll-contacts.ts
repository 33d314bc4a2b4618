/** Enrolls contacts in a journey, page by page: those of a segment, those that match a filter, or given ones. */
import { recordAudit } from '../../identity/audit.ts'
import type { Tx } from '../../platform/db/db.ts'
import { transact } from '../../platform/db/transact.ts'
import { fail, invalid, violation } from '../../platform/errors.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { enqueue } from '../../platform/jobs/enqueue.ts'
import { job, type Work } from '../../platform/jobs/job.ts'
import type { ContactFilter } from '../../segments/filter/filter.ts'
import { checkFilter } from '../../segments/references.ts'
import { selectMatching } from '../../segments/search.ts'
import { findSegment, getSegment } from '../../segments/segments.ts'
import { filterByConditions } from '../engine/enrollment/enroll.ts'
import { startRuns } from '../engine/run/resume.ts'
import { resolveFilter } from '../engine/waits/conditions.ts'
import { workflowProblems } from '../errors.ts'
import { findActiveWorkflow } from '../store/active-workflows.ts'
import { listContactPage } from '../store/schedules.ts'
import { getWorkflow } from '../workflows.ts'

const pageSize = 500

/** Exactly one member is given. */
export interface EnrollmentTarget {
  segmentId?: string
  filter?: ContactFilter
  contactIds?: string[]
}

interface EnrollmentPage extends EnrollmentTarget {
  journeyId: string
  /** Contact of the last page. */
  after: string
}

export async function enrollContacts(
  tx: Tx,
  caller: Caller,
  journeyId: string,
  { segmentId, filter, contactIds }: EnrollmentTarget,
): Promise<{ journeyId: string; segmentId?: string }> {
  const { tenantId } = caller
  if ([segmentId, filter, contactIds].filter(member => member !== undefined).length !== 1)
    invalid(violation('segmentId', 'required', 'give one of segmentId, filter and contactIds'))
  const journey = await getWorkflow(tx, tenantId, 'journey', journeyId)
  if (segmentId) await getSegment(tx, tenantId, segmentId)
  if (filter) await checkFilter(tx, caller, filter)
  if (journey.status !== 'active') fail(workflowProblems.journey.notActive, 'activate it first')
  const payload: EnrollmentPage = {
    journeyId,
    after: '',
    ...(segmentId ? { segmentId } : {}),
    ...(filter ? { filter } : {}),
    ...(contactIds ? { contactIds: [...new Set(contactIds)].sort() } : {}),
  }
  await enqueue(tx, enrollPage, { tenantId, orderingKey: journeyId, payload })
  const { name } = journey
  if (segmentId) await recordAudit(tx, caller, 'journey.segment_enrolled', journeyId, { name, segmentId })
  else await recordAudit(tx, caller, 'journey.contacts_enrolled', journeyId, { name, filter, contactIds })
  return { journeyId, ...(segmentId ? { segmentId } : {}) }
}

/** Entry mode and conditions apply. Stops if the journey is paused or the segment deleted meanwhile. */
export const enrollPage = job<EnrollmentPage>({
  name: 'workflows.enroll_segment',
  priority: 'bulk',
  handle: (deps, page, work) => transact(deps.db, tx => startPage(tx, page, work)),
})

async function startPage(tx: Tx, page: EnrollmentPage, work: Work): Promise<void> {
  const { tenantId } = work
  const active = await findActiveWorkflow(tx, tenantId, 'journey', page.journeyId)
  if (active) {
    const ids = await listPage(tx, tenantId, page)
    const { segmentId = null } = page
    const event = { name: 'enrolled', key: null, data: { segmentId } }
    const enrollments = ids.map(contactId => ({
      active,
      entry: { contactId, conversationId: null, event },
      causationDepth: 0,
    }))
    await startRuns(tx, await filterByConditions(tx, tenantId, enrollments))
    const payload = { ...page, after: ids.at(-1) ?? '' }
    if (ids.length === pageSize)
      await enqueue(tx, enrollPage, { tenantId, orderingKey: page.journeyId, payload })
  }
  await work.finish(tx)
}

/** Returns the next contacts; none if the segment was deleted. */
async function listPage(tx: Tx, tenantId: string, page: EnrollmentPage): Promise<string[]> {
  if (page.contactIds) return page.contactIds.filter(id => id > page.after).slice(0, pageSize)
  const filter = page.segmentId ? (await findSegment(tx, tenantId, page.segmentId))?.filter : page.filter
  if (!filter) return []
  const select = await selectMatching(
    tx,
    tenantId,
    await resolveFilter(tx, tenantId, filter),
    new Date(tx.now),
  )
  return listContactPage(tx, select, page.after, pageSize)
}
