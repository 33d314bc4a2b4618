-- One-time tokens with which users set a new password; a new one replaces the old one.
create table password_resets (
  tenant_id text collate "C" not null,
  user_id text collate "C" not null,
  token_hash bytea not null unique,
  created_by text collate "C" not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  primary key (tenant_id, user_id),
  foreign key (tenant_id, user_id) references users
);

alter table invitations add column email_key text collate "C" generated always as (lower(normalize(email))) stored;
create index invitations_open on invitations (tenant_id, email_key) where accepted_at is null;
