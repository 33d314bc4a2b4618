/** Queries of the gauges. Each reads a bounded number of rows, however large its table is. */
import type { Queryable } from '../platform/db/db.ts'
import { sql } from '../platform/db/sql.ts'

export interface QueueState {
  /** Ready jobs, and seconds that the oldest of them has waited; of at most 100,000. */
  ready: number
  jobLag: number
  /** At most 1,000. */
  dead: number
  /** Seconds that the oldest outbox event has waited for the log. */
  eventLag: number
  /** Seconds that the most overdue webhook endpoint has waited. */
  webhookLag: number
  /** Age in seconds of the oldest open transaction, of any application, as far as this role can see. */
  snapshot: number
}

export function getQueueState(on: Queryable): Promise<QueueState> {
  return on.one<QueueState>(sql`
    with ready as (select pending, at from job_lanes where state = 'ready' limit 100000)
    select (select coalesce(sum(pending), 0) from ready)::int as ready,
      greatest(0, coalesce((select extract(epoch from now() - min(at)) from ready), 0))::float8 as "jobLag",
      (select count(*) from (select from dead_jobs limit 1000) d)::int as dead,
      coalesce((select extract(epoch from now() - at) from outbox order by id limit 1), 0)::float8 as "eventLag",
      greatest(0, coalesce((select extract(epoch from now() - min(due_at)) from webhook_endpoint_state), 0))::float8
        as "webhookLag",
      coalesce((select extract(epoch from now() - min(xact_start)) from pg_stat_activity
        where backend_xmin is not null and pid <> pg_backend_pid()), 0)::float8 as snapshot`)
}

/** Seconds that the oldest workspace with unread events has waited, by consumer. */
export function listConsumerLags(on: Queryable): Promise<{ consumer: string; lag: number }[]> {
  return on.rows(sql`
    select name as consumer, greatest(0, coalesce(extract(epoch from now() - (
        select min(due_at) from event_consumer_queue where consumer = name and due_at is not null)), 0))::float8 as lag
    from event_consumers order by name`)
}

export interface IssueCount {
  channel: string
  reason: string
  n: number
}

/** Inboxes with issues, of at most 10,000. */
export function countIssues(on: Queryable): Promise<IssueCount[]> {
  return on.rows<IssueCount>(sql`
    select channel, reason, count(*)::int as n
    from (select channel, health_issues from inboxes
          where deleted_at is null and health_issues <> '{}' limit 10000) i,
      jsonb_object_keys(i.health_issues) as reason
    group by channel, reason order by channel, reason`)
}

/** Campaigns that are to be sent or are being sent, of at most 10,000. */
export function countCampaigns(on: Queryable): Promise<{ status: string; n: number }[]> {
  return on.rows(sql`
    select status, count(*)::int as n
    from (select status from campaigns
          where deleted_at is null and status in ('scheduled', 'sending', 'paused') limit 10000) c
    group by status order by status`)
}
