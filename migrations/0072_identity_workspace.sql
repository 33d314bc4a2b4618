-- Settings of a workspace that its members see.
alter table tenants
  add column timezone text not null default 'UTC',
  add column locale text not null default 'en',
  -- null: always open
  add column business_hours jsonb;

-- Settings of a user that only clients interpret.
create table user_preferences (
  tenant_id text collate "C" not null,
  user_id text collate "C" not null,
  data jsonb not null,
  updated_at timestamptz(3) not null,
  primary key (tenant_id, user_id),
  foreign key (tenant_id, user_id) references users
);
