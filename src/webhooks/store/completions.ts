/** How attempts went, written down for many at once: with the log of attempts, in one statement. */
import type { Queryable } from '../../platform/db/db.ts'
import { raw, type Sql, sql } from '../../platform/db/sql.ts'

/** `arrived`, `failed` and `interrupted` are attempts and are logged; `back` and `dropped` were none. */
export interface Completion {
  tenantId: string
  token: number
  id: string
  isBacklog: boolean
  outcome: 'arrived' | 'failed' | 'interrupted' | 'back' | 'dropped'
  /** When to try again; null for never. */
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

/** What was reported of deliveries in this table, with their places: each is looked up by its key, whatever is planned. */
const findIn = (table: Sql, which: Sql): Sql => sql`
  select input.*, delivery.ctid as place from input cross join lateral (
    select ctid from ${table} where tenant_id = input.tenant_id and id = input.id and taken_by = input.token limit 1
  ) delivery
  where ${which}`

/** What the log has of an attempt; `number` is added by each statement. */
const attemptColumns =
  raw(`delivery.id as delivery_id, delivery.event_id, delivery.event_type, delivery.seq, delivery.taken_at,
  delivery.tenant_id, found.attempt_id as id, case found.outcome when 'arrived' then 'succeeded' else 'failed' end,
  found.response_status, found.response_body, found.latency_ms, found.error_text, found.signed_with::int[]`)

const rescheduleAssignments = raw(`taken_by = null, due_at = found.next_at,
  attempts = attempts + (found.attempt_id is not null)::int, failures = failures + (found.outcome = 'failed')::int`)

/**
 * The delivery is gone, or waits for its next time, in the backlog when it has failed. Only while it is still taken by
 * this lane's token: else whoever took over has written down that it was interrupted.
 */
export async function completeDeliveries(on: Queryable, done: readonly Completion[]): Promise<void> {
  await on.run(sql`
    with input as materialized (${toInput(done)}
    ), fresh as materialized (${findIn(raw('webhook_deliveries'), raw('not input.is_backlog'))}
    ), older as materialized (${findIn(raw('webhook_backlog'), raw('input.is_backlog'))}
    ), fresh_gone as (
      delete from webhook_deliveries delivery using fresh found
      where delivery.ctid = found.place and (found.next_at is null or found.outcome = 'failed')
      returning delivery.*, delivery.attempts + 1 as number, found.next_at, found.attempt_id as log_id,
        found.outcome, found.response_status, found.response_body, found.latency_ms, found.error_text, found.signed_with
    ), fresh_again as (
      update webhook_deliveries delivery set ${rescheduleAssignments} from fresh found
      where delivery.ctid = found.place and found.next_at is not null and found.outcome <> 'failed'
      returning delivery.attempts as number, ${attemptColumns}
    ), put_off as (
      insert into webhook_backlog (tenant_id, id, seq, event_id, event_type, attempts, failures, due_at)
      select tenant_id, id, seq, event_id, event_type, attempts + 1, failures + 1, next_at from fresh_gone
      where next_at is not null
    ), older_gone as (
      delete from webhook_backlog delivery using older found
      where delivery.ctid = found.place and found.next_at is null
      returning delivery.attempts + 1 as number, ${attemptColumns}
    ), older_again as (
      update webhook_backlog delivery set ${rescheduleAssignments} from older found
      where delivery.ctid = found.place and found.next_at is not null
      returning delivery.attempts as number, ${attemptColumns}
    )
    insert into webhook_attempts (attempt_number, delivery_id, event_id, event_type, seq, attempted_at, tenant_id, id,
      status, response_status, response_body, latency_ms, error_text, signed_with)
    select number, id, event_id, event_type, seq, taken_at, tenant_id, log_id,
      case outcome when 'arrived' then 'succeeded' else 'failed' end, response_status, response_body, latency_ms,
      error_text, signed_with::int[]
    from fresh_gone where log_id is not null
    union all select * from fresh_again where id is not null
    union all select * from older_gone where id is not null
    union all select * from older_again where id is not null`)
}

function toInput(done: readonly Completion[]): Sql {
  const of = <T>(value: (attempt: NonNullable<Completion['attempt']>) => T) =>
    done.map(({ attempt }) => (attempt ? value(attempt) : null))
  return sql`
    select * from unnest(${done.map(one => one.tenantId)}::text[], ${done.map(one => one.token)}::bigint[],
      ${done.map(one => one.id)}::text[], ${done.map(one => one.isBacklog)}::boolean[],
      ${done.map(one => one.outcome)}::text[], ${done.map(one => one.nextAt)}::timestamptz[],
      ${of(attempt => attempt.id)}::text[], ${of(attempt => attempt.responseStatus)}::int[],
      ${of(attempt => attempt.responseBody)}::text[], ${of(attempt => attempt.latencyMs)}::int[],
      ${of(attempt => attempt.errorText)}::text[], ${of(attempt => `{${attempt.signedWith.join()}}`)}::text[])
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

/** What a holder that is no more had under way. They still carry its token. */
export function listInterrupted(on: Queryable, tenantIds: readonly string[]): Promise<InterruptedDelivery[]> {
  return on.rows(sql`
    select tenant_id as "tenantId", id, taken_by as token, is_backlog as "isBacklog", taken_at as "takenAt", array(
      select version from webhook_keys
      where tenant_id = delivery.tenant_id and created_at <= delivery.taken_at
        and (expires_at is null or expires_at > delivery.taken_at)
      order by version desc) as "signedWith"
    from (
      select tenant_id, id, taken_by, taken_at, false as is_backlog from webhook_deliveries
      where tenant_id = any (${tenantIds}::text[]) and taken_by is not null
      union all
      select tenant_id, id, taken_by, taken_at, true from webhook_backlog
      where tenant_id = any (${tenantIds}::text[]) and taken_by is not null
    ) delivery
    order by taken_at, id`)
}
