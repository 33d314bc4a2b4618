/** Daily partitions of the attempt log, which is kept for seven days. */
import type { Clock } from '../platform/clock.ts'
import { transact } from '../platform/db/transact.ts'
import type { Deps } from '../platform/deps.ts'
import {
  addDays,
  createPartition,
  dropPartition,
  hasPartitions,
  listPartitionDays,
  lockPartitions,
} from './store/partitions.ts'

const retentionDays = 7
const daysAhead = 2

const toDay = (clock: Clock) => clock.now().toISOString().slice(0, 10)

/** Returns the start of the retention period. */
export function oldestRetained(clock: Clock): string {
  return new Date(clock.now().getTime() - retentionDays * 86_400_000).toISOString()
}

function daysNeeded(clock: Clock): string[] {
  const today = toDay(clock)
  return Array.from({ length: retentionDays + 1 + daysAhead }, (_, n) => addDays(today, n - retentionDays))
}

/** Creates the missing partitions of the retention period and of the next days. */
export async function ensurePartitions({ db, clock }: Deps): Promise<void> {
  const needed = daysNeeded(clock)
  if (await hasPartitions(db, needed)) return
  await transact(db, async tx => {
    await lockPartitions(tx)
    const existing = await listPartitionDays(tx)
    for (const day of needed.filter(one => !existing.includes(one))) await createPartition(tx, day)
  })
}

/** Returns a function that ensures the partitions when the day has changed. */
export function dailyPartitionCheck(deps: Deps): () => Promise<void> {
  let made = ''
  return async () => {
    const today = toDay(deps.clock)
    if (made === today) return
    await ensurePartitions(deps)
    made = today
  }
}

export async function dropOldPartitions({ db, clock, log }: Deps): Promise<void> {
  const oldest = addDays(toDay(clock), -retentionDays)
  for (const day of (await listPartitionDays(db)).filter(one => one < oldest)) {
    try {
      await transact(db, async tx => {
        await lockPartitions(tx)
        if ((await listPartitionDays(tx)).includes(day)) await dropPartition(tx, day)
      })
      log.info({ day }, 'dropped a partition of webhook attempts')
    } catch (error) {
      log.warn({ err: error, day }, 'dropping a partition of webhook attempts failed; retrying later')
      return
    }
  }
}
