-- A version acts with the rights of the account that published it. Versions from before have no publisher and the rights
-- of an owner.
alter table workflow_versions
  add column publisher_id text collate "C",
  -- what its nodes need
  add column required_scopes text[] not null default '{}',
  add column requires_admin boolean not null default false,
  -- what the publisher no longer holds; null: nothing. Runs of the version are held until it is null again.
  add column missing_rights text[];
create index workflow_versions_publisher on workflow_versions (tenant_id, publisher_id) where publisher_id is not null;

-- Why the service paused the workflow; null: a caller did.
alter table workflows add column pause_reason text collate "C" check (pause_reason in ('publisher_rights_lost'));

-- Resumes of a run that wait until the publisher of its version has its rights again.
alter table workflow_runs add column held_resumes json;
create index workflow_runs_held on workflow_runs (tenant_id, workflow_id, id) where held_resumes is not null;
