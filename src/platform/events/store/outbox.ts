/** The outbox: filled by writers, emptied by the sequencer in one statement that also counts and files. */
import type { Queryable } from '../../db/db.ts'
import { type Sql, sql } from '../../db/sql.ts'

export interface OutboxRow {
  id: string
  type: string
  tenantId: string
  data: string
  audience: string | null
  causationDepth: number
}

export function insertOutboxFromSelect(select: Sql): Sql {
  return sql`insert into outbox (event_id, tenant_id, type, at, data, audience, causation_depth) ${select}`
}

/** As many rows as there are, always the same statement. */
export function selectOutboxRows(rows: readonly OutboxRow[], at: string): Sql {
  const column = (key: keyof OutboxRow) => rows.map(row => row[key])
  return sql`select id, tenant_id, type, ${at}::timestamptz, data::json, audience::json, causation_depth
    from unnest(${column('id')}::text[], ${column('tenantId')}::text[], ${column('type')}::text[],
      ${column('data')}::text[], ${column('audience')}::text[], ${column('causationDepth')}::smallint[])
    as row (id, tenant_id, type, data, audience, causation_depth)`
}

/**
 * The joins of one batch, planned by guesses as they must be, would be nested loops: quadratic in its size. Forbidding
 * them inflates the estimated cost, which must not make the server compile the statement each time.
 */
export async function configureSession(on: Queryable): Promise<void> {
  await on.run(sql`set enable_nestloop = off`)
  await on.run(sql`set jit = off`)
  await on.run(sql`set plan_cache_mode = force_generic_plan`)
}

export interface SequencerPass {
  /** The workspaces that advanced, with the last sequence number of each. */
  latestSeqs: Record<string, number>
  /** Who has news. */
  consumers: string[]
  moved: number
  /** The highest id moved, null when nothing was. */
  lastId: number | null
  /** This statement's transaction, when it moved something: any that had begun to write before it has a lower one. */
  xid: number | null
  /** Every transaction below this one had ended when the statement looked. */
  xmin: number
}

export interface PassOptions {
  above: number
  limit: number
  /** Between the clock and the database's own time. */
  clockOffsetMs: number
}

/**
 * Moves the lowest ids. The delete is the cursor: a crash anywhere is a rollback of everything here. `feeds` tells the
 * subscribers where there is news for them; a feed seen for the first time starts just before its first event.
 */
export function sequenceBatch(
  on: Queryable,
  { above, limit, clockOffsetMs }: PassOptions,
): Promise<SequencerPass> {
  return on.one<SequencerPass>(sql`
    with taken as materialized (
      delete from outbox
      where ctid = any (array(select ctid from outbox where id > ${above} order by id limit ${limit}))
      returning id, event_id, tenant_id, type, at, data, audience, causation_depth
    ), counted as (
      select tenant_id, count(*) as events from taken group by tenant_id
    ), advanced as (
      insert into event_heads as head (tenant_id, seq)
      select tenant_id, events from counted order by tenant_id
      on conflict (tenant_id) do update set seq = head.seq + excluded.seq
      returning tenant_id, seq
    ), logged as (
      insert into event_log (tenant_id, seq, day, event_id, type, at, data, audience, causation_depth)
      select taken.tenant_id,
        advanced.seq - counted.events + row_number() over (partition by taken.tenant_id order by taken.id),
        (now() + ${clockOffsetMs} * interval '1 millisecond')::date,
        taken.event_id, taken.type, taken.at, taken.data, taken.audience, taken.causation_depth
      from taken join counted using (tenant_id) join advanced using (tenant_id)
      returning tenant_id, seq, type
    ), news as (
      select tenant_id, type, min(seq) as first, max(seq) as last from logged group by tenant_id, type
    ), feeds as (
      insert into event_consumer_queue as feed (tenant_id, consumer, processed_seq, latest_seq)
      select tenant_id, consumer.name, min(first) - 1, max(last)
      from news join event_consumers consumer
        on consumer.types is null or news.type = any (consumer.types)
      group by tenant_id, consumer.name order by tenant_id, consumer.name
      on conflict (tenant_id, consumer) do update
      set latest_seq = excluded.latest_seq, due_at = coalesce(feed.due_at, excluded.due_at)
      returning consumer
    )
    select (select coalesce(array_agg(distinct consumer), '{}') from feeds) as consumers,
      (select coalesce(json_object_agg(tenant_id, seq), '{}') from advanced) as "latestSeqs",
      (select count(*) from taken) as moved,
      (select max(id) from taken) as "lastId",
      (select pg_current_xact_id()::text::bigint from taken limit 1) as xid,
      pg_snapshot_xmin(pg_current_snapshot())::text::bigint as xmin`)
}
