-- As before; releasing or scheduling a lane changes its token. A renewal in flight names the old one, so it cannot lease the
-- lane again, which nobody would run until that lease expires.
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
      update job_lanes l set token = case v_step when 'keep' then token else (random() * 2147483647)::int end,
        pending = remaining, done_id = greatest(done_id, p_done_ids[n]),
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
