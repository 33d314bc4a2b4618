/** The outbox: filled by writers, emptied by the sequencer in one statement that also numbers and logs the events. */
import type { Queryable } from '../../db/db.ts'
import { type Sql, sql } from '../../db/sql.ts'

export interface OutboxRow {
  id: string
  type: string
  tenantId: string
  data: string
  audience: string | null
  causationDepth: number
  isPublic: boolean
}

export function insertOutboxFromSelect(select: Sql): Sql {
  return sql`insert into outbox (event_id, tenant_id, type, at, data, audience, causation_depth, is_public) ${select}`
}

/** The same statement for any number of rows. */
export function selectOutboxRows(rows: readonly OutboxRow[], at: string): Sql {
  const column = (key: keyof OutboxRow) => rows.map(row => row[key])
  return sql`select id, tenant_id, type, ${at}::timestamptz, data::json, audience::json, causation_depth,
      is_public
    from unnest(${column('id')}::text[], ${column('tenantId')}::text[], ${column('type')}::text[],
      ${column('data')}::text[], ${column('audience')}::text[], ${column('causationDepth')}::smallint[],
      ${column('isPublic')}::boolean[])
    as row (id, tenant_id, type, data, audience, causation_depth, is_public)`
}

/**
 * Without statistics the planner would choose nested loops, quadratic in the size of a batch. Disabling them inflates the
 * estimated cost, which must not trigger JIT compilation.
 */
export async function configureSession(on: Queryable): Promise<void> {
  await on.run(sql`set enable_nestloop = off`)
  await on.run(sql`set jit = off`)
  await on.run(sql`set plan_cache_mode = force_generic_plan`)
}

export interface SequencerPass {
  /** The last sequence number of each workspace that advanced. */
  latestSeqs: Record<string, number>
  /** Consumers with new events. */
  consumers: string[]
  moved: number
  /** The highest id moved; null when nothing was moved. */
  lastId: number | null
  /** The statement's transaction id, when it moved events: transactions that wrote before it have lower ones. */
  xid: number | null
  /** All transactions below this id had ended at the statement's snapshot. */
  xmin: number
}

export interface PassOptions {
  above: number
  limit: number
  /** Offset of the clock from the database's time. */
  clockOffsetMs: number
}

/**
 * Moves the rows with the lowest ids. The delete is the cursor: a crash rolls back all of it. A consumer's queue row for
 * a new workspace starts just before its first event.
 */
export function sequenceBatch(
  on: Queryable,
  { above, limit, clockOffsetMs }: PassOptions,
): Promise<SequencerPass> {
  return on.one<SequencerPass>(sql`
    with moved as materialized (
      delete from outbox
      where ctid = any (array(select ctid from outbox where id > ${above} order by id limit ${limit}))
      returning id, event_id, tenant_id, type, at, data, audience, causation_depth, is_public
    ), counted as (
      select tenant_id, count(*) as events, count(*) filter (where is_public) as public_events
      from moved group by tenant_id
    ), advanced as (
      insert into event_heads as head (tenant_id, seq, public_seq)
      select tenant_id, events, public_events from counted order by tenant_id
      on conflict (tenant_id) do update
      set seq = head.seq + excluded.seq, public_seq = head.public_seq + excluded.public_seq
      returning tenant_id, seq, public_seq
    ), logged as (
      insert into event_log (tenant_id, seq, public_seq, day, event_id, type, at, data, audience, causation_depth)
      select moved.tenant_id, advanced.seq - counted.events + row_number() over workspace,
        case when moved.is_public then advanced.public_seq - counted.public_events
          + count(*) filter (where moved.is_public) over workspace end,
        (now() + ${clockOffsetMs} * interval '1 millisecond')::date,
        moved.event_id, moved.type, moved.at, moved.data, moved.audience, moved.causation_depth
      from moved join counted using (tenant_id) join advanced using (tenant_id)
      window workspace as (partition by moved.tenant_id order by moved.id)
      returning tenant_id, seq, type
    ), ranges as (
      select tenant_id, type, min(seq) as first, max(seq) as last from logged group by tenant_id, type
    ), queued as (
      insert into event_consumer_queue as queue (tenant_id, consumer, processed_seq, latest_seq)
      select tenant_id, consumer.name, min(first) - 1, max(last)
      from ranges join event_consumers consumer
        on consumer.types is null or ranges.type = any (consumer.types)
      group by tenant_id, consumer.name order by tenant_id, consumer.name
      on conflict (tenant_id, consumer) do update
      set latest_seq = excluded.latest_seq, due_at = coalesce(queue.due_at, excluded.due_at)
      returning consumer
    )
    select (select coalesce(array_agg(distinct consumer), '{}') from queued) as consumers,
      (select coalesce(json_object_agg(tenant_id, seq), '{}') from advanced) as "latestSeqs",
      (select count(*) from moved) as moved,
      (select max(id) from moved) as "lastId",
      (select pg_current_xact_id()::text::bigint from moved limit 1) as xid,
      pg_snapshot_xmin(pg_current_snapshot())::text::bigint as xmin`)
}
