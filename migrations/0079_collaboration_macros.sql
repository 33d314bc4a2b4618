-- Lists of actions that agents run on conversations.
create table macros (
  tenant_id text collate "C" not null references tenants,
  id text collate "C" not null,
  scope text collate "C" not null check (scope in ('me', 'team', 'workspace')),
  -- the user or service account of a private macro; empty when it is shared
  owner_id text collate "C" not null,
  team_ids text[] not null,
  name text not null,
  actions json not null,
  revision int not null default 1,
  created_by text collate "C" not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (tenant_id, id)
);
-- Private macros of one owner, or all shared ones.
create index macros_owner on macros (tenant_id, owner_id);
