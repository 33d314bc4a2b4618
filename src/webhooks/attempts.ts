/** Lists the attempts of the last seven days, newest first. */
import type { Clock } from '../platform/clock.ts'
import type { Db } from '../platform/db/db.ts'
import type { SortKey } from '../platform/http/page.ts'
import { oldestRetained } from './partitions.ts'
import { AttemptId, eventTypes, testType } from './schemas.ts'
import { type AttemptRow, listAttempts } from './store/attempts.ts'

export interface AttemptQuery {
  eventType?: string
  status?: string
  endpointId?: string
  limit: number
  after: SortKey | undefined
}

/** Returns up to `limit + 1` rows, so that the caller can see whether there are more. */
export function findRecentAttempts(
  db: Db,
  clock: Clock,
  tenantId: string,
  { eventType, status, endpointId, limit, after }: AttemptQuery,
): Promise<AttemptRow[]> {
  const beforeId = after?.[0] as string | undefined
  const range = { oldestId: AttemptId.firstAt(oldestRetained(clock)), beforeId, limit: limit + 1 }
  if (eventType === undefined && status === undefined && endpointId === undefined)
    return listAttempts(db, tenantId, range)
  return listAttempts(db, tenantId, range, {
    eventTypes: eventType === undefined ? [...eventTypes, testType] : [eventType],
    statuses: status === undefined ? ['succeeded', 'failed'] : [status],
    endpointId,
  })
}
