create table inboxes (
  tenant_id text collate "C" not null references tenants,
  id text collate "C" not null,
  channel text not null check (channel in ('chatapp', 'socialapp', 'sms')),
  -- number or account at the provider, and its business account
  external_id text collate "C" not null,
  resource_id text collate "C" not null,
  name text not null,
  team_id text collate "C",
  config jsonb not null,
  -- the workspace's own token, encrypted; null: the deployment's token is used
  credential bytea,
  -- messages per second; null: unlimited
  rate double precision,
  -- open issues with the time they were opened: {"auth_expired": "2026-01-31T09:30:00.000Z"}
  health_issues jsonb not null default '{}',
  -- last health check
  checked_at timestamptz(3),
  -- registered webhook URL and provider; null: not registered yet
  registration text,
  created_by text collate "C" not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  -- soft delete: the row stays for references, the credential is removed, the number can be connected again
  deleted_at timestamptz(3),
  primary key (tenant_id, id),
  foreign key (tenant_id, team_id) references teams
);
-- a number or account is connected at most once per installation
create unique index inboxes_external on inboxes (channel, external_id) where deleted_at is null;
create index inboxes_resource on inboxes (channel, resource_id) where deleted_at is null;
create index inboxes_team on inboxes (tenant_id, team_id) where team_id is not null;

-- Provider accounts of the deployment's token that a workspace may use.
create table provider_account_grants (
  tenant_id text collate "C" not null references tenants,
  channel text not null,
  resource_id text collate "C" not null,
  granted_at timestamptz(3) not null,
  primary key (tenant_id, channel, resource_id)
);

-- Verified provider tokens that wait to be used once for a new inbox.
create table pending_credentials (
  tenant_id text collate "C" not null references tenants,
  id text collate "C" not null,
  channel text not null,
  resource_id text collate "C" not null,
  credential bytea not null,
  expires_at timestamptz(3) not null,
  primary key (tenant_id, id)
);
create index pending_credentials_expiry on pending_credentials (expires_at);
