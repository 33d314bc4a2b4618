-- How far the sends of an inbox, or of an inbox to one person, are booked ahead. No row: not at all. Losing the table
-- would only mean that a provider tells us to slow down.
create table send_pace (
  tenant_id text collate "C" not null,
  -- an inbox, or an inbox and a conversation
  inbox_id text collate "C" not null,
  conversation_id text collate "C" not null default '',
  booked_until timestamptz not null,
  primary key (tenant_id, inbox_id, conversation_id)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
create index send_pace_booked on send_pace (booked_until);
