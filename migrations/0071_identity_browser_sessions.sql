-- Browser sessions: sessions with an opaque cookie instead of refresh tokens. They slide with their use.
alter table auth_sessions
  add column cookie_hash bytea,
  add column address text,
  add column user_agent text,
  add column last_used_at timestamptz(3);

create unique index auth_sessions_cookie on auth_sessions (cookie_hash) where cookie_hash is not null;
create index auth_sessions_open on auth_sessions (tenant_id, user_id, id) where revoked_at is null;
