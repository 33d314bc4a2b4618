-- Runs that ended long ago are forgotten; of those that must be remembered, what they did.
alter table workflow_runs add column forgotten_at timestamptz(3);
create index workflow_runs_ended on workflow_runs (ended_at) where ended_at is not null and forgotten_at is null;
