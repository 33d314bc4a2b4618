-- Runs of a workflow that are in progress: cancelled together, and when the workflow is deleted.
create index workflow_runs_in_progress on workflow_runs (tenant_id, workflow_id, id)
  where status in ('running', 'waiting');

-- Messages that a workflow run had sent before its own setOptOut: they are still delivered.
alter table contact_opt_outs add column except_message_ids text[];
