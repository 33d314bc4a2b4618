create table inboxes (
  tenant_id text collate "C" not null references tenants,
  id text collate "C" not null,
  channel text not null check (channel in ('chatapp', 'socialapp', 'sms')),
  -- the number or account at the provider, and the business account it belongs to
  external_id text collate "C" not null,
  resource_id text collate "C" not null,
  name text not null,
  team_id text collate "C",
  config jsonb not null,
  -- the workspace's own token, sealed; null: the deployment's is used
  credential bytea,
  -- messages per second, as the provider says; null: it says nothing
  rate double precision,
  -- what is wrong, and since when: {"auth_expired": "2026-01-31T09:30:00.000Z"}
  troubles jsonb not null default '{}',
  -- when the provider was last asked whether it works
  checked_at timestamptz(3),
  -- the address that the provider was told to call, and where it was told so; null: not yet
  registration text,
  created_by text collate "C" not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  -- kept for what refers to it; the credential is gone and the number is free
  deleted_at timestamptz(3),
  primary key (tenant_id, id),
  foreign key (tenant_id, team_id) references teams
);
-- a number or account is connected once per installation
create unique index inboxes_external on inboxes (channel, external_id) where deleted_at is null;
create index inboxes_resource on inboxes (channel, resource_id) where deleted_at is null;
create index inboxes_team on inboxes (tenant_id, team_id) where team_id is not null;

-- Which resources of the deployment's own token a workspace may use.
create table provider_account_grants (
  tenant_id text collate "C" not null references tenants,
  channel text not null,
  resource_id text collate "C" not null,
  granted_at timestamptz(3) not null,
  primary key (tenant_id, channel, resource_id)
);

-- A provider token that was shown to work and waits to be used, once, for an inbox.
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
