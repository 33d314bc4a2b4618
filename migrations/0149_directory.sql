-- The directory of an installation with several databases. Only the home cell uses these tables.

create table directory_cells (
  name text collate "C" primary key,
  closed boolean not null default false,
  indexed_at timestamptz(3)
);

create table directory_workspaces (
  tenant_id text collate "C" primary key,
  cell text collate "C" not null
);

create table directory_accounts (
  channel text collate "C" not null,
  external_id text collate "C" not null,
  tenant_id text collate "C" not null,
  reserved_at timestamptz(3) not null,
  primary key (channel, external_id)
);
