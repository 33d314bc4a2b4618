-- The event log: writers insert into the outbox, one sequencer moves it into the log of each workspace.

-- Rows live for milliseconds: inserted by the writer's transaction, deleted when they are sequenced. The id is drawn
-- by the insert itself, after the rows an event speaks of are locked, so that ids of one row's events follow its commits.
create table outbox (
  id bigint generated always as identity primary key,
  event_id text collate "C" not null,
  tenant_id text collate "C" not null,
  type text collate "C" not null,
  at timestamptz(3) not null,
  data json not null,
  audience json,
  cause_depth smallint not null
) with (
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 5000,
  autovacuum_vacuum_insert_threshold = -1,
  autovacuum_analyze_scale_factor = 0,
  autovacuum_analyze_threshold = 1000000,
  autovacuum_vacuum_cost_delay = 0
);

-- Kept by day of sequencing, a partition each, made and dropped by the sequencer. (tenant_id, seq) is unique because
-- the sequencer alone counts; day is in the key only because PostgreSQL wants it there.
create table event_log (
  tenant_id text collate "C" not null,
  seq bigint not null,
  day date not null,
  event_id text collate "C" not null,
  type text collate "C" not null,
  at timestamptz(3) not null,
  data json not null,
  audience json,
  cause_depth smallint not null,
  primary key (tenant_id, seq, day)
) partition by range (day);

-- The last sequence number given to each workspace. Outlives the days that are dropped.
create table event_heads (
  tenant_id text collate "C" primary key,
  seq bigint not null
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);

-- Who reads the log with a durable cursor. types null: everything.
create table event_subscribers (
  name text collate "C" primary key,
  types text[] collate "C"
);

-- What a subscriber has to do in a workspace: head is the newest event it wants, done the last it has dealt with.
-- due_at is null when there is nothing to do; else the time it may be claimed, which is also the end of a backoff and
-- the end of a lease. The sequencer writes here too, so these rows are only ever locked by single statements: no client
-- can hold the sequencer up. While a feed is due anyway, the sequencer changes no indexed column.
create table event_feeds (
  tenant_id text collate "C" not null,
  subscriber text collate "C" not null,
  head bigint not null,
  done bigint not null,
  due_at timestamptz default now(),
  token bigint not null default 0,
  failures int not null default 0,
  last_error text,
  primary key (tenant_id, subscriber)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);

create index event_feeds_due on event_feeds (subscriber, due_at) where due_at is not null;

-- The cursor of subscribers whose effects are in this database: moved in the transaction of the effects.
create table event_cursors (
  tenant_id text collate "C" not null,
  subscriber text collate "C" not null,
  seq bigint not null,
  primary key (tenant_id, subscriber)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
