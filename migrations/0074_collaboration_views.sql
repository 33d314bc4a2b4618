-- Saved filters of the inbox.
create table views (
  tenant_id text collate "C" not null references tenants,
  id text collate "C" not null,
  scope text collate "C" not null check (scope in ('me', 'team', 'workspace')),
  -- the user or service account of a private view; empty when it is shared
  owner_id text collate "C" not null,
  team_ids text[] not null,
  name text not null,
  filter json not null,
  sort json,
  position int not null,
  revision int not null default 1,
  created_by text collate "C" not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (tenant_id, id)
);
-- Private views of one owner, or all shared ones.
create index views_owner on views (tenant_id, owner_id);

-- The order in which a user arranged the views; views that are not in it follow by position.
create table view_orders (
  tenant_id text collate "C" not null,
  user_id text collate "C" not null,
  view_ids text[] not null,
  primary key (tenant_id, user_id),
  foreign key (tenant_id, user_id) references users
);
