-- Tickets for browsers, which cannot send a header with a WebSocket. Used once, within a minute.
create table realtime_tickets (
  hash bytea primary key,
  tenant_id text collate "C" not null references tenants,
  -- the bearer token it stands for, sealed
  token bytea not null,
  expires_at timestamptz(3) not null
);
create index realtime_tickets_expires_at on realtime_tickets (expires_at);
