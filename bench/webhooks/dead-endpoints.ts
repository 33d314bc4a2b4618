/** Inserts pending retries, half of them overdue, for workspaces whose endpoint is dead. */
import { sql } from '../../src/platform/db/sql.ts'
import type { Deps } from '../../src/platform/deps.ts'
import { emitFor, until } from './deliveries.ts'

export async function addDeadEndpoints(deps: Deps, tenantIds: string[], pending: number): Promise<void> {
  const each = Math.ceil(pending / tenantIds.length)
  for (const tenantId of tenantIds) await emitFor(deps, tenantId, 1)
  await until(async () => (await sequenced(deps, tenantIds)) === tenantIds.length)
  // All attempts of a workspace share one event: an event missing in the log would be dropped.
  for (const tenantId of tenantIds)
    await deps.db.run(sql`
      insert into webhook_backlog (tenant_id, id, endpoint_id, seq, event_id, event_type, attempts, failures, due_at)
      select ${tenantId}, 'whd_dead' || lpad(n::text, 22, '0'), (
          select id from webhook_settings where tenant_id = ${tenantId} and is_first), 1, 'evt_dead' || lpad(n::text, 22, '0'), 'contact.created',
        2, 2, now() + (random() - 0.5) * interval '10 hours'
      from generate_series(1, ${each}::int) n`)
  await deps.db.run(
    sql`update webhook_endpoint_state set due_at = now() where tenant_id = any (${tenantIds}::text[])`,
  )
  await deps.db.run(sql`vacuum analyze webhook_backlog`)
  await deps.db.run(sql`checkpoint`).catch(() => 0)
}

async function sequenced(deps: Deps, tenantIds: string[]): Promise<number> {
  const { count } = await deps.db.one<{ count: number }>(
    sql`select count(*) as count from event_log where tenant_id = any (${tenantIds}::text[]) and seq = 1`,
  )
  return count
}
