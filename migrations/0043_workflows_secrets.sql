-- Secrets that http nodes send. The value is encrypted and never returned.
create table workflow_secrets (
  tenant_id text collate "C" not null,
  name text collate "C" not null,
  sealed bytea not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (tenant_id, name)
);
