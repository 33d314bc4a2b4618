create table idempotency_keys (
  tenant_id text collate "C" not null,
  caller_id text collate "C" not null,
  operation text collate "C" not null,
  key text collate "C" not null,
  fingerprint text not null,
  started_at timestamptz(3) not null,
  -- null while the request runs
  status int,
  body json,
  headers json,
  primary key (tenant_id, caller_id, operation, key)
);
create index idempotency_keys_started_at on idempotency_keys (started_at);
