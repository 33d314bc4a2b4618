-- Journeys and chatbots. The definition is the draft; runs use a version.
create table workflows (
  tenant_id text collate "C" not null references tenants,
  id text collate "C" not null,
  kind text collate "C" not null check (kind in ('journey', 'chatbot')),
  name text not null,
  status text collate "C" not null default 'draft' check (status in ('draft', 'active', 'paused')),
  -- json instead of jsonb: preserves the order of members
  definition json not null,
  -- the version of new runs; its foreign key is added below, because the tables reference each other
  published_version_id text collate "C",
  created_by text collate "C" not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  primary key (tenant_id, id)
);
create index workflows_live on workflows (tenant_id, kind, id) where deleted_at is null;
create index workflows_active on workflows (tenant_id, kind, id) where status = 'active' and deleted_at is null;

-- Immutable versions, created by publishing.
create table workflow_versions (
  tenant_id text collate "C" not null,
  id text collate "C" not null,
  workflow_id text collate "C" not null,
  definition json not null,
  -- copied from the start node
  trigger_type text collate "C" not null,
  trigger_config json not null,
  entry_mode text collate "C" not null check (entry_mode in ('once', 'once_active', 'every_time')),
  created_by text collate "C" not null,
  created_at timestamptz(3) not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, workflow_id) references workflows
);
create index workflow_versions_of on workflow_versions (tenant_id, workflow_id, id);
alter table workflows add foreign key (tenant_id, published_version_id) references workflow_versions (tenant_id, id);

-- The teams a chatbot replies for; a bot without teams is the default bot. A team with a bot cannot be deleted.
create table chatbot_teams (
  tenant_id text collate "C" not null,
  workflow_id text collate "C" not null,
  team_id text collate "C" not null,
  -- index in teamIds
  position int not null,
  primary key (tenant_id, workflow_id, team_id),
  foreign key (tenant_id, workflow_id) references workflows,
  foreign key (tenant_id, team_id) references teams
);
create index chatbot_teams_team on chatbot_teams (tenant_id, team_id);

-- Runs of journeys and chatbots, pinned to a version. A waiting run is found by its deadline (workflow_runs_wake) and, if
-- events may resume it, by its contact (workflow_runs_waits_for_event).
create table workflow_runs (
  tenant_id text collate "C" not null,
  id text collate "C" not null,
  kind text collate "C" not null check (kind in ('journey', 'chatbot')),
  workflow_id text collate "C" not null,
  version_id text collate "C" not null,
  contact_id text collate "C" not null,
  conversation_id text collate "C",
  -- the session that a chatbot replies in
  session_id text collate "C",
  -- the run that started this one and may wait for its end
  parent_run_id text collate "C",
  entry_mode text collate "C" not null check (entry_mode in ('once', 'once_active', 'every_time')),
  -- entry modes apply per contact and key
  entry_key text collate "C" not null default '',
  causation_depth smallint not null,
  status text collate "C" not null check (status in ('running', 'waiting', 'completed', 'failed', 'cancelled')),
  -- the current node, and its state between waits
  node_id text collate "C" not null,
  state json,
  variables json not null,
  visits json not null,
  -- the event that started the run
  event json not null,
  -- the latest message of the customer
  message json,
  -- number of rows in workflow_steps
  steps int not null,
  -- incremented whenever the run advances; jobs for an earlier revision are ignored
  revision int not null,
  -- what the run waits for
  wait json,
  waiting_since timestamptz(3),
  wake_at timestamptz(3),
  -- events about the contact may resume the run
  waits_for_event boolean not null default false,
  -- replies sent in quick succession, delivered together
  buffered_replies json,
  buffering_since timestamptz(3),
  end_reason text,
  error json,
  started_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  ended_at timestamptz(3),
  -- when the steps of an ended run were deleted
  details_purged_at timestamptz(3),
  primary key (tenant_id, id),
  foreign key (tenant_id, workflow_id) references workflows,
  foreign key (tenant_id, version_id) references workflow_versions,
  foreign key (tenant_id, contact_id) references contacts
) with (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 5000);
create index workflow_runs_ended on workflow_runs (ended_at) where ended_at is not null and details_purged_at is null;
create index workflow_runs_of on workflow_runs (tenant_id, workflow_id, id);
create index workflow_runs_contact on workflow_runs (tenant_id, contact_id, workflow_id);
-- Across workspaces: the timer loop reads only the next deadline.
create index workflow_runs_wake on workflow_runs (wake_at) where wake_at is not null;
create index workflow_runs_waits_for_event on workflow_runs (tenant_id, contact_id) where waits_for_event;
create index workflow_runs_bots on workflow_runs (tenant_id, conversation_id) where kind = 'chatbot';
create unique index workflow_runs_once on workflow_runs (tenant_id, workflow_id, contact_id, entry_key)
  where entry_mode = 'once';
create unique index workflow_runs_once_active on workflow_runs (tenant_id, workflow_id, contact_id, entry_key)
  where entry_mode = 'once_active' and status in ('running', 'waiting');

create table workflow_steps (
  tenant_id text collate "C" not null,
  run_id text collate "C" not null,
  n int not null,
  node_id text collate "C" not null,
  type text collate "C" not null,
  at timestamptz(3) not null,
  -- the input of the node
  input json not null,
  -- to, wait, http, jump, end, fail
  outcome text collate "C" not null,
  output text collate "C",
  detail json,
  primary key (tenant_id, run_id, n)
);

-- Schedules of journeys: the next time, and the end of the last processed span.
create table workflow_schedules (
  tenant_id text collate "C" not null,
  workflow_id text collate "C" not null,
  version_id text collate "C" not null,
  next_at timestamptz(3) not null,
  processed_until timestamptz(3) not null,
  primary key (tenant_id, workflow_id),
  foreign key (tenant_id, workflow_id) references workflows
);
create index workflow_schedules_next on workflow_schedules (next_at);

-- Segments that journeys track, and their last known members.
create table tracked_segments (
  tenant_id text collate "C" not null,
  segment_id text collate "C" not null,
  -- revision of the segment when its members were stored; null: not stored yet
  revision int,
  swept_at timestamptz(3) not null,
  primary key (tenant_id, segment_id)
);
create table segment_memberships (
  tenant_id text collate "C" not null,
  segment_id text collate "C" not null,
  contact_id text collate "C" not null,
  primary key (tenant_id, segment_id, contact_id),
  foreign key (tenant_id, segment_id) references tracked_segments on delete cascade
);

-- The last member of a team that roundRobin has picked.
create table round_robin_cursors (
  tenant_id text collate "C" not null,
  team_id text collate "C" not null,
  last_user_id text collate "C" not null,
  primary key (tenant_id, team_id),
  foreign key (tenant_id, team_id) references teams on delete cascade
);
