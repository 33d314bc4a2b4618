-- Shares of job workers: lanes of one workspace that run concurrently are limited per job, and a lane whose worker died is
-- remembered, so that a job that kills its workers is recognized.

-- How often the lease of the first job that is not done expired: its worker died, or was stopped for longer than the lease.
alter table job_lanes add column deaths smallint not null default 0;

-- As before, with p_shares: how many lanes of one tenant a claim may take, by name; null without a limit. p_full: names and
-- tenants, separated by a space, that have reached their limit.
drop function claim_jobs(text[], float8[], text[], float8[], int, int);
create function claim_jobs(
  p_names text[], p_leases_ms float8[], p_after text[], p_since_ms float8[], p_limit int, p_jobs int,
  p_shares int[] default null, p_full text[] default '{}')
returns table (
  id bigint, token int, name text, tenant_id text, ordering_key text, attempt int, done_id bigint, job_id bigint, payload json,
  deaths smallint)
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
    select name, since, tenant_id,
      least(ceil(p_limit::float8 / count(*) over ()), p_shares[array_position(p_names, name)]) as share
    from ring where step > 0 and (name || ' ' || tenant_id) <> all(p_full) order by step, random()
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
    select c.id, c.token, c.name, c.tenant_id, c.ordering_key, c.attempt, c.done_id, job.id, job.payload, c.deaths
    from claimed c cross join lateral (
      select c.id, c.payload where c.done_id < c.id
      union all
      (select j.id, j.payload from jobs j where j.lane_id = c.id and j.id > c.done_id
       order by j.id limit p_jobs / cardinality(v_ids) + 1)
    ) job;
end $$;

-- As before; a lane that goes on to its next job has no deaths.
create or replace function complete_jobs(
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
        deaths = case when p_done_ids[n] > done_id then 0 else deaths end,
        attempt = greatest(0,
          case when p_done_ids[n] > done_id then 1 else attempt end - (v_step in ('release', 'defer'))::int)
      where l.id = v_lane.id;
    end if;
    return next;
  end loop;
end $$;

-- As before; a reclaimed lane counts the death of its worker.
create or replace function promote_due_jobs(p_names text[], p_since_ms float8[], p_sweep boolean, p_moved_ms float8, p_limit int)
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
    update job_lanes set state = 'ready', at = v_now, deaths = least(deaths + 1, 100) where id = any(array(
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
