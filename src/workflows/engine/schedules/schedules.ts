/**
 * Journeys that the clock starts: at set times, when a date of the contact comes, when a conversation has been silent.
 * Each has a row that says when it is next; who moves it on puts the work into the queue in the same transaction. The
 * work goes through the contacts in pages, each with its runs in one commit.
 */
import { listIdleConversations } from '../../../conversations/conversations.ts'
import type { Tx } from '../../../platform/db/db.ts'
import { transact } from '../../../platform/db/transact.ts'
import type { Deps } from '../../../platform/deps.ts'
import { enqueue } from '../../../platform/jobs/enqueue.ts'
import { job, type Work } from '../../../platform/jobs/job.ts'
import type { ContactFilter } from '../../../segments/filter/filter.ts'
import { selectMatching } from '../../../segments/search.ts'
import { type ActiveWorkflow, findActiveWorkflow, listActiveByTrigger } from '../../store/active-workflows.ts'
import {
  deleteInactiveSchedules,
  deleteSchedule,
  listContactPage,
  lockDueSchedule,
  type ScheduleRow,
  selectContactsWithDate,
  updateSchedule,
  upsertSchedules,
} from '../../store/schedules.ts'
import { getConditions } from '../../triggers/conditions.ts'
import { getNextRun } from '../../triggers/schedule.ts'
import { addDays, toInstant, toLocalTime } from '../../triggers/timezones.ts'
import { type Enrollment, enroll, filterByConditions } from '../enrollment/enroll.ts'
import { enqueueResumes } from '../run/resume.ts'
import { resolveFilter } from '../standing-filter.ts'

export const scheduledTriggerTypes: readonly string[] = ['schedule', 'date_reached', 'conversation_idle']
const idleCheckMs = 10_000
const pageSize = 500
const maxCatchUpMs = 31 * 86_400_000

/** Undefined: never again. */
export function getNextTime({ trigger }: Pick<ActiveWorkflow, 'trigger'>, after: Date): Date | undefined {
  const timezone = (trigger.timezone as string | undefined) ?? 'UTC'
  if (trigger.type === 'schedule') return getNextRun(String(trigger.cron), timezone, after)
  if (trigger.type === 'conversation_idle') return new Date(after.getTime() + idleCheckMs)
  const at = (trigger.at as string | undefined) ?? '09:00'
  let day = toLocalTime(timezone, after).slice(0, 10)
  while (toInstant(timezone, day, at) <= after) day = addDays(day, 1)
  return toInstant(timezone, day, at)
}

/** Gives each active journey of these kinds its row. */
export function syncSchedules(deps: Deps): Promise<void> {
  return transact(deps.db, async tx => {
    const actives = await listActiveByTrigger(tx, scheduledTriggerTypes)
    const now = new Date(tx.now)
    const clocks = actives.flatMap(active => {
      const next = getNextTime(active, now)
      const { tenantId, workflowId, versionId } = active
      return next ? [{ tenantId, workflowId, versionId, nextAt: next.toISOString() }] : []
    })
    if (clocks.length > 0) await upsertSchedules(tx, clocks)
    await deleteInactiveSchedules(tx)
  })
}

/** False when another process has what is due in its hands this moment. */
export function fireDueSchedule(deps: Deps): Promise<boolean> {
  return transact(deps.db, fireNext)
}

/** Every day counts for somebody, also those on which nothing ran; of other times that were missed one is enough. */
function getLastTime({ trigger }: ActiveWorkflow, { nextAt }: ScheduleRow, tx: Tx): Date {
  const now = Date.parse(tx.now)
  if (trigger.type !== 'date_reached') return new Date(now)
  return new Date(Math.max(Date.parse(nextAt), now - maxCatchUpMs))
}

async function fireNext(tx: Tx): Promise<boolean> {
  const clock = await lockDueSchedule(tx)
  if (!clock) return false
  const { tenantId, workflowId } = clock
  const active = await findActiveWorkflow(tx, tenantId, 'journey', workflowId)
  const next =
    active?.versionId === clock.versionId ? getNextTime(active, getLastTime(active, clock, tx)) : undefined
  if (!active || !next) {
    // Of an older version: the row of the newer one is made again at once.
    await deleteSchedule(tx, clock)
    return true
  }
  const until = active.trigger.type === 'conversation_idle' ? tx.now : clock.nextAt
  await updateSchedule(tx, clock, { nextAt: next.toISOString(), doneUntil: until })
  const payload = { workflowId, versionId: active.versionId, from: clock.doneUntil, at: until }
  await enqueue(tx, runSchedule, { tenantId, orderingKey: workflowId, payload })
  return true
}

interface ScheduleRun {
  workflowId: string
  versionId: string
  /** The time before, exclusive, and the time that this is about. */
  from: string
  at: string
  after?: string[]
}

export const runSchedule = job<ScheduleRun>({
  name: 'enter_by_clock',
  priority: 'bulk',
  handle: (deps, turn, work) => transact(deps.db, tx => enrollPage(tx, turn, work)),
})

async function enrollPage(tx: Tx, turn: ScheduleRun, work: Work): Promise<void> {
  const { tenantId } = work
  const active = await findActiveWorkflow(tx, tenantId, 'journey', turn.workflowId)
  if (active?.versionId === turn.versionId) {
    const { enterings, after } = await pageLoaders[active.trigger.type]!(tx, active, turn)
    const runs = await enroll(tx, await filterByConditions(tx, tenantId, enterings))
    await enqueueResumes(
      tx,
      runs.map(run => ({ run, why: 'go' as const })),
    )
    if (after)
      await enqueue(tx, runSchedule, { tenantId, orderingKey: turn.workflowId, payload: { ...turn, after } })
  }
  await work.finish(tx)
}

interface EnrollmentPage {
  enterings: Enrollment[]
  after: string[] | undefined
}

const pageLoaders: Record<
  string,
  (tx: Tx, active: ActiveWorkflow, turn: ScheduleRun) => Promise<EnrollmentPage>
> = {
  schedule: async (tx, active, { at, after }) => {
    const everybody: ContactFilter = { match: 'all', conditions: [] }
    const filter = await resolveFilter(tx, active.tenantId, getConditions(active.trigger) ?? everybody)
    const select = await selectMatching(tx, active.tenantId, filter, new Date(tx.now))
    return buildContactPage(active, at, await listContactPage(tx, select, after?.[0] ?? '', pageSize))
  },
  date_reached: async (tx, active, { at, after }) => {
    const { fieldId, offsetDays = 0, yearly = false, timezone = 'UTC' } = active.trigger
    const day = addDays(toLocalTime(String(timezone), new Date(at)).slice(0, 10), -Number(offsetDays))
    const select = selectContactsWithDate(active.tenantId, String(fieldId), day, Boolean(yearly))
    return buildContactPage(active, at, await listContactPage(tx, select, after?.[0] ?? '', pageSize), {
      date: day,
    })
  },
  conversation_idle: async (tx, active, { from, at, after }) => {
    const back = Number(active.trigger.minutes) * 60_000
    const ago = (time: string) => new Date(Date.parse(time) - back).toISOString()
    const span = { after: after?.[0] ?? ago(from), afterId: after?.[1] ?? '~', until: ago(at) }
    const rows = await listIdleConversations(tx, active.tenantId, span, pageSize)
    const last = rows.length === pageSize ? rows.at(-1) : undefined
    return {
      enterings: rows.map(({ contactId, conversationId, lastMessageAt }) =>
        buildEnrollment(active, contactId, conversationId, { lastMessageAt }),
      ),
      after: last && [last.lastMessageAt, last.conversationId],
    }
  },
}

function buildContactPage(
  active: ActiveWorkflow,
  at: string,
  ids: readonly string[],
  data: Record<string, string> = {},
): EnrollmentPage {
  return {
    enterings: ids.map(id => buildEnrollment(active, id, null, { at, ...data })),
    after: ids.length === pageSize ? [ids.at(-1)!] : undefined,
  }
}

function buildEnrollment(
  active: ActiveWorkflow,
  contactId: string,
  conversationId: string | null,
  data: Record<string, string>,
): Enrollment {
  const event = { name: active.trigger.type, key: null, data }
  return { active, entry: { contactId, conversationId, event }, causationDepth: 0 }
}
