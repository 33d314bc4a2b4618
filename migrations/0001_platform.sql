create table idempotency_keys (
  tenant_id text collate "C" not null,
  caller_id text collate "C" not null,
  operation text collate "C" not null,
  key text collate "C" not null,
  fingerprint text not null,
  started_at timestamptz(3) not null,
  -- renewed every few seconds while the request runs, so that the key of a dead process becomes free
  alive_at timestamptz(3),
  -- null while the request runs
  status int,
  body json,
  headers json,
  primary key (tenant_id, caller_id, operation, key)
);
create index idempotency_keys_started_at on idempotency_keys (started_at);

-- The job queue. Workers claim lanes: all jobs of one ordering key, or a single job without a key. A lane row carries its
-- first job; later jobs of the lane are rows in jobs. Rows are deleted when done, never marked.
-- These tables serve all tenants: workers read them by job name first.

-- One sequence for lanes and jobs: a lane's id is the id of its first job. It must stay uncached: ids give the order.
create sequence job_ids cache 1;

create table job_lanes (
  id bigint primary key default nextval('job_ids'),
  name text collate "C" not null,
  tenant_id text collate "C" not null,      -- '' for jobs without a tenant
  ordering_key text collate "C",
  ordered boolean not null,                 -- the lane of its key; delayed and keyless jobs have a lane each
  state text collate "C" not null check (state in ('ready', 'leased', 'scheduled')),
  at timestamptz(3) not null,               -- ready since, leased until, or scheduled for
  pending int not null check (pending > 0), -- jobs not done, including the first
  token int not null default 0,             -- of the last claim; writes with another token are refused
  attempt int not null default 0,           -- claims of the first job that is not done
  done_id bigint not null default 0,        -- jobs up to this id are done
  payload json                              -- of the first job until it is done
) with (
  autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0,
  autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 20000,
  autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 20000
);
create unique index job_lanes_key on job_lanes (name, tenant_id, ordering_key) where ordered;
create index job_lanes_ready on job_lanes (name, tenant_id, at) where state = 'ready';
create index job_lanes_leased on job_lanes (at) where state = 'leased';
create index job_lanes_scheduled on job_lanes (at) where state = 'scheduled';

create table jobs (
  lane_id bigint not null,
  id bigint not null default nextval('job_ids'),
  payload json not null,
  primary key (lane_id, id)
) with (
  autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0,
  autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 20000,
  autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 20000
);

-- Dead letters: jobs that used up their attempts, until an operator retries or discards them.
create table dead_jobs (
  id bigint primary key,
  name text collate "C" not null,
  tenant_id text collate "C" not null,
  ordering_key text collate "C",
  payload json not null,
  attempts int not null,
  error text not null,
  died_at timestamptz(3) not null
);

create table crons (
  name text collate "C" primary key,
  schedule text not null,
  next_at timestamptz(3) not null
);

-- The workers' statements are functions, because a function can pin its planner settings: always along the indexes. A
-- plan made while the queue is empty, when a sequential scan is cheapest, must not run on a hundred thousand rows. Each
-- statement inside takes its own snapshot, so a statement after a lock sees everything committed before the lock.

-- Claims up to p_limit ready lanes with the first jobs of each, about p_jobs in all. For each name it walks the ring of
-- tenants with ready lanes, starting after the tenant served last, and shares the batch among the first 25 tenants.
-- Lanes older than p_since_ms are skipped through the index: the last sweep found no live row there, and while an old
-- snapshot keeps vacuum from removing the dead rows, visiting them would take longer and longer.
-- Claims commit asynchronously, so a crash of the database may undo one. The next worker to claim the lane must not get
-- the token of the worker that still holds the undone claim: tokens are random, not counted.
create function claim_jobs(
  p_names text[], p_leases_ms float8[], p_after text[], p_since_ms float8[], p_limit int, p_jobs int)
returns table (
  id bigint, token int, name text, tenant_id text, ordering_key text, attempt int, done_id bigint, job_id bigint, payload json)
language plpgsql
set enable_seqscan = off set enable_bitmapscan = off set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
  v_ids bigint[];
begin
  with recursive ring(name, after, since, tenant_id, wrapped, step) as (
    select name collate "C", after collate "C", to_timestamp(since_ms / 1000), after collate "C", false, 0
    from unnest(p_names, p_after, p_since_ms) as wanted(name, after, since_ms)
    union all
    select r.name, r.after, r.since, next.tenant_id, next.wrapped, r.step + 1
    from ring r cross join lateral (
      (select l.tenant_id, r.wrapped from job_lanes l
       where l.state = 'ready' and l.name = r.name and l.tenant_id > r.tenant_id and l.at >= r.since
         and (not r.wrapped or l.tenant_id <= r.after)
       order by l.tenant_id limit 1)
      union all
      (select l.tenant_id, true from job_lanes l
       where l.state = 'ready' and l.name = r.name and l.tenant_id <= r.after and l.at >= r.since
         and not r.wrapped
       order by l.tenant_id limit 1)
      limit 1
    ) next
    where r.step < 25
  ), shares as (
    select name, since, tenant_id, ceil(p_limit::float8 / count(*) over ()) as share
    from ring where step > 0 order by step, random()
  )
  select array(
    select lane.id from shares t cross join lateral (
      select l.id from job_lanes l
      where l.state = 'ready' and l.name = t.name and l.tenant_id = t.tenant_id and l.at >= t.since
      order by l.at limit t.share for update skip locked
    ) lane
    limit p_limit
  ) into v_ids;
  if cardinality(v_ids) = 0 then
    return;
  end if;
  return query
    with claimed as (
      update job_lanes l set state = 'leased', token = (random() * 2147483647)::int, attempt = attempt + 1,
        at = clock_timestamp() + p_leases_ms[array_position(p_names, l.name)] * interval '1 ms'
      where l.id = any(v_ids)
      returning l.*
    )
    select c.id, c.token, c.name, c.tenant_id, c.ordering_key, c.attempt, c.done_id, job.id, job.payload
    from claimed c cross join lateral (
      select c.id, c.payload where c.done_id < c.id
      union all
      (select j.id, j.payload from jobs j where j.lane_id = c.id and j.id > c.done_id
       order by j.id limit p_jobs / cardinality(v_ids) + 1)
    ) job;
end $$;

-- Deletes finished jobs and sets how each lane continues. keep: the claim goes on. release: ready again. retry: scheduled
-- after a delay. defer: the same, without counting the attempt. Lanes with another token are neither changed nor
-- returned; nor are lanes locked by others, unless p_wait.
create function complete_jobs(
  p_ids bigint[], p_tokens int[], p_done_ids bigint[], p_steps text[], p_delays_ms float8[], p_wait boolean)
returns table (id bigint, remaining int)
language plpgsql
set enable_seqscan = off set enable_bitmapscan = off set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
  v_single bigint[];
  v_lane job_lanes;
  v_deleted int;
  v_step text;
begin
  if p_wait then
    perform from job_lanes l where l.id = any(p_ids) order by l.id for update;
  end if;
  -- Most lanes have one job and end with it.
  with ended as (
    delete from job_lanes l where l.id = any(array(
      select lane.id from unnest(p_ids, p_tokens, p_done_ids) as i(id, token, done_id) cross join lateral (
        select l.id from job_lanes l
        where l.id = i.id and l.token = i.token and l.pending = 1 and l.done_id < l.id and i.done_id >= l.id
        limit 1 for update skip locked
      ) lane))
    returning l.id
  )
  select array(select ended.id from ended) into v_single;
  return query select unnest(v_single), 0;

  for n in 1 .. cardinality(p_ids) loop
    continue when p_ids[n] = any(v_single);
    select * into v_lane from job_lanes l
    where l.id = p_ids[n] and l.token = p_tokens[n] for update skip locked;
    continue when not found;
    delete from jobs j where j.lane_id = v_lane.id and j.id <= p_done_ids[n];
    get diagnostics v_deleted = row_count;
    id := v_lane.id;
    remaining := v_lane.pending - v_deleted - (v_lane.done_id < v_lane.id and p_done_ids[n] >= v_lane.id)::int;
    -- A job reported as failed may have been finished by a commit whose response was lost.
    v_step := case when v_lane.done_id > p_done_ids[n] and p_steps[n] <> 'keep' then 'release' else p_steps[n] end;
    if remaining = 0 then
      delete from job_lanes l where l.id = v_lane.id;
    else
      update job_lanes l set pending = remaining, done_id = greatest(done_id, p_done_ids[n]),
        payload = case when greatest(done_id, p_done_ids[n]) < l.id then payload end,
        state = case v_step when 'keep' then state when 'release' then 'ready' else 'scheduled' end,
        at = case v_step when 'keep' then at else clock_timestamp() + p_delays_ms[n] * interval '1 ms' end,
        attempt = greatest(0,
          case when p_done_ids[n] > done_id then 1 else attempt end - (v_step in ('release', 'defer'))::int)
      where l.id = v_lane.id;
    end if;
    return next;
  end loop;
end $$;

-- Extends leases, in real time, and returns the lanes whose token is still valid. Lanes locked by others are skipped,
-- unless p_wait.
create function renew_job_leases(p_ids bigint[], p_tokens int[], p_leases_ms float8[], p_wait boolean) returns setof bigint
language plpgsql
set enable_seqscan = off set enable_bitmapscan = off set plan_cache_mode = force_generic_plan
as $$
begin
  if p_wait then
    perform from job_lanes l where l.id = any(p_ids) order by l.id for update;
  end if;
  return query
    update job_lanes l set state = 'leased',
      at = clock_timestamp() + p_leases_ms[array_position(p_ids, l.id)] * interval '1 ms'
    where l.id = any(array(
      select lane.id from unnest(p_ids, p_tokens) as i(id, token) cross join lateral (
        select l.id from job_lanes l where l.id = i.id and l.token = i.token limit 1 for update skip locked
      ) lane))
    returning l.id;
end $$;

-- Makes scheduled lanes ready when they are due, by the clock that tests move, and returns which of the names have ready
-- lanes and when the next scheduled lane is due. With p_sweep it also reclaims expired leases, in real time (moving the
-- clock takes no job from its worker), and computes for each name since when there may be ready lanes; the last two
-- seconds always count, for lanes inserted now by transactions that commit later.
create function promote_due_jobs(p_names text[], p_since_ms float8[], p_sweep boolean, p_moved_ms float8, p_limit int)
returns table (promoted int, ready text[], since_ms float8[], next_ms float8)
language plpgsql
set enable_seqscan = off set enable_bitmapscan = off set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
  v_now timestamptz := clock_timestamp() + p_moved_ms * interval '1 ms';
  v_reclaimed int := 0;
begin
  update job_lanes set state = 'ready', at = v_now where id = any(array(
    select id from job_lanes where state = 'scheduled' and at <= v_now order by at limit p_limit for update skip locked));
  get diagnostics promoted = row_count;
  if p_sweep then
    update job_lanes set state = 'ready', at = v_now where id = any(array(
      select id from job_lanes where state = 'leased' and at <= clock_timestamp()
      order by at limit p_limit for update skip locked));
    get diagnostics v_reclaimed = row_count;
    with recursive fronts(name, tenant_id, at) as (
      select wanted.name collate "C", first.* from unnest(p_names) as wanted(name) cross join lateral (
        select l.tenant_id, l.at from job_lanes l where l.state = 'ready' and l.name = wanted.name collate "C"
        order by l.tenant_id, l.at limit 1
      ) first
      union all
      select f.name, next.* from fronts f cross join lateral (
        select l.tenant_id, l.at from job_lanes l
        where l.state = 'ready' and l.name = f.name and l.tenant_id > f.tenant_id
        order by l.tenant_id, l.at limit 1
      ) next
    )
    select array_agg(extract(epoch from least(oldest.at, v_now - interval '2 s')) * 1000 order by wanted.n)
    into since_ms
    from unnest(p_names) with ordinality as wanted(name, n)
    left join (select name, min(at) as at from fronts group by name) oldest on oldest.name = wanted.name collate "C";
  else
    since_ms := p_since_ms;
  end if;
  promoted := promoted + v_reclaimed;
  ready := array(
    select wanted.name from unnest(p_names, since_ms) as wanted(name, since) cross join lateral (
      select from job_lanes l
      where l.state = 'ready' and l.name = wanted.name collate "C" and l.at >= to_timestamp(wanted.since / 1000)
      limit 1
    ) found);
  select extract(epoch from min(at) - v_now) * 1000 into next_ms from job_lanes where state = 'scheduled' and at > v_now;
  return next;
end $$;

-- The event log: writers insert into the outbox, one sequencer moves the rows into the log of each workspace.

-- Rows live for milliseconds: inserted by the writer's transaction, deleted when they are sequenced. The id is assigned
-- by the insert, after the rows an event describes are locked, so the ids of one row's events follow its commits.
create table outbox (
  id bigint generated always as identity primary key,
  event_id text collate "C" not null,
  tenant_id text collate "C" not null,
  type text collate "C" not null,
  at timestamptz(3) not null,
  data json not null,
  audience json,
  causation_depth smallint not null
) with (
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 5000,
  autovacuum_vacuum_insert_threshold = -1,
  autovacuum_analyze_scale_factor = 0,
  autovacuum_analyze_threshold = 1000000,
  autovacuum_vacuum_cost_delay = 0
);

-- Partitioned by day of sequencing; the sequencer creates and drops partitions. (tenant_id, seq) is unique because only
-- the sequencer assigns numbers; day is in the key because PostgreSQL requires the partition key there.
create table event_log (
  tenant_id text collate "C" not null,
  seq bigint not null,
  day date not null,
  event_id text collate "C" not null,
  type text collate "C" not null,
  at timestamptz(3) not null,
  data json not null,
  audience json,
  causation_depth smallint not null,
  primary key (tenant_id, seq, day)
) partition by range (day);

-- The last sequence number assigned in each workspace. Outlives dropped partitions.
create table event_heads (
  tenant_id text collate "C" primary key,
  seq bigint not null
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);

-- Consumers of the log with a durable offset. types null: all types.
create table event_consumers (
  name text collate "C" primary key,
  types text[] collate "C"
);

-- The events a consumer has to process in a workspace: latest_seq is the newest event of its types, processed_seq the
-- last one processed. due_at is null when there is nothing to do, otherwise the time from which the row may be claimed:
-- also the end of a backoff and of a lease. The sequencer writes these rows too, so they are only locked by single
-- statements: no client can block the sequencer. For a row that is already due it changes no indexed column.
create table event_consumer_queue (
  tenant_id text collate "C" not null,
  consumer text collate "C" not null,
  latest_seq bigint not null,
  processed_seq bigint not null,
  due_at timestamptz default now(),
  token bigint not null default 0,
  failures int not null default 0,
  last_error text,
  primary key (tenant_id, consumer)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);

create index event_consumer_queue_due on event_consumer_queue (consumer, due_at) where due_at is not null;

-- The offset of consumers whose effects are in this database: advanced in the transaction of the effects.
create table event_offsets (
  tenant_id text collate "C" not null,
  consumer text collate "C" not null,
  seq bigint not null,
  primary key (tenant_id, consumer)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
