-- Background lanes: jobs that must not delay other jobs of the same name and key order, such as the messages of a campaign.
-- They are claimed by the workers for bulk jobs. A lane that gets a job in the foreground moves there with all its jobs.
alter table job_lanes add column background boolean not null default false;

drop index job_lanes_ready;
create index job_lanes_ready on job_lanes (name, background, tenant_id, at) where state = 'ready';

-- As before, with p_background: whether the background lanes of a name are claimed, or the others.
drop function claim_jobs(text[], float8[], text[], float8[], int, int, int[], text[]);
create function claim_jobs(
  p_names text[], p_background boolean[], p_leases_ms float8[], p_after text[], p_since_ms float8[], p_limit int, p_jobs int,
  p_shares int[], p_full text[])
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
  with recursive ring(name, background, after, since, tenant_id, wrapped, step) as (
    select name collate "C", background, after collate "C", to_timestamp(since_ms / 1000), after collate "C", false, 0
    from unnest(p_names, p_background, p_after, p_since_ms) as wanted(name, background, after, since_ms)
    union all
    select r.name, r.background, r.after, r.since, next.tenant_id, next.wrapped, r.step + 1
    from ring r cross join lateral (
      (select l.tenant_id, r.wrapped from job_lanes l
       where l.state = 'ready' and l.name = r.name and l.background = r.background and l.tenant_id > r.tenant_id
         and l.at >= r.since and (not r.wrapped or l.tenant_id <= r.after)
       order by l.tenant_id limit 1)
      union all
      (select l.tenant_id, true from job_lanes l
       where l.state = 'ready' and l.name = r.name and l.background = r.background and l.tenant_id <= r.after
         and l.at >= r.since and not r.wrapped
       order by l.tenant_id limit 1)
      limit 1
    ) next
    where r.step < 25
  ), shares as (
    select name, background, since, tenant_id,
      least(ceil(p_limit::float8 / count(*) over ()), p_shares[array_position(p_names, name)]) as share
    from ring where step > 0 and (name || ' ' || tenant_id) <> all(p_full) order by step, random()
  )
  select array(
    select lane.id from shares t cross join lateral (
      select l.id from job_lanes l
      where l.state = 'ready' and l.name = t.name and l.background = t.background and l.tenant_id = t.tenant_id
        and l.at >= t.since
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

-- As before; looks for ready lanes in the foreground and in the background.
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
    update job_lanes set state = 'ready', at = v_now,
      deaths = case when deaths = 0 or suspect_token = token then least(deaths + 1, 100) else deaths end
    where id = any(array(
      select id from job_lanes where state = 'leased' and at <= clock_timestamp()
      order by at limit p_limit for update skip locked));
    get diagnostics v_reclaimed = row_count;
    with recursive fronts(name, background, tenant_id, at) as (
      select wanted.name collate "C", side.background, first.*
      from unnest(p_names) as wanted(name) cross join (values (false), (true)) as side(background) cross join lateral (
        select l.tenant_id, l.at from job_lanes l
        where l.state = 'ready' and l.name = wanted.name collate "C" and l.background = side.background
        order by l.tenant_id, l.at limit 1
      ) first
      union all
      select f.name, f.background, next.* from fronts f cross join lateral (
        select l.tenant_id, l.at from job_lanes l
        where l.state = 'ready' and l.name = f.name and l.background = f.background and l.tenant_id > f.tenant_id
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
    select wanted.name from unnest(p_names, since_ms) as wanted(name, since) where exists (
      select from job_lanes l
      where l.state = 'ready' and l.name = wanted.name collate "C" and not l.background
        and l.at >= to_timestamp(wanted.since / 1000)
    ) or exists (
      select from job_lanes l
      where l.state = 'ready' and l.name = wanted.name collate "C" and l.background
        and l.at >= to_timestamp(wanted.since / 1000)
    ));
  select extract(epoch from min(at) - v_now) * 1000 into next_ms from job_lanes where state = 'scheduled' and at > v_now;
  return next;
end $$;
