-- A claim does not wait for the disk: a crash of the database may undo it, and whoever claims the lane next must not get
-- the token of the worker who still believes in the one that is gone. So tokens are drawn, not counted.
create or replace function claim_jobs(
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
