-- Imports of contacts from a file. Everything a worker needs to go on after a crash is in this row, which is written
-- in the same transaction as the contacts of each batch.
create table contact_imports (
  tenant_id text collate "C" not null references tenants,
  id text collate "C" not null,
  status text not null default 'queued' check (status in ('queued', 'processing', 'completed', 'failed')),
  -- whose contacts it may change: looked up again for each batch
  created_by text collate "C" not null,
  created_by_kind text not null check (created_by_kind in ('user', 'service')),
  created_by_role text not null,
  created_at timestamptz(3) not null,
  filename text not null,
  blob text collate "C" not null,
  size bigint not null,
  dry_run boolean not null,
  create_fields boolean not null,
  -- how the file is read: found by looking at all of it once, then fixed
  layout json,
  -- bytes that are done; the next record begins here
  position bigint not null default 0,
  total_rows int not null default 0,
  success_count int not null default 0,
  failed_count int not null default 0,
  error_count int not null default 0,
  -- attempts since the last progress
  stuck int not null default 0,
  finished_at timestamptz(3),
  primary key (tenant_id, id)
) with (fillfactor = 50);

create table contact_import_errors (
  tenant_id text collate "C" not null,
  import_id text collate "C" not null,
  n int not null,
  row_number int not null,
  column_name text not null,
  message text not null,
  primary key (tenant_id, import_id, n),
  foreign key (tenant_id, import_id) references contact_imports
);
