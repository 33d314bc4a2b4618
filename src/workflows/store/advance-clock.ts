import type { Tx } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'

/** Brings the deadlines, cooldowns and silences of a workspace nearer by the given time. */
export async function moveDeadlines(tx: Tx, tenantId: string, seconds: number): Promise<void> {
  const time = sql`(${seconds}::float8 * interval '1 second')`
  await tx.run(sql`
    update workflow_runs set wake_at = wake_at - ${time}, waiting_since = waiting_since - ${time},
      wait = case when wait->>'until' is null then wait else (wait::jsonb || jsonb_build_object('until',
        to_char(((wait->>'until')::timestamptz - ${time}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))::json end
    where tenant_id = ${tenantId} and status = 'waiting'`)
  await tx.run(sql`
    update workflow_runs set reenter_at = reenter_at - ${time} where tenant_id = ${tenantId} and reenter_at > ${tx.now}`)
  await tx.run(sql`
    update workflow_schedules s set processed_until = s.processed_until - ${time} from workflow_versions v
    where s.tenant_id = ${tenantId} and v.tenant_id = s.tenant_id and v.id = s.version_id
      and v.trigger_type = 'conversation_idle'`)
}

/** Moves the sandbox clock of a workspace ahead of the real time. Returns how far ahead it is then. */
export async function moveSandboxClock(tx: Tx, tenantId: string, seconds: number): Promise<number> {
  const { ahead } = await tx.one<{ ahead: number }>(sql`
    insert into workflow_sandbox_clocks as c (tenant_id, ahead_seconds) values (${tenantId}, ${seconds})
    on conflict (tenant_id) do update set ahead_seconds = c.ahead_seconds + excluded.ahead_seconds
    returning ahead_seconds as ahead`)
  return ahead
}
