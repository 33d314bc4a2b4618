/** Writes the completions of many deliveries and their attempts in one statement. */
import type { Queryable } from '../../platform/db/db.ts'
import { raw, type Sql, sql } from '../../platform/db/sql.ts'
import type { EndpointKey } from './endpoint-state.ts'

/** `succeeded`, `failed` and `interrupted` attempts are logged; `returned` and `dropped` deliveries had no attempt. */
export interface Completion {
  tenantId: string
  token: number
  id: string
  isBacklog: boolean
  outcome: 'succeeded' | 'failed' | 'interrupted' | 'returned' | 'dropped'
  /** Time of the next attempt; null for none. */
  nextAt: string | null
  attempt: {
    id: string
    responseStatus: number | null
    responseBody: string | null
    latencyMs: number | null
    errorText: string | null
    signedWith: number[]
  } | null
}

/** Finds the ctids of the deliveries in this table, each by primary key. */
const findIn = (table: Sql, which: Sql): Sql => sql`
  select input.*, delivery.ctid as row_id from input cross join lateral (
    select ctid from ${table} where tenant_id = input.tenant_id and id = input.id and claimed_by = input.token limit 1
  ) delivery
  where ${which}`

/** Columns of the attempt log; `number` is added by each statement. */
const attemptColumns =
  raw(`delivery.id as delivery_id, delivery.endpoint_id, delivery.event_id, delivery.event_type, delivery.seq, delivery.claimed_at,
  delivery.tenant_id, found.attempt_id as id, case found.outcome when 'succeeded' then 'succeeded' else 'failed' end,
  found.response_status, found.response_body, found.latency_ms, found.error_text, found.signed_with::int[]`)

const rescheduleAssignments = raw(`claimed_by = null, due_at = found.next_at,
  attempts = attempts + (found.attempt_id is not null)::int, failures = failures + (found.outcome = 'failed')::int`)

/**
 * Deletes deliveries or reschedules them, failed ones in the backlog. Skips deliveries that are no longer claimed with this
 * token: the next owner of the lease has logged them as interrupted.
 */
export async function completeDeliveries(on: Queryable, completions: readonly Completion[]): Promise<void> {
  await on.run(sql`
    with input as materialized (${toInput(completions)}
    ), new_found as materialized (${findIn(raw('webhook_deliveries'), raw('not input.is_backlog'))}
    ), backlog_found as materialized (${findIn(raw('webhook_backlog'), raw('input.is_backlog'))}
    ), new_deleted as (
      delete from webhook_deliveries delivery using new_found found
      where delivery.ctid = found.row_id and (found.next_at is null or found.outcome = 'failed')
      returning delivery.*, delivery.attempts + 1 as number, found.next_at, found.attempt_id as log_id,
        found.outcome, found.response_status, found.response_body, found.latency_ms, found.error_text, found.signed_with
    ), new_rescheduled as (
      update webhook_deliveries delivery set ${rescheduleAssignments} from new_found found
      where delivery.ctid = found.row_id and found.next_at is not null and found.outcome <> 'failed'
      returning delivery.attempts as number, ${attemptColumns}
    ), moved_to_backlog as (
      insert into webhook_backlog (tenant_id, id, endpoint_id, seq, event_id, event_type, attempts, failures, due_at)
      select tenant_id, id, endpoint_id, seq, event_id, event_type, attempts + 1, failures + 1, next_at from new_deleted
      where next_at is not null
    ), backlog_deleted as (
      delete from webhook_backlog delivery using backlog_found found
      where delivery.ctid = found.row_id and found.next_at is null
      returning delivery.attempts + 1 as number, ${attemptColumns}
    ), backlog_rescheduled as (
      update webhook_backlog delivery set ${rescheduleAssignments} from backlog_found found
      where delivery.ctid = found.row_id and found.next_at is not null
      returning delivery.attempts as number, ${attemptColumns}
    )
    insert into webhook_attempts (attempt_number, delivery_id, endpoint_id, event_id, event_type, seq, attempted_at, tenant_id, id,
      status, response_status, response_body, latency_ms, error_text, signed_with)
    select number, id, endpoint_id, event_id, event_type, seq, claimed_at, tenant_id, log_id,
      case outcome when 'succeeded' then 'succeeded' else 'failed' end, response_status, response_body, latency_ms,
      error_text, signed_with::int[]
    from new_deleted where log_id is not null
    union all select * from new_rescheduled where id is not null
    union all select * from backlog_deleted where id is not null
    union all select * from backlog_rescheduled where id is not null`)
}

function toInput(completions: readonly Completion[]): Sql {
  const column = (name: 'tenantId' | 'token' | 'id' | 'isBacklog' | 'outcome' | 'nextAt') =>
    completions.map(completion => completion[name])
  const ofAttempt = <T>(value: (attempt: NonNullable<Completion['attempt']>) => T) =>
    completions.map(({ attempt }) => (attempt ? value(attempt) : null))
  return sql`
    select * from unnest(${column('tenantId')}::text[], ${column('token')}::bigint[], ${column('id')}::text[],
      ${column('isBacklog')}::boolean[], ${column('outcome')}::text[], ${column('nextAt')}::timestamptz[],
      ${ofAttempt(attempt => attempt.id)}::text[], ${ofAttempt(attempt => attempt.responseStatus)}::int[],
      ${ofAttempt(attempt => attempt.responseBody)}::text[], ${ofAttempt(attempt => attempt.latencyMs)}::int[],
      ${ofAttempt(attempt => attempt.errorText)}::text[], ${ofAttempt(attempt => `{${attempt.signedWith.join()}}`)}::text[])
    as input (tenant_id, token, id, is_backlog, outcome, next_at, attempt_id, response_status, response_body,
      latency_ms, error_text, signed_with)`
}

export interface InterruptedDelivery {
  tenantId: string
  token: number
  id: string
  isBacklog: boolean
  claimedAt: string
  signedWith: number[]
}

/** Lists the deliveries that were claimed when a lease expired; they still have its token. */
export function listInterrupted(
  on: Queryable,
  endpoints: readonly EndpointKey[],
): Promise<InterruptedDelivery[]> {
  const ofEndpoints = sql`tenant_id = any (${endpoints.map(endpoint => endpoint.tenantId)}::text[])
    and endpoint_id = any (${endpoints.map(endpoint => endpoint.endpointId)}::text[])`
  return on.rows(sql`
    select tenant_id as "tenantId", id, claimed_by as token, is_backlog as "isBacklog", claimed_at as "claimedAt", array(
      select version from webhook_keys
      where tenant_id = delivery.tenant_id and created_at <= delivery.claimed_at
        and (expires_at is null or expires_at > delivery.claimed_at)
      order by version desc) as "signedWith"
    from (
      select tenant_id, id, claimed_by, claimed_at, false as is_backlog from webhook_deliveries
      where ${ofEndpoints} and claimed_by is not null
      union all
      select tenant_id, id, claimed_by, claimed_at, true from webhook_backlog
      where ${ofEndpoints} and claimed_by is not null
    ) delivery
    order by claimed_at, id`)
}
