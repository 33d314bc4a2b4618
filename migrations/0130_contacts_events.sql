-- Custom events of contacts, which the filter condition performedEvent counts. The data of an event is in the log only.
create table contact_events (
  tenant_id text collate "C" not null,
  contact_id text collate "C" not null,
  name text collate "C" not null,
  at timestamptz(3) not null,
  event_id text collate "C" not null,
  primary key (tenant_id, contact_id, name, at, event_id)
);
create index contact_events_by_name on contact_events (tenant_id, name, at, contact_id);
-- Rows are inserted in the order of time and deleted in it.
create index contact_events_at on contact_events using brin (at);
