/**
 * Journeys that the clock starts: at set times, when a date of the contact comes, when a conversation has been silent.
 * Each has a row that says when it is next; who moves it on puts the work into the queue in the same transaction. The
 * work goes through the contacts in pages, each with its runs in one commit.
 */
import type { Tx } from '../../platform/db/db.ts'
import { transact } from '../../platform/db/transact.ts'
import type { Deps } from '../../platform/deps.ts'
import { enqueue } from '../../platform/jobs/enqueue.ts'
import { job, type Work } from '../../platform/jobs/job.ts'
import type { ContactFilter } from '../../segments/filter/filter.ts'
import { selectMatching } from '../../segments/search.ts'
import {
  type ClockRow,
  contactsWithDay,
  deleteClock,
  deleteIdleClocks,
  listIdle,
  moveClock,
  pageOf,
  takeDueClock,
  upsertClocks,
} from '../store/clocks.ts'
import { type Active, findActive, listActiveOf } from '../store/engine-versions.ts'
import { conditionsOf } from '../triggers/conditions.ts'
import { nextRun } from '../triggers/schedule.ts'
import { addDays, momentOf, wallTime } from '../triggers/timezones.ts'
import { type Entering, enter, withConditions } from './entering.ts'
import { standingFilter } from './standing-filter.ts'
import { wakeMany } from './waking.ts'

export const clocked: readonly string[] = ['schedule', 'date_reached', 'conversation_idle']
const idleEveryMs = 10_000
const perPage = 500
const mostMissedMs = 31 * 86_400_000

/** Undefined: never again. */
export function nextTime({ trigger }: Pick<Active, 'trigger'>, after: Date): Date | undefined {
  const timezone = (trigger.timezone as string | undefined) ?? 'UTC'
  if (trigger.type === 'schedule') return nextRun(String(trigger.cron), timezone, after)
  if (trigger.type === 'conversation_idle') return new Date(after.getTime() + idleEveryMs)
  const at = (trigger.at as string | undefined) ?? '09:00'
  let day = wallTime(timezone, after).slice(0, 10)
  while (momentOf(timezone, day, at) <= after) day = addDays(day, 1)
  return momentOf(timezone, day, at)
}

/** Gives each active journey of these kinds its row. */
export function keepClocks(deps: Deps): Promise<void> {
  return transact(deps.db, async tx => {
    const actives = await listActiveOf(tx, clocked)
    const now = new Date(tx.now)
    const clocks = actives.flatMap(active => {
      const next = nextTime(active, now)
      const { tenantId, workflowId, versionId } = active
      return next ? [{ tenantId, workflowId, versionId, nextAt: next.toISOString() }] : []
    })
    if (clocks.length > 0) await upsertClocks(tx, clocks)
    await deleteIdleClocks(tx)
  })
}

/** False when another process has what is due in its hands this moment. */
export function fireClock(deps: Deps): Promise<boolean> {
  return transact(deps.db, fireOne)
}

/** Every day counts for somebody, also those on which nothing ran; of other times that were missed one is enough. */
function lastTime({ trigger }: Active, { nextAt }: ClockRow, tx: Tx): Date {
  const now = Date.parse(tx.now)
  if (trigger.type !== 'date_reached') return new Date(now)
  return new Date(Math.max(Date.parse(nextAt), now - mostMissedMs))
}

async function fireOne(tx: Tx): Promise<boolean> {
  const clock = await takeDueClock(tx)
  if (!clock) return false
  const { tenantId, workflowId } = clock
  const active = await findActive(tx, tenantId, 'journey', workflowId)
  const next =
    active?.versionId === clock.versionId ? nextTime(active, lastTime(active, clock, tx)) : undefined
  if (!active || !next) {
    // Of an older version: the row of the newer one is made again at once.
    await deleteClock(tx, clock)
    return true
  }
  const until = active.trigger.type === 'conversation_idle' ? tx.now : clock.nextAt
  await moveClock(tx, clock, { nextAt: next.toISOString(), doneUntil: until })
  const payload = { workflowId, versionId: active.versionId, from: clock.doneUntil, at: until }
  await enqueue(tx, enterByClock, { tenantId, key: workflowId, payload })
  return true
}

interface Turn {
  workflowId: string
  versionId: string
  /** The time before, exclusive, and the time that this is about. */
  from: string
  at: string
  after?: string[]
}

export const enterByClock = job<Turn>({
  name: 'enter_by_clock',
  priority: 'bulk',
  handle: (deps, turn, work) => transact(deps.db, tx => enterPage(tx, turn, work)),
})

async function enterPage(tx: Tx, turn: Turn, work: Work): Promise<void> {
  const { tenantId } = work
  const active = await findActive(tx, tenantId, 'journey', turn.workflowId)
  if (active?.versionId === turn.versionId) {
    const { enterings, after } = await pageBy[active.trigger.type]!(tx, active, turn)
    const runs = await enter(tx, await withConditions(tx, tenantId, enterings))
    await wakeMany(
      tx,
      runs.map(run => ({ run, why: 'go' as const })),
    )
    if (after)
      await enqueue(tx, enterByClock, { tenantId, key: turn.workflowId, payload: { ...turn, after } })
  }
  await work.finish(tx)
}

interface ClockPage {
  enterings: Entering[]
  after: string[] | undefined
}

const pageBy: Record<string, (tx: Tx, active: Active, turn: Turn) => Promise<ClockPage>> = {
  schedule: async (tx, active, { at, after }) => {
    const everybody: ContactFilter = { match: 'all', conditions: [] }
    const filter = await standingFilter(tx, active.tenantId, conditionsOf(active.trigger) ?? everybody)
    const select = await selectMatching(tx, active.tenantId, filter, new Date(tx.now))
    return contactPage(active, at, await pageOf(tx, select, after?.[0] ?? '', perPage))
  },
  date_reached: async (tx, active, { at, after }) => {
    const { fieldId, offsetDays = 0, yearly = false, timezone = 'UTC' } = active.trigger
    const day = addDays(wallTime(String(timezone), new Date(at)).slice(0, 10), -Number(offsetDays))
    const select = contactsWithDay(active.tenantId, String(fieldId), day, Boolean(yearly))
    return contactPage(active, at, await pageOf(tx, select, after?.[0] ?? '', perPage), { date: day })
  },
  conversation_idle: async (tx, active, { from, at, after }) => {
    const back = Number(active.trigger.minutes) * 60_000
    const ago = (time: string) => new Date(Date.parse(time) - back).toISOString()
    const span = { after: after?.[0] ?? ago(from), afterId: after?.[1] ?? '~', until: ago(at) }
    const rows = await listIdle(tx, active.tenantId, span, perPage)
    const last = rows.length === perPage ? rows.at(-1) : undefined
    return {
      enterings: rows.map(({ contactId, conversationId, lastMessageAt }) =>
        enteringBy(active, contactId, conversationId, { lastMessageAt }),
      ),
      after: last && [last.lastMessageAt, last.conversationId],
    }
  },
}

function contactPage(
  active: Active,
  at: string,
  ids: readonly string[],
  data: Record<string, string> = {},
): ClockPage {
  return {
    enterings: ids.map(id => enteringBy(active, id, null, { at, ...data })),
    after: ids.length === perPage ? [ids.at(-1)!] : undefined,
  }
}

function enteringBy(
  active: Active,
  contactId: string,
  conversationId: string | null,
  data: Record<string, string>,
): Entering {
  const event = { name: active.trigger.type, key: null, data }
  return { active, entry: { contactId, conversationId, event }, causeDepth: 0 }
}
