/** Daily partitions of the attempt log, which is kept for seven days. */
import type { Clock } from '../platform/clock.ts'
import { addDays, listDays } from '../platform/db/partitions.ts'
import { transact } from '../platform/db/transact.ts'
import type { Deps } from '../platform/deps.ts'
import { attemptPartitions, lockPartitions } from './store/partitions.ts'

const retentionDays = 7
const daysAhead = 2

const toDay = (clock: Clock) => clock.now().toISOString().slice(0, 10)

export function oldestRetained(clock: Clock): string {
  return new Date(clock.now().getTime() - retentionDays * 86_400_000).toISOString()
}

/** Creates the missing partitions of the retention period and of the next days. */
export async function ensurePartitions({ db, clock }: Deps): Promise<void> {
  const days = listDays(addDays(toDay(clock), -retentionDays), retentionDays + 1 + daysAhead)
  const existing = new Set(await attemptPartitions.list(db))
  if (days.every(day => existing.has(day))) return
  await transact(db, async tx => {
    await lockPartitions(tx)
    await attemptPartitions.createMissing(tx, days)
  })
}

/** Returns a function that ensures the partitions when the day has changed. */
export function dailyPartitionCheck(deps: Deps): () => Promise<void> {
  let ensuredDay = ''
  return async () => {
    const today = toDay(deps.clock)
    if (ensuredDay === today) return
    await ensurePartitions(deps)
    ensuredDay = today
  }
}

export async function dropOldPartitions({ db, clock, log }: Deps): Promise<void> {
  const oldest = addDays(toDay(clock), -retentionDays)
  for (const day of (await attemptPartitions.list(db)).filter(day => day < oldest)) {
    try {
      await transact(db, async tx => {
        await lockPartitions(tx)
        if ((await attemptPartitions.list(tx)).includes(day)) await attemptPartitions.drop(tx, day)
      })
      log.info({ day }, 'dropped a partition of webhook attempts')
    } catch (error) {
      log.warn({ err: error, day }, 'dropping a partition of webhook attempts failed; retrying later')
      return
    }
  }
}
