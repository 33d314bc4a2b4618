-- Journeys and chatbots: both are workflows, drawn as a graph. The definition here is the draft; what runs is a version.
create table workflows (
  tenant_id text collate "C" not null references tenants,
  id text collate "C" not null,
  kind text collate "C" not null check (kind in ('journey', 'chatbot')),
  name text not null,
  status text collate "C" not null default 'draft' check (status in ('draft', 'active', 'paused')),
  -- json, not jsonb: shown as it was drawn
  definition json not null,
  -- what new runs use; its key is below, as each table refers to the other
  published_version_id text collate "C",
  created_by text collate "C" not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  primary key (tenant_id, id)
);
create index workflows_live on workflows (tenant_id, kind, id) where deleted_at is null;
create index workflows_active on workflows (tenant_id, kind, id) where status = 'active' and deleted_at is null;

-- Never changed once written.
create table workflow_versions (
  tenant_id text collate "C" not null,
  id text collate "C" not null,
  workflow_id text collate "C" not null,
  definition json not null,
  -- what its start node says, for those who look for workflows to start
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

-- The teams a chatbot answers for; none: everybody that no other bot answers for. A team with a bot cannot be deleted.
create table chatbot_teams (
  tenant_id text collate "C" not null,
  workflow_id text collate "C" not null,
  team_id text collate "C" not null,
  -- in the order given
  position int not null,
  primary key (tenant_id, workflow_id, team_id),
  foreign key (tenant_id, workflow_id) references workflows,
  foreign key (tenant_id, team_id) references teams
);
create index chatbot_teams_team on chatbot_teams (tenant_id, team_id);

-- Runs of journeys and chatbots. A run is one row, pinned to a version; each step adds a line to its log. While it sleeps
-- it is in one index by its time, and, if something else may wake it, in one by its contact: nothing looks at it.
create table workflow_runs (
  tenant_id text collate "C" not null,
  id text collate "C" not null,
  kind text collate "C" not null check (kind in ('journey', 'chatbot')),
  workflow_id text collate "C" not null,
  version_id text collate "C" not null,
  contact_id text collate "C" not null,
  conversation_id text collate "C",
  -- the session a chatbot answers in
  session_id text collate "C",
  -- the run that called it and waits for its end
  parent_run_id text collate "C",
  entry_mode text collate "C" not null check (entry_mode in ('once', 'once_active', 'every_time')),
  -- entries of one contact that have different keys are different
  entry_key text collate "C" not null default '',
  causation_depth smallint not null,
  status text collate "C" not null check (status in ('running', 'waiting', 'completed', 'failed', 'cancelled')),
  -- where it stands, and what the node there keeps between its waits
  node_id text collate "C" not null,
  state json,
  variables json not null,
  visits json not null,
  -- what started it
  event json not null,
  -- what the customer wrote last
  message json,
  -- lines in its log
  steps int not null,
  -- raised whenever it moves: a wake-up that was meant for an earlier turn is refused
  turn int not null,
  -- what wakes it besides the time
  wait json,
  waiting_since timestamptz(3),
  wake_at timestamptz(3),
  -- events about the contact may wake it
  listens boolean not null default false,
  -- messages of a burst, until it is over
  heard json,
  heard_since timestamptz(3),
  end_reason text,
  error json,
  started_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  ended_at timestamptz(3),
  -- when the details of an ended run were purged
  forgotten_at timestamptz(3),
  primary key (tenant_id, id),
  foreign key (tenant_id, workflow_id) references workflows,
  foreign key (tenant_id, version_id) references workflow_versions,
  foreign key (tenant_id, contact_id) references contacts
) with (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 5000);
create index workflow_runs_ended on workflow_runs (ended_at) where ended_at is not null and forgotten_at is null;
create index workflow_runs_of on workflow_runs (tenant_id, workflow_id, id);
create index workflow_runs_contact on workflow_runs (tenant_id, contact_id, workflow_id);
-- Across workspaces: whoever wakes runs looks only at the next that is due.
create index workflow_runs_wake on workflow_runs (wake_at) where wake_at is not null;
create index workflow_runs_listening on workflow_runs (tenant_id, contact_id) where listens;
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
  -- why the node ran
  input json not null,
  -- to, wait, http, jump, end, fail
  outcome text collate "C" not null,
  output text collate "C",
  detail json,
  primary key (tenant_id, run_id, n)
);

-- Journeys that the clock starts: when next, and up to where the last look went.
create table workflow_schedules (
  tenant_id text collate "C" not null,
  workflow_id text collate "C" not null,
  version_id text collate "C" not null,
  next_at timestamptz(3) not null,
  done_until timestamptz(3) not null,
  primary key (tenant_id, workflow_id),
  foreign key (tenant_id, workflow_id) references workflows
);
create index workflow_schedules_next on workflow_schedules (next_at);

-- Segments that journeys watch, and who is in them as far as is known.
create table tracked_segments (
  tenant_id text collate "C" not null,
  segment_id text collate "C" not null,
  -- of the segment when it was last gone through; null: not yet, so nobody has entered
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

-- Whose turn it is in a team.
create table round_robin_cursors (
  tenant_id text collate "C" not null,
  team_id text collate "C" not null,
  last_user_id text collate "C" not null,
  primary key (tenant_id, team_id),
  foreign key (tenant_id, team_id) references teams on delete cascade
);
