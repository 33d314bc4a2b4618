-- The token of the claim under which a suspect job was started, alone in its process. Further deaths count only then: a
-- suspect that a process had claimed and not started is not the cause of its death.
alter table job_lanes add column suspect_token int;

-- As before; the first death makes a job suspect, later ones count if it was running.
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
