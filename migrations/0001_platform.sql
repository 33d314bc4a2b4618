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

-- The job queue. A lane is what workers claim: all work of one key, or one job without a key. It carries its first
-- job itself; those that come while it is not empty wait behind it in jobs. Rows are deleted when done, never marked.
-- These tables belong to the platform, across tenants: workers read them by job name first.

-- One sequence for lanes and jobs: a lane's id is the id of its first job. It must stay uncached, ids give the order.
create sequence job_ids cache 1;

create table job_lanes (
  id bigint primary key default nextval('job_ids'),
  name text collate "C" not null,
  tenant_id text collate "C" not null,      -- '' for work of the platform itself
  key text collate "C",
  ordered boolean not null,                 -- the one lane of its key; delayed jobs and those without a key go alone
  state text collate "C" not null check (state in ('ready', 'held', 'later')),
  at timestamptz(3) not null,               -- ready since, held until, or later at
  pending int not null check (pending > 0), -- jobs not yet done, the first included
  token int not null default 0,             -- raised by each claim; what comes with an older one is refused
  attempt int not null default 0,           -- claims of the job at the head
  done_id bigint not null default 0,        -- jobs up to this id are done
  payload json                              -- of the first job, until it is done
) with (
  autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0,
  autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 20000,
  autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 20000
);
create unique index job_lanes_key on job_lanes (name, tenant_id, key) where ordered;
create index job_lanes_ready on job_lanes (name, tenant_id, at) where state = 'ready';
create index job_lanes_held on job_lanes (at) where state = 'held';
create index job_lanes_later on job_lanes (at) where state = 'later';

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

-- Jobs that failed for good, until someone retries or discards them.
create table dead_jobs (
  id bigint primary key,
  name text collate "C" not null,
  tenant_id text collate "C" not null,
  key text collate "C",
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

-- The workers' statements are functions, because a function can fix how they are planned: always along the indexes.
-- A plan made while the queue is empty, when reading the whole table is cheapest, must not meet a hundred thousand
-- rows. Each statement inside sees what is committed when it begins, so what follows a lock sees all that came before.

-- Takes up to p_limit ready lanes, with the first jobs of each, about p_jobs in all. For each name it walks the ring of
-- tenants that have something ready, from the one after the last served, and shares the batch among the first 25 it
-- meets. What is older than p_since_ms is passed over without a look at the table: as of the last sweep nothing there
-- was alive, and while an old snapshot keeps vacuum from removing it, looking at it would take longer and longer.
-- Claims do not wait for the disk, so a crash of the database may undo one. The next worker that claims the lane must not
-- receive the token of the worker that still holds the lost claim: tokens are random, not counted.
create function claim_jobs(
  p_names text[], p_leases_ms float8[], p_after text[], p_since_ms float8[], p_limit int, p_jobs int)
returns table (
  id bigint, token int, name text, tenant_id text, key text, attempt int, done_id bigint, job_id bigint, payload json)
language plpgsql
set enable_seqscan = off set enable_bitmapscan = off set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
  v_ids bigint[];
begin
  with recursive ring(name, after, since, tenant_id, wrapped, turn) as (
    select name collate "C", after collate "C", to_timestamp(since_ms / 1000), after collate "C", false, 0
    from unnest(p_names, p_after, p_since_ms) as wanted(name, after, since_ms)
    union all
    select r.name, r.after, r.since, next.tenant_id, next.wrapped, r.turn + 1
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
    where r.turn < 25
  ), turns as (
    select name, since, tenant_id, ceil(p_limit::float8 / count(*) over ()) as share
    from ring where turn > 0 order by turn, random()
  )
  select array(
    select lane.id from turns t cross join lateral (
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
      update job_lanes l set state = 'held', token = (random() * 2147483647)::int, attempt = attempt + 1,
        at = clock_timestamp() + p_leases_ms[array_position(p_names, l.name)] * interval '1 ms'
      where l.id = any(v_ids)
      returning l.*
    )
    select c.id, c.token, c.name, c.tenant_id, c.key, c.attempt, c.done_id, job.id, job.payload
    from claimed c cross join lateral (
      select c.id, c.payload where c.done_id < c.id
      union all
      (select j.id, j.payload from jobs j where j.lane_id = c.id and j.id > c.done_id
       order by j.id limit p_jobs / cardinality(v_ids) + 1)
    ) job;
end $$;

-- Removes what is done and says how each lane goes on. hold: more of this claim is to come. free: ready again.
-- later: tried again after a delay. defer: the same, and the attempt does not count. A lane that is held with another
-- token is not touched and not returned; nor is one that someone else has locked, unless p_wait.
create function settle_jobs(
  p_ids bigint[], p_tokens int[], p_done_ids bigint[], p_steps text[], p_delays_ms float8[], p_wait boolean)
returns table (id bigint, remaining int)
language plpgsql
set enable_seqscan = off set enable_bitmapscan = off set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
  v_single bigint[];
  v_lane job_lanes;
  v_gone int;
  v_step text;
begin
  if p_wait then
    perform from job_lanes l where l.id = any(p_ids) order by l.id for update;
  end if;
  -- Most lanes have one job, and end with it.
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
    get diagnostics v_gone = row_count;
    id := v_lane.id;
    remaining := v_lane.pending - v_gone - (v_lane.done_id < v_lane.id and p_done_ids[n] >= v_lane.id)::int;
    -- What is to be tried again may have been finished after all, by a commit whose answer was lost.
    v_step := case when v_lane.done_id > p_done_ids[n] and p_steps[n] <> 'hold' then 'free' else p_steps[n] end;
    if remaining = 0 then
      delete from job_lanes l where l.id = v_lane.id;
    else
      update job_lanes l set pending = remaining, done_id = greatest(done_id, p_done_ids[n]),
        payload = case when greatest(done_id, p_done_ids[n]) < l.id then payload end,
        state = case v_step when 'hold' then state when 'free' then 'ready' else 'later' end,
        at = case v_step when 'hold' then at else clock_timestamp() + p_delays_ms[n] * interval '1 ms' end,
        attempt = greatest(0,
          case when p_done_ids[n] > done_id then 1 else attempt end - (v_step in ('free', 'defer'))::int)
      where l.id = v_lane.id;
    end if;
    return next;
  end loop;
end $$;

-- Moves the end of leases on, in the real time, and returns the lanes that are still held with their tokens. One that
-- someone else has locked is left out, unless p_wait.
create function renew_jobs(p_ids bigint[], p_tokens int[], p_leases_ms float8[], p_wait boolean) returns setof bigint
language plpgsql
set enable_seqscan = off set enable_bitmapscan = off set plan_cache_mode = force_generic_plan
as $$
begin
  if p_wait then
    perform from job_lanes l where l.id = any(p_ids) order by l.id for update;
  end if;
  return query
    update job_lanes l set state = 'held',
      at = clock_timestamp() + p_leases_ms[array_position(p_ids, l.id)] * interval '1 ms'
    where l.id = any(array(
      select lane.id from unnest(p_ids, p_tokens) as i(id, token) cross join lateral (
        select l.id from job_lanes l where l.id = i.id and l.token = i.token limit 1 for update skip locked
      ) lane))
    returning l.id;
end $$;

-- Makes ready what has waited long enough, by the clock that tests move, and tells which of the names have something
-- ready and when the next that waits is due. With p_sweep it also takes back the leases that have run out, in real time
-- (moving the clock takes no work from its worker), and finds anew, for each name, since when there may be something
-- ready; the last two seconds always count, for what is enqueued now and commits a little later.
create function look_at_jobs(p_names text[], p_since_ms float8[], p_sweep boolean, p_moved_ms float8, p_limit int)
returns table (promoted int, ready text[], since_ms float8[], next_ms float8)
language plpgsql
set enable_seqscan = off set enable_bitmapscan = off set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
  v_now timestamptz := clock_timestamp() + p_moved_ms * interval '1 ms';
  v_taken_back int := 0;
begin
  update job_lanes set state = 'ready', at = v_now where id = any(array(
    select id from job_lanes where state = 'later' and at <= v_now order by at limit p_limit for update skip locked));
  get diagnostics promoted = row_count;
  if p_sweep then
    update job_lanes set state = 'ready', at = v_now where id = any(array(
      select id from job_lanes where state = 'held' and at <= clock_timestamp()
      order by at limit p_limit for update skip locked));
    get diagnostics v_taken_back = row_count;
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
  promoted := promoted + v_taken_back;
  ready := array(
    select wanted.name from unnest(p_names, since_ms) as wanted(name, since) cross join lateral (
      select from job_lanes l
      where l.state = 'ready' and l.name = wanted.name collate "C" and l.at >= to_timestamp(wanted.since / 1000)
      limit 1
    ) found);
  select extract(epoch from min(at) - v_now) * 1000 into next_ms from job_lanes where state = 'later' and at > v_now;
  return next;
end $$;

-- The event log: writers insert into the outbox, one sequencer moves it into the log of each workspace.

-- Rows live for milliseconds: inserted by the writer's transaction, deleted when they are sequenced. The id is drawn
-- by the insert itself, after the rows an event speaks of are locked, so that ids of one row's events follow its commits.
create table outbox (
  id bigint generated always as identity primary key,
  event_id text collate "C" not null,
  tenant_id text collate "C" not null,
  type text collate "C" not null,
  at timestamptz(3) not null,
  data json not null,
  audience json,
  cause_depth smallint not null
) with (
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 5000,
  autovacuum_vacuum_insert_threshold = -1,
  autovacuum_analyze_scale_factor = 0,
  autovacuum_analyze_threshold = 1000000,
  autovacuum_vacuum_cost_delay = 0
);

-- Kept by day of sequencing, a partition each, made and dropped by the sequencer. (tenant_id, seq) is unique because
-- the sequencer alone counts; day is in the key only because PostgreSQL wants it there.
create table event_log (
  tenant_id text collate "C" not null,
  seq bigint not null,
  day date not null,
  event_id text collate "C" not null,
  type text collate "C" not null,
  at timestamptz(3) not null,
  data json not null,
  audience json,
  cause_depth smallint not null,
  primary key (tenant_id, seq, day)
) partition by range (day);

-- The last sequence number given to each workspace. Outlives the days that are dropped.
create table event_heads (
  tenant_id text collate "C" primary key,
  seq bigint not null
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);

-- Who reads the log with a durable cursor. types null: everything.
create table event_consumers (
  name text collate "C" primary key,
  types text[] collate "C"
);

-- What a subscriber has to do in a workspace: head is the newest event it wants, done the last it has dealt with.
-- due_at is null when there is nothing to do; else the time it may be claimed, which is also the end of a backoff and
-- the end of a lease. The sequencer writes here too, so these rows are only ever locked by single statements: no client
-- can hold the sequencer up. While a feed is due anyway, the sequencer changes no indexed column.
create table event_consumer_queue (
  tenant_id text collate "C" not null,
  subscriber text collate "C" not null,
  head bigint not null,
  done bigint not null,
  due_at timestamptz default now(),
  token bigint not null default 0,
  failures int not null default 0,
  last_error text,
  primary key (tenant_id, subscriber)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);

create index event_consumer_queue_due on event_consumer_queue (subscriber, due_at) where due_at is not null;

-- The cursor of subscribers whose effects are in this database: moved in the transaction of the effects.
create table event_offsets (
  tenant_id text collate "C" not null,
  subscriber text collate "C" not null,
  seq bigint not null,
  primary key (tenant_id, subscriber)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
