-- Webhooks: the one receiver of a workspace, its signing keys, what is still to be delivered, and the log of attempts.

create table webhook_settings (
  tenant_id text collate "C" primary key references tenants,
  id text collate "C" not null,
  enabled boolean not null,
  verified boolean not null,
  url text,
  event_types text[] collate "C" not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  check (not enabled or url is not null)
);

-- The active key has no end; those it replaced sign until theirs.
create table webhook_keys (
  tenant_id text collate "C" not null references tenants,
  id text collate "C" not null,
  version int not null,
  sealed bytea not null,
  last4 text not null,
  -- the plaintext has been shown, which happens once
  revealed boolean not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3),
  primary key (tenant_id, id)
);
create unique index webhook_keys_active on webhook_keys (tenant_id) where expires_at is null;
create unique index webhook_keys_version on webhook_keys (tenant_id, version);

-- What a process claims: all deliveries of one workspace. due_at: when to look at it, null when there is nothing to do
-- or it is held. held_until: the end of the holder's lease, by the database's own time; whatever was under way in a
-- lane whose lease has ended was interrupted. However many deliveries wait for a dead receiver, they are one row here.
create table webhook_endpoint_state (
  tenant_id text collate "C" primary key references tenants,
  due_at timestamptz(3),
  held_until timestamptz,
  -- raised by each claim; what comes with an older one is refused
  token bigint not null default 0,
  -- something was added that the holder may not have seen
  news boolean not null default true,
  -- how the receiver does: failures in a row, and how often it was left alone for a while because of them
  streak int not null default 0,
  blocks int not null default 0,
  blocked_until timestamptz(3),
  failed_at timestamptz(3),
  failing_since timestamptz(3)
) with (
  fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_cost_delay = 0
);
create index webhook_endpoint_state_due on webhook_endpoint_state (due_at) where due_at is not null;
create index webhook_endpoint_state_held on webhook_endpoint_state (held_until) where held_until is not null;

-- One event on its way to the receiver of its workspace; deleted when it has arrived or was given up. What is sent is
-- read from the event log. taken_by: the lane's token while an attempt is under way, so that one cut off is known; it
-- is in no index, and pages have room, so that taking writes to none. A few at the head of a lane's index are taken.
create table webhook_deliveries (
  tenant_id text collate "C" not null,
  id text collate "C" not null,
  seq bigint not null,
  event_id text collate "C" not null,
  event_type text collate "C" not null,
  attempts int not null default 0,
  -- attempts that failed, not counting interrupted ones: the place in the schedule
  failures int not null default 0,
  due_at timestamptz(3) not null,
  taken_by bigint,
  taken_at timestamptz(3),
  primary key (tenant_id, id)
) with (
  fillfactor = 60, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 5000,
  autovacuum_vacuum_cost_delay = 0, autovacuum_vacuum_insert_scale_factor = 0.2,
  autovacuum_vacuum_insert_threshold = 20000, autovacuum_analyze_scale_factor = 0.2,
  autovacuum_analyze_threshold = 50000
);
-- The condition holds for all, but only a query that says so uses this index: to find one by its key, where it looks
-- as good as the primary key while the table is small, none does.
create index webhook_deliveries_due on webhook_deliveries (tenant_id, due_at) where due_at > '-infinity';

-- Those that have failed, and those for receivers that are left alone. They may be very many, and rest; apart from
-- the others, which come and go, they cost these nothing, nor vacuum.
create table webhook_backlog (like webhook_deliveries including all) with (
  fillfactor = 60, autovacuum_vacuum_scale_factor = 0.1, autovacuum_vacuum_threshold = 5000
);

-- Written once per attempt. The id carries attempted_at in its first 48 bits, so its order is that of time; a partition
-- is a day, made ahead of time and dropped whole.
create table webhook_attempts (
  tenant_id text collate "C" not null,
  id text collate "C" not null,
  delivery_id text collate "C" not null,
  event_id text collate "C" not null,
  event_type text collate "C" not null,
  -- where the event is in the log; null for a test, which is in none
  seq bigint,
  status text collate "C" not null check (status in ('succeeded', 'failed')),
  attempt_number int not null,
  attempted_at timestamptz(3) not null,
  response_status int,
  response_body text,
  latency_ms int,
  error_text text,
  signed_with int[] not null,
  primary key (tenant_id, id)
) partition by range (id);
-- Serves each filter: by one of few statuses and types, merged.
create index webhook_attempts_kind on webhook_attempts (tenant_id, event_type, status, id);
