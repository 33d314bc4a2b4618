-- How far the user has read a conversation whose customer sees it. Null: not at all, or on another channel. It does not
-- follow a cursor that is set without reading.
alter table read_cursors add seen_position integer;
create index read_cursors_seen on read_cursors (tenant_id, conversation_id, seen_position) where seen_position is not null;
