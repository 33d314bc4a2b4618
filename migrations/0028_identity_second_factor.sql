alter table tenants add column second_factor_required boolean not null default false;

-- Codes of an authenticator app (TOTP). Not in use until confirmed with a first code.
create table second_factors (
  tenant_id text collate "C" not null,
  user_id text collate "C" not null,
  -- encrypted
  secret bytea not null,
  created_at timestamptz(3) not null,
  confirmed_at timestamptz(3),
  -- time step of the last accepted code: no code is accepted twice
  last_step bigint not null default 0,
  primary key (tenant_id, user_id),
  foreign key (tenant_id, user_id) references users
);

create table recovery_codes (
  tenant_id text collate "C" not null,
  user_id text collate "C" not null,
  hash bytea not null,
  used_at timestamptz(3),
  primary key (tenant_id, user_id, hash),
  foreign key (tenant_id, user_id) references second_factors on delete cascade
);
