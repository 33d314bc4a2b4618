-- Whether a user takes new work, as the user chose it. Users without a row are online.
create table user_availability (
  tenant_id text collate "C" not null,
  user_id text collate "C" not null,
  status text collate "C" not null check (status in ('online', 'away', 'busy')),
  -- online from then on; null: until the user changes it
  until timestamptz(3),
  primary key (tenant_id, user_id),
  foreign key (tenant_id, user_id) references users
);
