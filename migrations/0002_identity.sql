create table tenants (
  id text collate "C" primary key,
  name text not null,
  created_at timestamptz(3) not null
);

create table users (
  tenant_id text collate "C" not null references tenants,
  id text collate "C" not null,
  name text not null,
  email text not null,
  -- lower case: addresses differ by more than case only on paper
  email_key text collate "C" not null,
  role text not null check (role in ('owner', 'admin', 'agent')),
  avatar_url text,
  provider text not null,
  -- who they are at an outside identity provider
  subject text collate "C",
  password_hash text,
  email_verified boolean not null default false,
  invited boolean not null default false,
  disabled boolean not null default false,
  joined_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (tenant_id, id)
);
create unique index users_email on users (tenant_id, email_key);
create unique index users_subject on users (tenant_id, provider, subject) where subject is not null;
create index users_login on users (email_key);

create table teams (
  tenant_id text collate "C" not null references tenants,
  id text collate "C" not null,
  name text not null,
  -- the name as it is compared: lower case, composed
  name_key text collate "C" not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (tenant_id, id)
);
create unique index teams_name on teams (tenant_id, name_key);

create table team_members (
  tenant_id text collate "C" not null,
  team_id text collate "C" not null,
  user_id text collate "C" not null,
  primary key (tenant_id, team_id, user_id),
  foreign key (tenant_id, team_id) references teams on delete cascade,
  foreign key (tenant_id, user_id) references users
);
create index team_members_user on team_members (tenant_id, user_id);

create table invitations (
  tenant_id text collate "C" not null references tenants,
  id text collate "C" not null,
  email text not null,
  role text not null check (role in ('owner', 'admin', 'agent')),
  team_ids text[] not null,
  token_hash bytea not null unique,
  created_by text collate "C" not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  accepted_at timestamptz(3),
  primary key (tenant_id, id)
);

create table service_accounts (
  tenant_id text collate "C" not null references tenants,
  id text collate "C" not null,
  name text not null,
  description text,
  is_active boolean not null default true,
  role text not null check (role in ('admin', 'agent')),
  -- null: every scope of the role
  scopes text[],
  created_by text collate "C" not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  primary key (tenant_id, id)
);

create table api_keys (
  tenant_id text collate "C" not null,
  id text collate "C" not null,
  service_account_id text collate "C" not null,
  name text not null,
  key_prefix text not null,
  hash bytea not null unique,
  expires_at timestamptz(3),
  created_by text collate "C" not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  revoked_at timestamptz(3),
  primary key (tenant_id, id),
  foreign key (tenant_id, service_account_id) references service_accounts
);
create index api_keys_account on api_keys (tenant_id, service_account_id);

-- A login, kept alive by rotating refresh tokens.
create table auth_sessions (
  tenant_id text collate "C" not null,
  id text collate "C" not null,
  user_id text collate "C" not null,
  -- a hash of the network it came from
  origin bytea,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  revoked_at timestamptz(3),
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users
);
create index auth_sessions_user on auth_sessions (tenant_id, user_id);
create index auth_sessions_expires_at on auth_sessions (expires_at);

create table refresh_tokens (
  hash bytea primary key,
  tenant_id text collate "C" not null,
  auth_session_id text collate "C" not null,
  created_at timestamptz(3) not null,
  used_at timestamptz(3),
  foreign key (tenant_id, auth_session_id) references auth_sessions on delete cascade
);
create index refresh_tokens_auth_session on refresh_tokens (tenant_id, auth_session_id);

-- Token buckets of login attempts; of no worth after a crash.
create unlogged table login_attempts (
  key bytea primary key,
  left_over double precision not null,
  at timestamptz(3) not null
);
create index login_attempts_at on login_attempts (at);

create table audit_log (
  tenant_id text collate "C" not null references tenants,
  id text collate "C" not null,
  at timestamptz(3) not null,
  actor_type text not null check (actor_type in ('user', 'service', 'system')),
  actor_id text collate "C",
  action text not null,
  target_type text not null,
  target_id text collate "C" not null,
  details jsonb not null default '{}',
  primary key (tenant_id, id)
);
create index audit_log_action on audit_log (tenant_id, action, id);
create index audit_log_actor on audit_log (tenant_id, actor_id, id);
create index audit_log_target on audit_log (tenant_id, target_id, id);
