create table segments (
  tenant_id text collate "C" not null references tenants,
  id text collate "C" not null,
  name text not null,
  description text,
  -- json, not jsonb: shown as it was written
  filter json not null,
  revision int not null default 1,
  created_by text collate "C" not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  primary key (tenant_id, id)
);
create index segments_live on segments (tenant_id, id) where deleted_at is null;
