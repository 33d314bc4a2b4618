/** Keeps days of the log ready ahead of time and drops those past retention. Done by the sequencer, under its lock. */

import type { Clock } from '../clock.ts'
import type { Queryable } from '../db/db.ts'
import type { Logger } from '../log.ts'
import { createDay, dropDay, listDays, listUnhandled, today } from './store/days.ts'

export interface PartitionOptions {
  clock: Clock
  log: Logger
  retentionDays?: number
}

const daysAhead = 2
const checkEveryMs = 60_000

const plusDays = (day: string, days: number) =>
  new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10)

export function maintainPartitions(on: Queryable, options: PartitionOptions): { check(): Promise<void> } {
  let checkedAt = Number.NEGATIVE_INFINITY
  let checkedDay = ''
  return {
    async check() {
      const day = options.clock.now().toISOString().slice(0, 10)
      if (day === checkedDay && performance.now() - checkedAt < checkEveryMs) return
      await makeAndDrop(on, options)
      checkedDay = day
      checkedAt = performance.now()
    },
  }
}

async function makeAndDrop(on: Queryable, options: PartitionOptions): Promise<void> {
  const { clock, retentionDays = 7 } = options
  const now = await today(on, clock.offsetMs())
  const existing = await listDays(on)
  for (let ahead = 0; ahead <= daysAhead; ahead++) {
    const day = plusDays(now, ahead)
    if (!existing.includes(day)) await createDay(on, day)
  }
  const oldest = plusDays(now, -retentionDays)
  for (const day of existing.filter(day => day < oldest)) {
    if (!(await drop(on, day, options.log))) return
  }
}

async function drop(on: Queryable, day: string, log: Logger): Promise<boolean> {
  try {
    for (const { consumer, tenants } of await listUnhandled(on, day)) {
      log.error({ consumer, tenants, day }, 'events are dropped by age that a consumer has not dealt with')
    }
    await dropDay(on, day)
    log.info({ day }, 'dropped a day of the event log')
    return true
  } catch (error) {
    log.warn({ err: error, day }, 'a day of the event log could not be dropped; trying again later')
    return false
  }
}
