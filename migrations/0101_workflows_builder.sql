-- Who last changed the draft; null: unknown, because it was changed before this was stored.
alter table workflows add column updated_by text collate "C";
update workflows set updated_by = created_by where revision = 1;

-- What its publisher wrote about the version.
alter table workflow_versions add column note text;

-- Null: appended by a process of the previous version.
alter table workflow_count_deltas add column version_id text collate "C";

-- Counters of the nodes of each version per day, folded from the same deltas as workflow_node_counts. The day -infinity has
-- only `entered` and `left` since the first run: their difference is in progress.
create table workflow_version_counts (
  tenant_id text collate "C" not null,
  workflow_id text collate "C" not null,
  day date not null,
  version_id text collate "C" not null,
  node_id text collate "C" not null,
  -- the metrics of workflow_node_counts; failed; stopped: left without a step, such as cancelled; stay and seconds: how many
  -- stayed at the node for at least a second, and how long together, with the bucket of the duration as the output
  metric text collate "C" not null,
  output text collate "C" not null default '',
  count bigint not null,
  primary key (tenant_id, workflow_id, day, version_id, node_id, metric, output),
  foreign key (tenant_id, workflow_id) references workflows
);

-- Runs in progress will leave nodes that they entered before.
insert into workflow_version_counts (tenant_id, workflow_id, day, version_id, node_id, metric, count)
select tenant_id, workflow_id, '-infinity', version_id, node_id, 'entered', count(*) from workflow_runs
where status in ('running', 'waiting') and visits->>node_id is not null
group by tenant_id, workflow_id, version_id, node_id;
