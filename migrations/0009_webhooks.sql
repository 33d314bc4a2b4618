-- Webhooks: the endpoint of a workspace, its signing keys, pending deliveries and the log of attempts.

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

-- The active key does not expire; replaced keys sign until they do.
create table webhook_keys (
  tenant_id text collate "C" not null references tenants,
  id text collate "C" not null,
  version int not null,
  sealed bytea not null,
  last4 text not null,
  -- the plaintext has been returned, which happens once
  revealed boolean not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3),
  primary key (tenant_id, id)
);
create unique index webhook_keys_active on webhook_keys (tenant_id) where expires_at is null;
create unique index webhook_keys_version on webhook_keys (tenant_id, version);

-- The unit that processes lease: all deliveries of one workspace. due_at: when deliveries are due; null when there are
-- none or the row is leased. leased_until: end of the lease in database time; deliveries in flight under an expired lease
-- were interrupted. However many deliveries wait for a failing endpoint, they cost one row here.
create table webhook_endpoint_state (
  tenant_id text collate "C" primary key references tenants,
  due_at timestamptz(3),
  leased_until timestamptz,
  -- incremented by each claim; writes with an older token are ignored
  token bigint not null default 0,
  -- deliveries were added that the owner of the lease may not have seen
  has_new boolean not null default true,
  -- circuit breaker
  consecutive_failures int not null default 0,
  backoff_level int not null default 0,
  circuit_open_until timestamptz(3),
  failed_at timestamptz(3),
  failing_since timestamptz(3)
) with (
  fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_cost_delay = 0
);
create index webhook_endpoint_state_due on webhook_endpoint_state (due_at) where due_at is not null;
create index webhook_endpoint_state_leased on webhook_endpoint_state (leased_until) where leased_until is not null;

-- A pending delivery of one event; deleted when it succeeded or after its last attempt. The body is built from the event
-- log. claimed_by: the lease token while an attempt is in flight, so that interrupted attempts can be found; it is not
-- indexed and pages have free space, so that claiming writes to no index.
create table webhook_deliveries (
  tenant_id text collate "C" not null,
  id text collate "C" not null,
  seq bigint not null,
  event_id text collate "C" not null,
  event_type text collate "C" not null,
  attempts int not null default 0,
  -- failed attempts without interrupted ones: the position in the retry schedule
  failures int not null default 0,
  due_at timestamptz(3) not null,
  claimed_by bigint,
  claimed_at timestamptz(3),
  primary key (tenant_id, id)
) with (
  fillfactor = 60, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 5000,
  autovacuum_vacuum_cost_delay = 0, autovacuum_vacuum_insert_scale_factor = 0.2,
  autovacuum_vacuum_insert_threshold = 20000, autovacuum_analyze_scale_factor = 0.2,
  autovacuum_analyze_threshold = 50000
);
-- The condition is always true, but only queries that contain it use this index. Lookups by primary key do not, although
-- the planner would prefer this index while the table is small.
create index webhook_deliveries_due on webhook_deliveries (tenant_id, due_at) where due_at > '-infinity';

-- Failed deliveries and deliveries for an open circuit. There may be very many; in a table of their own they do not slow
-- down new deliveries or vacuum.
create table webhook_backlog (like webhook_deliveries including all) with (
  fillfactor = 60, autovacuum_vacuum_scale_factor = 0.1, autovacuum_vacuum_threshold = 5000
);

-- One row per attempt. The id starts with attempted_at in its first 48 bits, so ids are in time order; partitions are
-- daily, created in advance and dropped as a whole.
create table webhook_attempts (
  tenant_id text collate "C" not null,
  id text collate "C" not null,
  delivery_id text collate "C" not null,
  event_id text collate "C" not null,
  event_type text collate "C" not null,
  -- position in the event log; null for test events
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
-- Serves all filters: one index scan per type and status, merged.
create index webhook_attempts_kind on webhook_attempts (tenant_id, event_type, status, id);
