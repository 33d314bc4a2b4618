/** The attempt log. Ids are in time order, so lists are sorted by id. */
import type { Static } from 'typebox'
import type { Queryable } from '../../platform/db/db.ts'
import { containsAnyWord, raw, type Sql, sql } from '../../platform/db/sql.ts'
import type { WebhookAttempt } from '../schemas.ts'

export type AttemptRow = Static<typeof WebhookAttempt>

const columns =
  raw(`id, event_id as "eventId", event_type as "eventType", status, endpoint_id as "endpointId", delivery_id as "deliveryId",
  attempt_number as "attemptNumber", attempted_at as "attemptedAt", response_status as "responseStatus",
  response_body as "responseBody", latency_ms as "latencyMs", error_text as "errorText",
  signed_with as "signedWithVersions"`)

export interface AttemptFilter {
  eventTypes: readonly string[]
  statuses: readonly string[]
  /** Undefined: of all endpoints, also deleted ones. */
  endpointId: string | undefined
}

export interface AttemptRange {
  oldestId: string
  beforeId: string | undefined
  limit: number
}

/** Lists attempts, newest first. With a filter, merges one index scan per type and status. */
export function listAttempts(
  db: Queryable,
  tenantId: string,
  range: AttemptRange,
  filter?: AttemptFilter,
): Promise<AttemptRow[]> {
  const before = range.beforeId === undefined ? raw('') : sql`and id < ${range.beforeId}`
  const within = sql`tenant_id = ${tenantId} and id >= ${range.oldestId} ${before}`
  const newest = (where: Sql, selected: Sql) =>
    sql`select ${selected} from webhook_attempts where ${where} order by id desc limit ${range.limit}`
  if (!filter) return db.rows(newest(within, columns))
  const { endpointId } = filter
  const ofEndpoint = endpointId === undefined ? raw('') : sql`and endpoint_id = ${endpointId}`
  return db.rows(sql`
    with found as materialized (
      select kind.id
      from unnest(${filter.eventTypes}::text[]) as type (type), unnest(${filter.statuses}::text[]) as state (status)
      cross join lateral (
        ${newest(sql`${within} ${ofEndpoint} and event_type = type.type and status = state.status`, raw('id'))}
      ) kind
      order by kind.id desc limit ${range.limit}
    )
    select ${columns} from webhook_attempts
    where tenant_id = ${tenantId} and id = any (array(select id from found)) order by id desc`)
}

/** The event of an attempt; `seq` is null for test events. */
export interface AttemptedEvent {
  deliveryId: string
  endpointId: string | null
  eventId: string
  eventType: string
  seq: number | null
}

export function findAttemptedEvent(
  on: Queryable,
  tenantId: string,
  id: string,
  from: string,
): Promise<AttemptedEvent | undefined> {
  return on.maybe(sql`
    select delivery_id as "deliveryId", endpoint_id as "endpointId", event_id as "eventId", event_type as "eventType", seq from webhook_attempts
    where tenant_id = ${tenantId} and id = ${id} and id >= ${from}`)
}

/**
 * Clears the responses of attempts with one of these events or words, and of attempts whose event has left the log, which
 * can no longer be matched.
 */
export async function clearResponses(
  on: Queryable,
  tenantId: string,
  events: { oldestSeq: number; seqs: readonly number[] },
  words: readonly string[],
): Promise<void> {
  await on.run(sql`
    update webhook_attempts set response_body = null
    where tenant_id = ${tenantId} and response_body is not null
      and (seq = any(${events.seqs}::int8[]) or seq < ${events.oldestSeq} or ${containsAnyWord('response_body', words)})`)
}

export async function insertTestAttempt(
  on: Queryable,
  tenantId: string,
  row: Omit<AttemptRow, 'attemptNumber'>,
): Promise<void> {
  await on.run(sql`
    insert into webhook_attempts (tenant_id, id, endpoint_id, delivery_id, event_id, event_type, status, attempt_number,
      attempted_at, response_status, response_body, latency_ms, error_text, signed_with)
    values (${tenantId}, ${row.id}, ${row.endpointId}, ${row.deliveryId}, ${row.eventId}, ${row.eventType}, ${row.status}, 1,
      ${row.attemptedAt}, ${row.responseStatus}, ${row.responseBody}, ${row.latencyMs}, ${row.errorText},
      ${row.signedWithVersions})`)
}
