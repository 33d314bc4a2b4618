-- Moves of workspaces between cells. Both cells of a move have a row; each of these tables is empty otherwise.

create table workspace_moves (
  tenant_id text collate "C" primary key,
  direction text collate "C" not null check (direction in ('in', 'out')),
  -- The other cell.
  cell text collate "C" not null,
  -- copying: this is the state of both cells until the switch. aborting: the rows in the target are being deleted.
  -- switched: the source has given up the workspace. active: the target has taken it over.
  state text collate "C" not null check (state in ('copying', 'aborting', 'switched', 'active')),
  -- Whether work that is not on behalf of one workspace leaves out the rows of this one.
  is_held boolean not null,
  changed_at timestamptz(3) not null default now()
);

-- Source: keys of rows that were written since they were copied.
create table workspace_move_changes (
  tenant_id text collate "C" not null,
  id bigint generated always as identity,
  table_name text collate "C" not null,
  key text[] not null,
  primary key (tenant_id, id)
);

-- Target: how far each table is copied, written with the rows.
create table workspace_move_progress (
  tenant_id text collate "C" not null,
  table_name text collate "C" not null,
  last_key text[],
  row_count bigint not null,
  is_complete boolean not null,
  primary key (tenant_id, table_name)
);

-- Target: rows that take effect when the workspace becomes active.
create table workspace_move_rows (
  tenant_id text collate "C" not null,
  table_name text collate "C" not null,
  n bigint generated always as identity,
  content text not null,
  primary key (tenant_id, table_name, n)
);

-- Two cells have given the same ids to events of different workspaces.
create unique index provider_events_tenant on provider_events (tenant_id, id);
create index provider_events_number on provider_events (id);
drop index provider_events_id;
