/** Attempts are kept for seven days: here their partitions are made in time, and dropped. */
import type { Clock } from '../platform/clock.ts'
import { transact } from '../platform/db/transact.ts'
import type { Deps } from '../platform/deps.ts'
import { createDay, dropDay, hasDays, listDays, lockDays, plusDays } from './store/days.ts'

const retentionDays = 7
const daysAhead = 2

const dayOf = (clock: Clock) => clock.now().toISOString().slice(0, 10)

/** The oldest moment that is still shown, and that an attempt is still recorded for. */
export function oldestKept(clock: Clock): string {
  return new Date(clock.now().getTime() - retentionDays * 86_400_000).toISOString()
}

function daysNeeded(clock: Clock): string[] {
  const today = dayOf(clock)
  return Array.from({ length: retentionDays + 1 + daysAhead }, (_, n) => plusDays(today, n - retentionDays))
}

/** Whatever is recorded now, about anything that is still kept, has a place. */
export async function makeDays({ db, clock }: Deps): Promise<void> {
  const needed = daysNeeded(clock)
  if (await hasDays(db, needed)) return
  await transact(db, async tx => {
    await lockDays(tx)
    const existing = await listDays(tx)
    for (const day of needed.filter(one => !existing.includes(one))) await createDay(tx, day)
  })
}

/** As above, asked again and again: it looks when the day has changed. */
export function daysInTime(deps: Deps): () => Promise<void> {
  let made = ''
  return async () => {
    const today = dayOf(deps.clock)
    if (made === today) return
    await makeDays(deps)
    made = today
  }
}

export async function dropOldDays({ db, clock, log }: Deps): Promise<void> {
  const oldest = plusDays(dayOf(clock), -retentionDays)
  for (const day of (await listDays(db)).filter(one => one < oldest)) {
    try {
      await transact(db, async tx => {
        await lockDays(tx)
        if ((await listDays(tx)).includes(day)) await dropDay(tx, day)
      })
      log.info({ day }, 'dropped a day of webhook attempts')
    } catch (error) {
      log.warn({ err: error, day }, 'a day of webhook attempts could not be dropped; trying again later')
      return
    }
  }
}
