/**
 * Schedules of journeys with the triggers `schedule`, `date_reached` and `conversation_idle`. Each has a row with its
 * next time; the transaction that advances the row enqueues a job, which enrolls contacts page by page.
 */
import { listIdleConversations } from '../../../conversations/conversations.ts'
import type { Tx } from '../../../platform/db/db.ts'
import { transact } from '../../../platform/db/transact.ts'
import type { Deps } from '../../../platform/deps.ts'
import { enqueue, enqueueMany } from '../../../platform/jobs/enqueue.ts'
import { job, type Work } from '../../../platform/jobs/job.ts'
import type { ContactFilter } from '../../../segments/filter/filter.ts'
import { selectMatching } from '../../../segments/search.ts'
import { timerSet } from '../../events.ts'
import { type ActiveWorkflow, findActiveWorkflow, listActiveByTrigger } from '../../store/active-workflows.ts'
import { moveDeadlines, moveSandboxClock } from '../../store/advance-clock.ts'
import { countRunsByConversation } from '../../store/runs/run-lists.ts'
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
import { addDays, toInstant, toLocalDate } from '../../triggers/timezones.ts'
import type { TriggerConfig } from '../../triggers/trigger-type.ts'
import { type Enrollment, filterByConditions } from '../enrollment/enroll.ts'
import { getTriggerIndex } from '../enrollment/match-triggers.ts'
import { startRuns } from '../run/resume.ts'
import { resolveFilter } from '../waits/conditions.ts'

const scheduledTriggerTypes: readonly string[] = ['schedule', 'date_reached', 'conversation_idle']
const idleCheckMs = 10_000
/** How often `conversation_idle` starts in an open conversation by default. */
const defaultMaxIdle = 3
const pageSize = 500
const maxCatchUpMs = 31 * 86_400_000

/** Returns the first time after `after`, or undefined if there is none. */
export function getNextTime({ trigger }: Pick<ActiveWorkflow, 'trigger'>, after: Date): Date | undefined {
  const timezone = (trigger.timezone as string | undefined) ?? 'UTC'
  if (trigger.type === 'schedule') return getNextRun(String(trigger.cron), timezone, after)
  if (trigger.type === 'conversation_idle') return new Date(after.getTime() + idleCheckMs)
  const at = (trigger.at as string | undefined) ?? '09:00'
  let day = toLocalDate(timezone, after)
  while (toInstant(timezone, day, at) <= after) day = addDays(day, 1)
  return toInstant(timezone, day, at)
}

/** Sets the schedule of a journey that is being activated, or removes it if its trigger has none. */
export async function setSchedule(
  tx: Tx,
  {
    tenantId,
    workflowId,
    versionId,
    trigger,
  }: Pick<ScheduleRow, 'tenantId' | 'workflowId' | 'versionId'> & {
    trigger: TriggerConfig
  },
): Promise<void> {
  await deleteSchedule(tx, { tenantId, workflowId })
  if (!scheduledTriggerTypes.includes(trigger.type)) return
  const next = getNextTime({ trigger }, new Date(tx.now))
  if (next) await upsertSchedules(tx, [{ tenantId, workflowId, versionId, nextAt: next.toISOString() }])
}

/** Creates missing schedules of active journeys and deletes those of inactive ones. */
export function syncSchedules(deps: Deps): Promise<void> {
  return transact(deps.db, async tx => {
    const actives = await listActiveByTrigger(tx, scheduledTriggerTypes)
    const now = new Date(tx.now)
    const schedules = actives.flatMap(active => {
      const next = getNextTime(active, now)
      const { tenantId, workflowId, versionId } = active
      return next ? [{ tenantId, workflowId, versionId, nextAt: next.toISOString() }] : []
    })
    if (schedules.length > 0) await upsertSchedules(tx, schedules)
    await deleteInactiveSchedules(tx)
  })
}

/** Fires the earliest due schedule. Returns false if other processes have locked all due schedules. */
export function fireDueSchedule(deps: Deps): Promise<boolean> {
  return transact(deps.db, fireNext)
}

async function fireNext(tx: Tx): Promise<boolean> {
  const schedule = await lockDueSchedule(tx)
  if (!schedule) return false
  const { tenantId, workflowId } = schedule
  const active = await findActiveWorkflow(tx, tenantId, 'journey', workflowId)
  const next =
    active?.versionId === schedule.versionId
      ? getNextTime(active, getLastTime(active, schedule, tx))
      : undefined
  if (!active || !next) {
    // The row of an older version: `syncSchedules` creates the row of the current one.
    await deleteSchedule(tx, schedule)
    return true
  }
  const until = active.trigger.type === 'conversation_idle' ? tx.now : schedule.nextAt
  await updateSchedule(tx, schedule, { nextAt: next.toISOString(), processedUntil: until })
  const payload = { workflowId, versionId: active.versionId, from: schedule.processedUntil, at: until }
  await enqueue(tx, runSchedule, { tenantId, orderingKey: workflowId, payload })
  return true
}

/** `date_reached` catches up on every missed day, because each day concerns other contacts; others run once. */
function getLastTime({ trigger }: ActiveWorkflow, { nextAt }: ScheduleRow, tx: Tx): Date {
  const now = Date.parse(tx.now)
  if (trigger.type !== 'date_reached') return new Date(now)
  return new Date(Math.max(Date.parse(nextAt), now - maxCatchUpMs))
}

/**
 * Starts the journeys whose times fall into a span that the sandbox clock has skipped, as if they had been missed. Their
 * real schedules do not change, so that the workspace can go live later.
 */
export async function startScheduledBetween(
  tx: Tx,
  tenantId: string,
  from: Date,
  until: Date,
): Promise<void> {
  const index = await getTriggerIndex(tx, tenantId)
  for (const active of [...index.byType('schedule'), ...index.byType('date_reached')]) {
    const { workflowId, versionId } = active
    const runs = listMissedTimes(active, from, until).map(at => ({
      tenantId,
      orderingKey: workflowId,
      payload: { workflowId, versionId, from: from.toISOString(), at: at.toISOString() },
    }))
    await enqueueMany(tx, runSchedule, runs)
  }
}

/** Lists the times after `from` that are caught up: every day for `date_reached`, otherwise one. */
function listMissedTimes(active: ActiveWorkflow, from: Date, until: Date): Date[] {
  const isDaily = active.trigger.type === 'date_reached'
  const times: Date[] = []
  let last: Date | undefined = isDaily
    ? new Date(Math.max(from.getTime(), until.getTime() - maxCatchUpMs))
    : from
  for (;;) {
    last = getNextTime(active, last)
    if (!last || last > until) return times
    times.push(last)
    if (!isDaily) return times
  }
}

interface ScheduleRun {
  workflowId: string
  versionId: string
  /** End of the previous run, exclusive. */
  from: string
  /** Scheduled time of this run. */
  at: string
  /** Cursor of the next page. */
  after?: string[]
}

export const runSchedule = job<ScheduleRun>({
  name: 'workflows.run_schedule',
  priority: 'bulk',
  handle: (deps, run, work) => transact(deps.db, tx => enrollPage(tx, run, work)),
})

async function enrollPage(tx: Tx, run: ScheduleRun, work: Work): Promise<void> {
  const { tenantId } = work
  const active = await findActiveWorkflow(tx, tenantId, 'journey', run.workflowId)
  if (active?.versionId === run.versionId) {
    const { enrollments, after } = await pageLoaders[active.trigger.type]!(tx, active, run)
    await startRuns(tx, await filterByConditions(tx, tenantId, enrollments))
    if (after)
      await enqueue(tx, runSchedule, { tenantId, orderingKey: run.workflowId, payload: { ...run, after } })
  }
  await work.finish(tx)
}

interface EnrollmentPage {
  enrollments: Enrollment[]
  after: string[] | undefined
}

const pageLoaders: Record<
  string,
  (tx: Tx, active: ActiveWorkflow, run: ScheduleRun) => Promise<EnrollmentPage>
> = {
  schedule: async (tx, active, { at, after }) => {
    const allContacts: ContactFilter = { match: 'all', conditions: [] }
    const filter = await resolveFilter(tx, active.tenantId, getConditions(active.trigger) ?? allContacts)
    const select = await selectMatching(tx, active.tenantId, filter, new Date(tx.now))
    return buildContactPage(active, at, await listContactPage(tx, select, after?.[0] ?? '', pageSize))
  },
  date_reached: async (tx, active, { at, after }) => {
    const { fieldId, offsetDays = 0, yearly = false, timezone = 'UTC' } = active.trigger
    const date = addDays(toLocalDate(String(timezone), new Date(at)), -Number(offsetDays))
    const select = selectContactsWithDate(active.tenantId, String(fieldId), date, Boolean(yearly))
    return buildContactPage(active, at, await listContactPage(tx, select, after?.[0] ?? '', pageSize), {
      date,
    })
  },
  conversation_idle: async (tx, active, { from, at, after }) => {
    const idleMs = Number(active.trigger.minutes) * 60_000
    const subtractIdle = (time: string) => new Date(Date.parse(time) - idleMs).toISOString()
    const span = {
      after: after?.[0] ?? subtractIdle(from),
      afterId: after?.[1] ?? '~',
      until: subtractIdle(at),
    }
    const rows = await listIdleConversations(tx, active.tenantId, span, pageSize)
    const last = rows.length === pageSize ? rows.at(-1) : undefined
    const started = await countRunsByConversation(tx, active.tenantId, active.workflowId, rows)
    const max = Number(active.trigger.max ?? defaultMaxIdle)
    const belowMax = rows.filter(row => (started.get(row.conversationId) ?? 0) < max)
    return {
      enrollments: belowMax.map(({ contactId, conversationId, lastMessageAt }) =>
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
    enrollments: ids.map(id => buildEnrollment(active, id, null, { at, ...data })),
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

/** Advances the time of a sandbox workspace: what its runs and schedules wait for, so that days can be seen immediately. */
export async function advanceWorkflowClock(tx: Tx, tenantId: string, seconds: number): Promise<void> {
  await moveDeadlines(tx, tenantId, seconds)
  const aheadMs = (await moveSandboxClock(tx, tenantId, seconds)) * 1_000
  const until = Date.parse(tx.now) + aheadMs
  await startScheduledBetween(tx, tenantId, new Date(until - seconds * 1_000), new Date(until))
  tx.signal(timerSet, tx.now)
}
