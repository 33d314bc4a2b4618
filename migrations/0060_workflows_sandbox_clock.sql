-- How far POST /sandbox/clock has moved the clock of a workspace ahead of the real time: the next call starts the schedules
-- that follow. Real schedules do not read it.
create table workflow_sandbox_clocks (
  tenant_id text collate "C" primary key references tenants (id),
  ahead_seconds bigint not null
);
