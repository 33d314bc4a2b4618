-- Runs by status, for lists across workflows. Completed runs are found by the primary key.
create index workflow_runs_unfinished on workflow_runs (tenant_id, id) where status in ('running', 'waiting');
create index workflow_runs_failed on workflow_runs (tenant_id, id) where status = 'failed';
create index workflow_runs_cancelled on workflow_runs (tenant_id, id) where status = 'cancelled';

-- Counters of nodes per day, and in total (day -infinity). Steps append their changes to workflow_count_deltas, so that
-- runs of one workflow do not wait for each other; a cron adds them to the counters.
create table workflow_node_counts (
  tenant_id text collate "C" not null,
  workflow_id text collate "C" not null,
  day date not null,
  node_id text collate "C" not null,
  -- entered, left, passed (by an output), undelivered, goal
  metric text collate "C" not null,
  output text collate "C" not null default '',
  count bigint not null,
  primary key (tenant_id, workflow_id, day, node_id, metric, output),
  foreign key (tenant_id, workflow_id) references workflows
);
create table workflow_count_deltas (
  tenant_id text collate "C" not null,
  workflow_id text collate "C" not null,
  day date not null,
  -- [[node, metric, output, count], …]
  counts json not null
);
create index workflow_count_deltas_of on workflow_count_deltas (tenant_id, workflow_id);

with existing as (
  select r.tenant_id, r.workflow_id, s.at::date as day, s.node_id, c.metric, c.output
  from workflow_steps s join workflow_runs r on r.tenant_id = s.tenant_id and r.id = s.run_id
  cross join lateral (
    select 'entered' as metric, '' as output where s.input->>'type' = 'arrived'
    union all select 'left', '' where s.outcome in ('to', 'jump', 'end', 'fail')
    union all select 'passed', s.output where s.outcome = 'to'
    union all select 'goal', '' where s.type = 'goal' and s.input->>'type' = 'arrived'
    union all select 'undelivered', '' where s.type in ('sendMessage', 'ask', 'menu') and s.detail->>'code' is not null) c
)
insert into workflow_node_counts (tenant_id, workflow_id, day, node_id, metric, output, count)
select tenant_id, workflow_id, d.day, node_id, metric, output, count(*)
from existing cross join lateral (values (existing.day), ('-infinity'::date)) d (day)
group by 1, 2, 3, 4, 5, 6;
