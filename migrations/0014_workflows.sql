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
