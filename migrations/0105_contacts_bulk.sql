-- Actions on many contacts. A job takes the items in the order of n, a batch in each transaction, and undoes them in the
-- same order.
create table contact_bulk_actions (
  tenant_id text collate "C" not null references tenants,
  id text collate "C" not null,
  created_by text collate "C" not null,
  created_by_kind text collate "C" not null check (created_by_kind in ('user', 'service')),
  action json not null,
  status text collate "C" not null default 'running' check (status in ('running', 'completed', 'undoing', 'undone')),
  total int not null,
  -- the n of the last item that was taken, and of the last one that was undone
  position int not null default 0,
  undo_position int not null default 0,
  changed int not null default 0,
  unchanged int not null default 0,
  failed int not null default 0,
  restored int not null default 0,
  not_restored int not null default 0,
  created_at timestamptz(3) not null,
  finished_at timestamptz(3),
  undone_by text collate "C",
  undone_by_kind text collate "C" check (undone_by_kind in ('user', 'service')),
  primary key (tenant_id, id)
);
create index contact_bulk_actions_created on contact_bulk_actions (created_at);

create table contact_bulk_items (
  tenant_id text collate "C" not null,
  bulk_id text collate "C" not null,
  n int not null,
  contact_id text collate "C" not null,
  result text collate "C" not null default 'pending'
    check (result in ('pending', 'changed', 'unchanged', 'failed', 'cancelled')),
  -- the value of the field that the action replaced
  before text,
  primary key (tenant_id, bulk_id, n),
  foreign key (tenant_id, bulk_id) references contact_bulk_actions on delete cascade
);
create index contact_bulk_items_contact on contact_bulk_items (tenant_id, contact_id);
