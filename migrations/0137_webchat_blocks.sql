-- Visitors whose messages are refused, by address: the id of a visitor, or `user:` and the id that the site signed.
create table webchat_blocks (
  tenant_id text collate "C" not null,
  address text collate "C" not null,
  created_at timestamptz(3) not null,
  primary key (tenant_id, address),
  foreign key (tenant_id) references tenants
);
