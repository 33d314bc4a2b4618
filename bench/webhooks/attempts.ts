/** Generates a week of attempts: one in a thousand failed, one in ten thousand of a rare type. */
import { sql } from '../../src/platform/db/sql.ts'
import type { Deps } from '../../src/platform/deps.ts'
import { ensurePartitions } from '../../src/webhooks/partitions.ts'
import { AttemptId, eventTypes } from '../../src/webhooks/schemas.ts'

/** Creates attempts number `from` to `to`, interleaved with the existing ones. */
export async function fillAttempts(
  deps: Deps,
  tenantId: string,
  { from, to }: { from: number; to: number },
): Promise<void> {
  await ensurePartitions(deps)
  const since = Date.now() - 6.9 * 86_400_000
  const step = (6.9 * 86_400_000) / (to - from)
  const batch = 20_000
  for (let at = from; at < to; at += batch) {
    const count = Math.min(batch, to - at)
    const ids = Array.from({ length: count }, (_, n) =>
      AttemptId.firstAt(new Date(since + (at - from + n) * step)),
    )
    await deps.db.run(sql`
      insert into webhook_attempts (tenant_id, id, delivery_id, event_id, event_type, seq, status, attempt_number,
        attempted_at, response_status, response_body, latency_ms, error_text, signed_with)
      select ${tenantId}, left(id, -10) || lpad((${at}::int + n)::text, 10, '0'), 'whd_' || n, 'evt_' || n,
        (${[...eventTypes]}::text[])[case when n % 10000 = 0 then 3 else 7 + n % 2 end], n,
        case when n % 1000 = 0 then 'failed' else 'succeeded' end, 1, now(), 200, 'ok', 12, null, '{1}'
      from unnest(${ids}::text[]) with ordinality as one (id, n)`)
  }
  await deps.db.run(sql`analyze webhook_attempts`)
}
